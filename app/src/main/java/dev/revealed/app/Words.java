package dev.revealed.app;

import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.Closest;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Words on the command line that must be one of a few. */
public final class Words {
    private static final Pattern SETTING = Pattern.compile("`([a-z][a-z0-9-]*)`");

    /** Words that a shell leaves as they are. */
    private static final Pattern PLAIN = Pattern.compile("[\\w@%+=:,./-]+");

    private Words() {}

    /** A command as it is typed in a shell, with quotes where they are needed. */
    public static String typed(List<String> command) {
        return command.stream()
                .map(word -> PLAIN.matcher(word).matches() ? word : "'%s'".formatted(word.replace("'", "'\\''")))
                .collect(Collectors.joining(" ", "./revealed ", ""));
    }

    /** The member of {@code known} that the word names. */
    public static <T> T choose(String option, String word, List<T> known) {
        List<String> names = known.stream().map(Object::toString).toList();
        int found = names.indexOf(word);
        if (found < 0) {
            throw unknown("%s is '%s'".formatted(option, word), word, names);
        }
        return known.get(found);
    }

    /** A word that is none of the known ones: the closest is offered, and all are listed. */
    public static BadInput unknown(String problem, String word, List<String> known) {
        return new BadInput(problem, Closest.question(word, known) + "There is " + String.join(", ", known) + ".");
    }

    /** {@code RC=10,theta11=2.5} as numbers by name. */
    public static Map<String, Double> numbers(String option, String text) {
        Map<String, Double> numbers = new LinkedHashMap<>();
        for (String part : text.split(",(?![^(]*\\))", -1)) { // names such as P(x=1|y=2,z=3) keep their commas
            int sign = part.lastIndexOf('=');
            OptionalDouble value = sign < 1 ? OptionalDouble.empty() : number(part.substring(sign + 1));
            if (value.isEmpty() || !Double.isFinite(value.getAsDouble())) {
                throw new BadInput(
                        "%s is '%s'".formatted(option, text), "Write names and numbers, such as RC=10,theta11=2.5.");
            }
            if (numbers.put(part.substring(0, sign).strip(), value.getAsDouble()) != null) {
                throw new BadInput("%s names '%s' twice".formatted(option, part.substring(0, sign)), "Drop one.");
            }
        }
        return numbers;
    }

    private static OptionalDouble number(String text) {
        try {
            return OptionalDouble.of(Double.parseDouble(text.strip()));
        } catch (NumberFormatException e) {
            return OptionalDouble.empty();
        }
    }

    /** The numbers in the order of {@code names}, zero where none is given. */
    public static double[] ordered(String option, Map<String, Double> numbers, List<String> names) {
        double[] values = new double[names.size()];
        numbers.forEach((name, value) -> {
            int j = names.indexOf(name);
            if (j < 0) {
                throw unknown("%s names '%s', which is not a parameter".formatted(option, name), name, names);
            }
            values[j] = value;
        });
        return values;
    }

    /** A message of the library as the command line has it: a setting in backticks becomes its option. */
    public static String options(String message) {
        return SETTING.matcher(message).replaceAll("--$1");
    }
}
