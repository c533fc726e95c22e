package dev.revealed.settings;

import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.Closest;
import java.lang.reflect.RecordComponent;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * One setting of a record, as {@link Setting} describes it.
 *
 * @param type of the value; an empty optional is written as {@link Setting#none}
 */
public record Item(String name, Class<?> type, Setting setting) {
    private static final List<String> ON = List.of("on", "true");
    private static final List<String> OFF = List.of("off", "false");

    static Item of(RecordComponent component, Setting setting) {
        String name = setting.name().isEmpty() ? hyphenated(component.getName()) : setting.name();
        return new Item(name, component.getType(), setting);
    }

    private static String hyphenated(String name) {
        return name.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
    }

    /** What stands for the value in help. */
    public String label() {
        return !setting.label().isEmpty() ? setting.label() : type.isEnum() ? String.join("|", words()) : kind();
    }

    private String kind() {
        return switch (type.getSimpleName()) {
            case "int[]" -> "N[,N...]";
            case "int", "long", "OptionalInt" -> "N";
            case "boolean" -> "on|off";
            case "Path" -> "FILE";
            default -> "X";
        };
    }

    /** Whether naming it without a value switches it on. */
    public boolean isSwitch() {
        return type == boolean.class;
    }

    /** The words of a choice. */
    private List<String> words() {
        return Arrays.stream(type.getEnumConstants()).map(Item::text).toList();
    }

    /** A value as it would be typed. */
    public static String text(@Nullable Object value) {
        return switch (value) {
            case null -> "none";
            case Enum<?> word -> word.name().toLowerCase(Locale.ROOT).replace('_', '-');
            case Boolean flag -> flag ? "on" : "off";
            case int[] numbers ->
                String.join(
                        ",", Arrays.stream(numbers).mapToObj(Integer::toString).toList());
            case List<?> numbers ->
                String.join(",", numbers.stream().map(Item::text).toList());
            default -> value.toString();
        };
    }

    /** A value as a spec has it: a number, a truth value, a list of numbers or a word. */
    Object plain(Object value) {
        return switch (value) {
            case int[] numbers -> Arrays.stream(numbers).boxed().toList();
            case OptionalDouble number -> number.isEmpty() ? setting.none() : number.getAsDouble();
            case OptionalInt number -> number.isEmpty() ? setting.none() : number.getAsInt();
            case Number number -> number;
            case Boolean flag -> flag;
            default -> text(value);
        };
    }

    /** A value from the text that was typed, or from what a spec has. */
    Object read(Object given) {
        String text = text(plain(given)).strip();
        try {
            return parse(text);
        } catch (NumberFormatException e) {
            throw new BadInput("`%s` is '%s'".formatted(name, text), remedy());
        }
    }

    /** Refuses what is outside the range. */
    void check(Object value) {
        for (double number : numbers(value)) {
            if (!holds(number)) {
                throw new BadInput("`%s` is %s".formatted(name, text(plain(value))), remedy());
            }
        }
    }

    private Object parse(String text) {
        boolean none = text.equalsIgnoreCase(setting.none());
        return switch (type.getSimpleName()) {
            case "int" -> (int) whole(text, Integer.MAX_VALUE);
            case "long" -> whole(text, Long.MAX_VALUE);
            case "float" -> Float.parseFloat(text);
            case "double" -> Double.parseDouble(text);
            case "boolean" -> truth(text);
            case "int[]" ->
                Arrays.stream(text.split(",", -1))
                        .mapToInt(each -> (int) whole(each.strip(), Integer.MAX_VALUE))
                        .toArray();
            case "OptionalInt" -> none ? OptionalInt.empty() : OptionalInt.of((int) whole(text, Integer.MAX_VALUE));
            case "OptionalDouble" -> none ? OptionalDouble.empty() : OptionalDouble.of(Double.parseDouble(text));
            case "Path" -> Path.of(text);
            case "String" -> text;
            default -> choice(text);
        };
    }

    /** A whole number, which a spec or a person may have written as 1.0 or 1e6. */
    private static long whole(String text, long most) {
        try {
            long value = new BigDecimal(text).longValueExact();
            if (Math.abs(value) <= most) {
                return value;
            }
        } catch (ArithmeticException e) {
            // a fraction, or beyond all whole numbers
        }
        throw new NumberFormatException(text);
    }

    private boolean truth(String text) {
        String word = text.toLowerCase(Locale.ROOT);
        if (!ON.contains(word) && !OFF.contains(word)) {
            throw new NumberFormatException(text);
        }
        return ON.contains(word);
    }

    private Object choice(String text) {
        int found = words().indexOf(text.toLowerCase(Locale.ROOT).replace('_', '-'));
        BadInput.when(
                found < 0,
                "`%s` is '%s'".formatted(name, text),
                Closest.question(text, words()) + "There is " + String.join(", ", words()) + ".");
        return type.getEnumConstants()[found];
    }

    private static double[] numbers(Object value) {
        return switch (value) {
            case int[] all -> Arrays.stream(all).asDoubleStream().toArray();
            case Number one -> new double[] {one.doubleValue()};
            case OptionalDouble one -> one.stream().toArray();
            case OptionalInt one -> one.stream().asDoubleStream().toArray();
            default -> new double[0];
        };
    }

    private boolean holds(double number) {
        return Double.isFinite(number)
                && !(number <= setting.above())
                && !(number < setting.atLeast())
                && !(number >= setting.below())
                && !(number > setting.atMost());
    }

    private String remedy() {
        List<String> bounds = new ArrayList<>();
        bound(bounds, "above ", setting.above());
        bound(bounds, "from ", setting.atLeast());
        bound(bounds, "below ", setting.below());
        bound(bounds, "at most ", setting.atMost());
        String what = switch (type.getSimpleName()) {
            case "int", "long", "OptionalInt" -> "a whole number";
            case "int[]" -> "whole numbers with commas between them" + (bounds.isEmpty() ? "" : ", each");
            case "boolean" -> "on or off";
            default -> "a number";
        };
        String such = setting.example().isEmpty() ? "" : ", such as " + setting.example();
        String none = type.getSimpleName().startsWith("Optional") ? ", or " + setting.none() : "";
        return "Give %s%s%s%s.".formatted(what, bounds.isEmpty() ? "" : " " + String.join(" and ", bounds), such, none);
    }

    private static void bound(List<String> bounds, String word, double value) {
        if (!Double.isNaN(value)) {
            bounds.add(word + (value == Math.rint(value) ? Long.toString((long) value) : Double.toString(value)));
        }
    }
}
