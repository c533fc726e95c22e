package dev.revealed.data.model;

import dev.revealed.data.Grid;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.Closest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.DoubleBinaryOperator;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A formula of a model file: a function of variables that is linear in parameters.
 *
 * <p>Linearity is settled when the formula is parsed, by its form alone: a product has at most one factor with
 * parameters, and nothing else but sums, differences and quotients by something without parameters may hold any.
 */
record Expression(String text, Expression.Node root) {

    /**
     * What the names in a formula stand for.
     *
     * @param elsewhere names that mean something in the model but not in this formula, with what they are
     */
    record Scope(
            List<String> variables,
            List<String> parameters,
            Map<String, Double> constants,
            Map<String, String> elsewhere) {}

    static Expression parse(String text, Scope scope) {
        return new Parser(text.replaceAll("\\s", " "), scope).parse();
    }

    /** The value where there are no parameters. */
    double value(double[] variables) {
        return root.value(variables);
    }

    /** into[0] = the part without parameters, into[1 + j] = the coefficient of parameter j. */
    void affine(double[] variables, double[] into) {
        Arrays.fill(into, 0);
        spread(root, 1, variables, into);
    }

    private static void spread(Node node, double factor, double[] x, double[] into) {
        if (!node.parametric()) {
            into[0] += factor * node.value(x);
            return;
        }
        switch (node) {
            case Parameter(int index) -> into[1 + index] += factor;
            case Sum sum -> {
                int first = firstParametric(sum.terms);
                if (first > 0) {
                    into[0] += factor * sum.value(first, x);
                }
                for (Link term : sum.terms.subList(first, sum.terms.size())) {
                    spread(term.node, term.sign == '-' ? -factor : factor, x, into);
                }
            }
            case Product product -> {
                int only = firstParametric(product.factors);
                double all = factor;
                for (int i = product.factors.size() - 1; i > only; i--) {
                    double value = product.factors.get(i).node.value(x);
                    all = product.factors.get(i).sign == '/' ? all / value : all * value;
                }
                spread(product.factors.get(only).node, only > 0 ? all * product.value(only, x) : all, x, into);
            }
            default -> throw new AssertionError(node);
        }
    }

    private static int firstParametric(List<Link> links) {
        int first = 0;
        while (!links.get(first).node.parametric()) {
            first++;
        }
        return first;
    }

    @Override
    public String toString() {
        return text;
    }

    sealed interface Node {
        double value(double[] x);

        default boolean parametric() {
            return false;
        }
    }

    private record Constant(double number) implements Node {
        @Override
        public double value(double[] x) {
            return number;
        }
    }

    private record Variable(int index) implements Node {
        @Override
        public double value(double[] x) {
            return x[index];
        }
    }

    private record Parameter(int index) implements Node {
        @Override
        public double value(double[] x) {
            throw new IllegalStateException("a parameter has no value");
        }

        @Override
        public boolean parametric() {
            return true;
        }
    }

    /** A part of a sum or product, and the sign before it. */
    private record Link(char sign, Node node) {}

    private static boolean anyParametric(List<Link> links) {
        return links.stream().anyMatch(link -> link.node.parametric());
    }

    /** a + b - c ..., added from the left; flat, so that its length does not matter. */
    private record Sum(List<Link> terms, boolean parametric) implements Node {
        Sum(List<Link> terms) {
            this(terms, anyParametric(terms));
        }

        @Override
        public double value(double[] x) {
            return value(terms.size(), x);
        }

        private double value(int count, double[] x) {
            double value = terms.getFirst().node.value(x);
            for (int i = 1; i < count; i++) {
                double term = terms.get(i).node.value(x);
                value = terms.get(i).sign == '-' ? value - term : value + term;
            }
            return value;
        }
    }

    /** a * b / c ..., from the left; at most one factor has parameters, and it is no divisor. */
    private record Product(List<Link> factors, boolean parametric) implements Node {
        Product(List<Link> factors) {
            this(factors, anyParametric(factors));
        }

        @Override
        public double value(double[] x) {
            return value(factors.size(), x);
        }

        private double value(int count, double[] x) {
            double value = factors.getFirst().node.value(x);
            for (int i = 1; i < count; i++) {
                double factor = factors.get(i).node.value(x);
                value = factors.get(i).sign == '/' ? value / factor : value * factor;
            }
            return value;
        }
    }

    private record Power(Node base, Node exponent) implements Node {
        @Override
        public double value(double[] x) {
            return Math.pow(base.value(x), exponent.value(x));
        }
    }

    /** A function or comparison, applied from the left: f(f(a, b), c). */
    private record Application(DoubleBinaryOperator function, List<Node> arguments) implements Node {
        @Override
        public double value(double[] x) {
            double value = arguments.getFirst().value(x);
            for (int i = 1; i < arguments.size(); i++) {
                value = function.applyAsDouble(value, arguments.get(i).value(x));
            }
            return arguments.size() == 1 ? function.applyAsDouble(value, 0) : value;
        }
    }

    private static final Map<String, DoubleBinaryOperator> FUNCTIONS = Map.of(
            "exp", (a, ignored) -> Math.exp(a),
            "log", (a, ignored) -> Math.log(a),
            "sqrt", (a, ignored) -> Math.sqrt(a),
            "abs", (a, ignored) -> Math.abs(a),
            "min", Math::min,
            "max", Math::max);

    /** Comparisons forgive rounding, so that 3 * 0.1 == 0.3. */
    private static final Map<String, DoubleBinaryOperator> COMPARISONS = Map.of(
            "==", (a, b) -> Grid.same(a, b) ? 1 : 0,
            "!=", (a, b) -> Grid.same(a, b) ? 0 : 1,
            ">=", (a, b) -> a > b || Grid.same(a, b) ? 1 : 0,
            "<=", (a, b) -> a < b || Grid.same(a, b) ? 1 : 0,
            ">", (a, b) -> a > b && !Grid.same(a, b) ? 1 : 0,
            "<", (a, b) -> a < b && !Grid.same(a, b) ? 1 : 0);

    private static final List<String> WORDS = List.of("and", "or", "not");

    /** Names a model must not use for its own things. */
    static boolean reserved(String name) {
        return FUNCTIONS.containsKey(name) || WORDS.contains(name);
    }

    private static final class Parser {
        private static final String LINEAR =
                "Utilities are linear in the parameters: each stands in a sum of terms, times"
                        + " something that has no parameter in it.";
        private static final int MOST_NESTED = 200;
        private static final int SHOWN = 60; // characters of a long formula on either side of a mistake

        private final String text;
        private final Scope scope;
        private int at;
        private int depth;

        Parser(String text, Scope scope) {
            this.text = text;
            this.scope = scope;
        }

        Expression parse() {
            Node root = either();
            if (at < text.length()) {
                throw unexpected();
            }
            return new Expression(text, root);
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

        private void linear(boolean holds, int place, String problem) {
            if (!holds) {
                throw bad(place, problem, LINEAR);
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
        private Node either() {
            return joined("or", this::both, (a, b) -> a != 0 || b != 0 ? 1 : 0);
        }

        private Node both() {
            return joined("and", this::negated, (a, b) -> a != 0 && b != 0 ? 1 : 0);
        }

        private Node joined(String word, Supplier<Node> part, DoubleBinaryOperator function) {
            Node first = part.get();
            List<Node> parts = new ArrayList<>(List.of(first));
            skipSpaces();
            int place = at;
            while (takeWord(word)) {
                parts.add(part.get());
            }
            if (parts.size() == 1) {
                return first;
            }
            linear(parts.stream().noneMatch(Node::parametric), place, "a parameter stands beside '" + word + "'");
            return new Application(function, parts);
        }

        private Node negated() {
            skipSpaces();
            int place = at;
            if (!takeWord("not")) {
                return comparison();
            }
            Node inner = nested(place, this::negated);
            linear(!inner.parametric(), place, "a parameter stands behind 'not'");
            return new Application((a, ignored) -> a == 0 ? 1 : 0, List.of(inner));
        }

        private boolean takeWord(String wanted) {
            skipSpaces();
            if (!word().equals(wanted)) {
                return false;
            }
            at += wanted.length();
            return true;
        }

        private Node comparison() {
            Node left = sum();
            for (String sign : List.of("==", "!=", ">=", "<=", ">", "<")) { // the longer signs first
                if (take(sign)) {
                    int place = at - sign.length();
                    Node right = sum();
                    linear(!left.parametric() && !right.parametric(), place, "a parameter is compared");
                    return new Application(Objects.requireNonNull(COMPARISONS.get(sign)), List.of(left, right));
                }
            }
            return left;
        }

        private Node sum() {
            Node first = term();
            List<Link> terms = new ArrayList<>(List.of(new Link('+', first)));
            for (char sign = sign(); sign != ' '; sign = sign()) {
                terms.add(new Link(sign, term()));
            }
            return terms.size() == 1 ? first : new Sum(terms);
        }

        private char sign() {
            return take("+") ? '+' : take("-") ? '-' : ' ';
        }

        private Node term() {
            Node first = signed();
            boolean parametric = first.parametric();
            List<Link> factors = new ArrayList<>(List.of(new Link('*', first)));
            while (true) {
                skipSpaces();
                int place = at;
                if (text.startsWith("**", at)) {
                    throw unexpected();
                }
                if (take("*")) {
                    Node right = signed();
                    linear(!parametric || !right.parametric(), place, "parameters are multiplied with each other");
                    parametric |= right.parametric();
                    factors.add(new Link('*', right));
                } else if (take("/")) {
                    Node right = signed();
                    linear(!right.parametric(), place, "something is divided by a parameter");
                    factors.add(new Link('/', right));
                } else {
                    return factors.size() == 1 ? first : new Product(factors);
                }
            }
        }

        private Node signed() {
            boolean negative = false;
            for (char sign = sign(); sign != ' '; sign = sign()) {
                negative ^= sign == '-';
            }
            Node node = power();
            return negative ? new Sum(List.of(new Link('+', new Constant(0)), new Link('-', node))) : node;
        }

        private Node power() {
            Node base = atom();
            skipSpaces();
            int place = at;
            if (!take("^")) {
                return base;
            }
            Node exponent = nested(place, this::signed);
            linear(!base.parametric() && !exponent.parametric(), place, "a parameter stands in a power");
            return new Power(base, exponent);
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

        private Node atom() {
            skipSpaces();
            if (at == text.length()) {
                throw unexpected();
            }
            char c = text.charAt(at);
            if (c == '(') {
                int place = at++;
                Node inner = nested(place, this::either);
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

        private Node number() {
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
                    return new Constant(value);
                }
            } catch (NumberFormatException e) {
                // told below, in our words
            }
            throw bad(begin, "'%s' is not a number".formatted(text.substring(begin, at)), "Write 12, 0.5 or 1e-3.");
        }

        private static final Pattern EXPONENT = Pattern.compile("[eE][+-]?[0-9]+");

        private Node call(String name, int place) {
            DoubleBinaryOperator function = FUNCTIONS.get(name);
            if (function == null) {
                throw bad(
                        place,
                        "there is no function '%s'".formatted(name),
                        Closest.question(name, FUNCTIONS.keySet())
                                + "The functions are abs, exp, log, max, min, sqrt; a product needs its *.");
            }
            List<Node> arguments = nested(place, this::arguments);
            close();
            boolean several = name.equals("min") || name.equals("max");
            if (several == (arguments.size() == 1)) {
                throw bad(
                        place,
                        "%s has %d arguments".formatted(name, arguments.size()),
                        several ? "It takes two or more." : "It takes one.");
            }
            boolean free = arguments.stream().noneMatch(Node::parametric);
            linear(free, place, "a parameter stands in %s(...)".formatted(name));
            return new Application(function, arguments);
        }

        private List<Node> arguments() {
            List<Node> arguments = new ArrayList<>();
            do {
                arguments.add(either());
            } while (take(","));
            return arguments;
        }

        private Node named(String name, int place) {
            if (scope.variables().contains(name)) {
                return new Variable(scope.variables().indexOf(name));
            }
            if (scope.parameters().contains(name)) {
                return new Parameter(scope.parameters().indexOf(name));
            }
            Double constant = scope.constants().get(name);
            if (constant != null) {
                return new Constant(constant);
            }
            String other = scope.elsewhere().get(name);
            if (other != null) {
                throw bad(place, "'%s' is %s".formatted(name, other), "It has no meaning in this formula.");
            }
            List<String> known = new ArrayList<>(scope.variables());
            known.addAll(scope.parameters());
            known.addAll(scope.constants().keySet());
            Collections.sort(known);
            String all =
                    known.isEmpty() ? "Only numbers can stand here." : "Known here: " + String.join(", ", known) + ".";
            throw bad(place, "'%s' is unknown".formatted(name), Closest.question(name, known) + all);
        }
    }
}
