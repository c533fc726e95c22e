package dev.revealed.data.model;

import dev.revealed.data.Grid;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.Closest;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.DoubleBinaryOperator;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parses the formula of an {@link Expression}: the usual grammar, each rule a method. A complaint marks its place. */
final class FormulaParser {
    private static final String SMOOTH =
            "Utilities are smooth in the parameters: conditions are on state variables and the action.";
    private static final Pattern EXPONENT = Pattern.compile("[eE][+-]?[0-9]+");
    private static final Pattern LAST_NUMBER = Pattern.compile("[0-9]+$");

    /** By name, those that end with a number by the number: s2 before s10. */
    private static final Comparator<String> BY_NUMBER = Comparator.comparing(
                    (String name) -> LAST_NUMBER.matcher(name).replaceFirst(""))
            .thenComparing(String::length)
            .thenComparing(Comparator.naturalOrder());

    private static final int MOST_NESTED = 200;
    private static final int SHOWN = 60; // characters of a long formula on either side of a mistake

    /** Comparisons forgive rounding, so that 3 * 0.1 == 0.3. */
    private static final Map<String, DoubleBinaryOperator> COMPARISONS = Map.of(
            "==", (a, b) -> Grid.same(a, b) ? 1 : 0,
            "!=", (a, b) -> Grid.same(a, b) ? 0 : 1,
            ">=", (a, b) -> a > b || Grid.same(a, b) ? 1 : 0,
            "<=", (a, b) -> a < b || Grid.same(a, b) ? 1 : 0,
            ">", (a, b) -> a > b && !Grid.same(a, b) ? 1 : 0,
            "<", (a, b) -> a < b && !Grid.same(a, b) ? 1 : 0);

    private final String text;
    private final Expression.Scope scope;
    private final Set<Integer> used = new TreeSet<>();
    private int at;
    private int depth;
    private boolean linear = true;

    FormulaParser(String text, Expression.Scope scope) {
        this.text = text;
        this.scope = scope;
    }

    Expression parse() {
        Expression.Node root = either();
        if (at < text.length()) {
            throw unexpected();
        }
        return new Expression(text, root, linear, used);
    }

    /** A complaint with the place in the formula marked. */
    private BadInput bad(int place, String problem, String remedy) {
        int begin = place <= SHOWN ? 0 : place - SHOWN;
        int end = text.length() - place <= SHOWN ? text.length() : place + SHOWN;
        String before = begin > 0 ? "... " : "";
        String shown = before + text.substring(begin, end) + (end < text.length() ? " ..." : "");
        String under = " ".repeat(before.length() + place - begin);
        return new BadInput("%s\n    %s\n    %s^".formatted(problem, shown, under), remedy);
    }

    private void smooth(boolean holds, int place, String problem) {
        if (!holds) {
            throw bad(place, problem, SMOOTH);
        }
    }

    private BadInput unexpected() {
        if (at == text.length()) {
            return bad(at, "the formula ends too early", "Complete it, or close the bracket.");
        }
        char c = text.charAt(at);
        String here = text.substring(at);
        String remedy = "A sign such as * may be missing before it.";
        if (here.startsWith("**")) {
            remedy = "A power is written x^2.";
        } else if (c == '=') {
            remedy = "Compare with ==.";
        } else if (c == '&' || c == '|' || c == '!') {
            remedy = "Write and, or, not: x > 1 and not (y == 2).";
        } else if (c == '<' || c == '>') {
            remedy = "Compare two things at a time: 1 <= x and x <= 3.";
        }
        String what = Character.isLetterOrDigit(c) || c == '_' ? word() : Character.toString(c);
        return bad(at, "'%s' is not expected here".formatted(what), remedy);
    }

    private void skipSpaces() {
        while (at < text.length() && text.charAt(at) == ' ') {
            at++;
        }
    }

    private boolean take(String sign) {
        skipSpaces();
        if (!text.startsWith(sign, at)) {
            return false;
        }
        at += sign.length();
        return true;
    }

    /** a or b or c: 1 where one of them is not 0. */
    private Expression.Node either() {
        return joined("or", this::both, (a, b) -> a != 0 || b != 0 ? 1 : 0);
    }

    private Expression.Node both() {
        return joined("and", this::negated, (a, b) -> a != 0 && b != 0 ? 1 : 0);
    }

    private Expression.Node joined(String word, Supplier<Expression.Node> part, DoubleBinaryOperator function) {
        Expression.Node first = part.get();
        List<Expression.Node> parts = new ArrayList<>(List.of(first));
        skipSpaces();
        int place = at;
        while (takeWord(word)) {
            parts.add(part.get());
        }
        if (parts.size() == 1) {
            return first;
        }
        smooth(
                parts.stream().noneMatch(Expression.Node::parametric),
                place,
                "a parameter stands beside '" + word + "'");
        return new Expression.Application(word, function, parts);
    }

    private Expression.Node negated() {
        skipSpaces();
        int place = at;
        if (!takeWord("not")) {
            return comparison();
        }
        Expression.Node inner = nested(place, this::negated);
        smooth(!inner.parametric(), place, "a parameter stands behind 'not'");
        return new Expression.Application("not", (a, ignored) -> a == 0 ? 1 : 0, List.of(inner));
    }

    private boolean takeWord(String wanted) {
        skipSpaces();
        if (!word().equals(wanted)) {
            return false;
        }
        at += wanted.length();
        return true;
    }

    private Expression.Node comparison() {
        Expression.Node left = sum();
        for (String sign : List.of("==", "!=", ">=", "<=", ">", "<")) { // the longer signs first
            if (take(sign)) {
                int place = at - sign.length();
                Expression.Node right = sum();
                smooth(!left.parametric() && !right.parametric(), place, "a parameter is compared");
                return new Expression.Application(
                        sign, Objects.requireNonNull(COMPARISONS.get(sign)), List.of(left, right));
            }
        }
        return left;
    }

    private Expression.Node sum() {
        Expression.Node first = term();
        List<Expression.Link> terms = new ArrayList<>(List.of(new Expression.Link('+', first)));
        for (char sign = sign(); sign != ' '; sign = sign()) {
            terms.add(new Expression.Link(sign, term()));
        }
        return terms.size() == 1 ? first : new Expression.Sum(terms);
    }

    private char sign() {
        return take("+") ? '+' : take("-") ? '-' : ' ';
    }

    private Expression.Node term() {
        Expression.Node first = signed();
        boolean parametric = first.parametric();
        List<Expression.Link> factors = new ArrayList<>(List.of(new Expression.Link('*', first)));
        while (true) {
            skipSpaces();
            if (text.startsWith("**", at)) {
                throw unexpected();
            }
            if (take("*")) {
                Expression.Node right = signed();
                linear &= !parametric || !right.parametric();
                parametric |= right.parametric();
                factors.add(new Expression.Link('*', right));
            } else if (take("/")) {
                Expression.Node right = signed();
                linear &= !right.parametric();
                parametric |= right.parametric();
                factors.add(new Expression.Link('/', right));
            } else {
                return factors.size() == 1 ? first : new Expression.Product(factors);
            }
        }
    }

    private Expression.Node signed() {
        boolean negative = false;
        for (char sign = sign(); sign != ' '; sign = sign()) {
            negative ^= sign == '-';
        }
        Expression.Node node = power();
        return negative
                ? new Expression.Sum(
                        List.of(new Expression.Link('+', new Expression.Constant(0)), new Expression.Link('-', node)))
                : node;
    }

    private Expression.Node power() {
        Expression.Node base = atom();
        skipSpaces();
        int place = at;
        if (!take("^")) {
            return base;
        }
        Expression.Node exponent = nested(place, this::signed);
        linear &= !base.parametric() && !exponent.parametric();
        return new Expression.Power(base, exponent);
    }

    /** Parses what stands inside something else. */
    private <T> T nested(int place, Supplier<T> inner) {
        if (++depth > MOST_NESTED) {
            throw bad(
                    place,
                    "brackets, functions and powers are nested more than %d deep".formatted(MOST_NESTED),
                    "Leave out brackets that change nothing, or split the formula.");
        }
        T parsed = inner.get();
        depth--;
        return parsed;
    }

    private Expression.Node atom() {
        skipSpaces();
        if (at == text.length()) {
            throw unexpected();
        }
        char c = text.charAt(at);
        if (c == '(') {
            int place = at++;
            Expression.Node inner = nested(place, this::either);
            close();
            return inner;
        }
        if (Character.isDigit(c) || c == '.') {
            return number();
        }
        if (Character.isLetter(c) || c == '_') {
            int place = at;
            String name = word();
            at += name.length();
            return take("(") ? call(name, place) : named(name, place);
        }
        throw unexpected();
    }

    private void close() {
        skipSpaces();
        if (!take(")")) {
            throw unexpected();
        }
    }

    private String word() {
        int end = at;
        while (end < text.length() && (Character.isLetterOrDigit(text.charAt(end)) || text.charAt(end) == '_')) {
            end++;
        }
        return text.substring(at, end);
    }

    private Expression.Node number() {
        int begin = at;
        while (at < text.length() && (Character.isDigit(text.charAt(at)) || text.charAt(at) == '.')) {
            at++;
        }
        Matcher exponent = EXPONENT.matcher(text).region(at, text.length());
        if (exponent.lookingAt()) {
            at = exponent.end();
        }
        try {
            double value = Double.parseDouble(text.substring(begin, at));
            if (Double.isFinite(value)) {
                return new Expression.Constant(value);
            }
        } catch (NumberFormatException e) {
            // told below, in our words
        }
        throw bad(begin, "'%s' is not a number".formatted(text.substring(begin, at)), "Write 12, 0.5 or 1e-3.");
    }

    private Expression.Node call(String name, int place) {
        DoubleBinaryOperator function = Expression.FUNCTIONS.get(name);
        if (function == null) {
            throw bad(
                    place,
                    "there is no function '%s'".formatted(name),
                    Closest.question(name, Expression.FUNCTIONS.keySet())
                            + "The functions are abs, exp, log, max, min, sqrt; a product needs its *.");
        }
        List<Expression.Node> arguments = nested(place, this::arguments);
        close();
        boolean several = name.equals("min") || name.equals("max");
        if (several == (arguments.size() == 1)) {
            throw bad(
                    place,
                    "%s has %d arguments".formatted(name, arguments.size()),
                    several ? "It takes two or more." : "It takes one.");
        }
        linear &= arguments.stream().noneMatch(Expression.Node::parametric);
        return new Expression.Application(name, function, arguments);
    }

    private List<Expression.Node> arguments() {
        List<Expression.Node> arguments = new ArrayList<>();
        do {
            arguments.add(either());
        } while (take(","));
        return arguments;
    }

    private Expression.Node named(String name, int place) {
        if (scope.variables().contains(name)) {
            return new Expression.Variable(scope.variables().indexOf(name));
        }
        String same = scope.tied().getOrDefault(name, name);
        if (scope.parameters().contains(same)) {
            int index = scope.parameters().indexOf(same);
            used.add(index);
            return new Expression.Parameter(index);
        }
        Double constant = scope.constants().get(same);
        if (constant != null) {
            return new Expression.Constant(constant);
        }
        String other = scope.elsewhere().get(name);
        if (other != null) {
            throw bad(place, "'%s' is %s".formatted(name, other), "It has no meaning in this formula.");
        }
        List<String> known = new ArrayList<>(scope.variables());
        known.addAll(scope.parameters());
        known.addAll(scope.constants().keySet());
        known.sort(BY_NUMBER);
        String all = known.isEmpty() ? "Only numbers can stand here." : "Known here: " + String.join(", ", known) + ".";
        throw bad(place, "'%s' is unknown".formatted(name), Closest.question(name, known) + all);
    }
}
