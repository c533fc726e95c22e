package dev.revealed.app.tasks;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The words of a command line, from the verb on, with some options left out. */
public final class CommandWords {
    private CommandWords() {}

    /** Without options that have a value: {@code --shard 2/8} and {@code --shard=2/8} alike. */
    public static List<String> without(List<String> words, String... options) {
        List<String> rest = new ArrayList<>();
        for (int i = 0; i < words.size(); i++) {
            String word = words.get(i);
            if (Arrays.asList(options).contains(word)) {
                i++; // its value
            } else if (Arrays.stream(options).noneMatch(option -> word.startsWith(option + "="))) {
                rest.add(word);
            }
        }
        return rest;
    }

    /** Without options that stand alone. */
    public static List<String> withoutSwitches(List<String> words, String... options) {
        return words.stream()
                .filter(word -> !Arrays.asList(options).contains(word))
                .toList();
    }

    /** What a person would type. */
    public static String typed(List<String> words) {
        StringBuilder line = new StringBuilder("./revealed");
        for (String word : words) {
            boolean plain = word.matches("[\\w./,:=@%+-]+");
            line.append(' ').append(plain ? word : "'" + word.replace("'", "'\\''") + "'");
        }
        return line.toString();
    }
}
