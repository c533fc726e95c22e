package dev.revealed.app.tasks;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The arguments of a command line, from the command's name on, with some options left out. */
public final class Arguments {
    private Arguments() {}

    /** Without options that have a value: {@code --shard 2/8} and {@code --shard=2/8} alike. */
    public static List<String> without(List<String> arguments, String... options) {
        List<String> rest = new ArrayList<>();
        for (int i = 0; i < arguments.size(); i++) {
            String argument = arguments.get(i);
            if (Arrays.asList(options).contains(argument)) {
                i++; // its value
            } else if (Arrays.stream(options).noneMatch(option -> argument.startsWith(option + "="))) {
                rest.add(argument);
            }
        }
        return rest;
    }

    /** Without options that stand alone. */
    public static List<String> withoutSwitches(List<String> arguments, String... options) {
        return arguments.stream()
                .filter(argument -> !Arrays.asList(options).contains(argument))
                .toList();
    }

    /** What a person would type. */
    public static String typed(List<String> arguments) {
        StringBuilder line = new StringBuilder("./revealed");
        for (String argument : arguments) {
            boolean plain = argument.matches("[\\w./,:=@%+-]+");
            line.append(' ').append(plain ? argument : "'" + argument.replace("'", "'\\''") + "'");
        }
        return line.toString();
    }
}
