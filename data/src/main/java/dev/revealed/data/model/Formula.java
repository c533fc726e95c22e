package dev.revealed.data.model;

import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * A formula of named numbers, without parameters, in the language of model files: {@code angle < -0.5 and angle > -3.1}.
 *
 * @param used the variables it names, in the order in which their values are expected
 */
public record Formula(String text, List<String> used, Compiled compiled) {

    /** What evaluates a formula. */
    public interface Compiled {
        double value(double[] variables);
    }

    /** Parses a formula; the message of a mistake marks its place and lists the known variables. */
    public static Formula of(String text, List<String> variables) {
        Expression.parse(text, scope(variables)); // a mistake lists all variables
        List<String> words = Arrays.asList(text.split("\\W+"));
        List<String> used = variables.stream().filter(words::contains).toList();
        Expression expression = Expression.parse(text, scope(used));
        return new Formula(text, used, expression::value);
    }

    private static Expression.Scope scope(List<String> variables) {
        return new Expression.Scope(variables, List.of(), Map.of(), Map.of());
    }

    /** The value where the used variables have these values. */
    public double value(double[] variables) {
        return compiled.value(variables);
    }
}
