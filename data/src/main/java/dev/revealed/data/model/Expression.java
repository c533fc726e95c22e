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
import java.util.Set;
import java.util.TreeSet;
import java.util.function.DoubleBinaryOperator;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A formula of a model file: a function of variables and of parameters.
 *
 * <p>Whether it is linear in the parameters is settled when it is parsed, by its form alone: a product has at most one
 * factor with parameters, and nothing else but sums, differences and quotients by something without parameters holds any.
 *
 * @param linear whether it is; else {@link #dual} gives its derivatives
 * @param used the parameters that occur in it
 */
record Expression(String text, Expression.Node root, boolean linear, Set<Integer> used) {

    /**
     * What the names in a formula stand for.
     *
     * @param tied other names of parameters or constants, with what they stand for
     * @param elsewhere names that mean something in the model but not in this formula, with what they are
     */
    record Scope(
            List<String> variables,
            List<String> parameters,
            Map<String, Double> constants,
            Map<String, String> tied,
            Map<String, String> elsewhere) {
        Scope(
                List<String> variables,
                List<String> parameters,
                Map<String, Double> constants,
                Map<String, String> elsewhere) {
            this(variables, parameters, constants, Map.of(), elsewhere);
        }
    }

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

    /** The value at given parameters, with its derivatives by them. */
    double dual(double[] variables, double[] theta, double[] derivative) {
        return root.dual(variables, theta, derivative);
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

        /** The value at parameters theta; d holds its derivatives afterwards. */
        default double dual(double[] x, double[] theta, double[] d) {
            Arrays.fill(d, 0);
            return value(x);
        }

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
        public double dual(double[] x, double[] theta, double[] d) {
            Arrays.fill(d, 0);
            d[index] = 1;
            return theta[index];
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

        @Override
        public double dual(double[] x, double[] theta, double[] d) {
            double value = terms.getFirst().node.dual(x, theta, d);
            double[] own = new double[d.length];
            for (Link term : terms.subList(1, terms.size())) {
                double sign = term.sign == '-' ? -1 : 1;
                value += sign * term.node.dual(x, theta, own);
                combine(1, d, sign, own);
            }
            return value;
        }
    }

    /** into = a * into + b * d. */
    private static void combine(double a, double[] into, double b, double[] d) {
        for (int j = 0; j < into.length; j++) {
            into[j] = (a == 0 ? 0 : a * into[j]) + (d[j] == 0 ? 0 : b * d[j]);
        }
    }

    /** a * b / c ..., from the left. */
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

        @Override
        public double dual(double[] x, double[] theta, double[] d) {
            double value = factors.getFirst().node.dual(x, theta, d);
            double[] own = new double[d.length];
            for (Link link : factors.subList(1, factors.size())) {
                double factor = link.node.dual(x, theta, own);
                if (link.sign == '/') {
                    combine(1 / factor, d, -value / (factor * factor), own);
                    value /= factor;
                } else {
                    combine(factor, d, value, own);
                    value *= factor;
                }
            }
            return value;
        }
    }

    private record Power(Node base, Node exponent) implements Node {
        @Override
        public double value(double[] x) {
            return Math.pow(base.value(x), exponent.value(x));
        }

        @Override
        public boolean parametric() {
            return base.parametric() || exponent.parametric();
        }

        @Override
        public double dual(double[] x, double[] theta, double[] d) {
            double b = base.dual(x, theta, d);
            double[] own = new double[d.length];
            double e = exponent.dual(x, theta, own);
            double value = Math.pow(b, e);
            // 0^e stays 0 whatever e > 0 does
            combine(base.parametric() ? e * Math.pow(b, e - 1) : 0, d, b == 0 ? 0 : value * Math.log(b), own);
            return value;
        }
    }

    /** A function or comparison, applied from the left: f(f(a, b), c). */
    private record Application(String name, DoubleBinaryOperator function, List<Node> arguments) implements Node {
        @Override
        public boolean parametric() {
            return arguments.stream().anyMatch(Node::parametric);
        }

        @Override
        public double dual(double[] x, double[] theta, double[] d) {
            double value = arguments.getFirst().dual(x, theta, d);
            double[] own = new double[d.length];
            for (Node argument : arguments.subList(1, arguments.size())) { // min and max: whose turn it is
                double other = argument.dual(x, theta, own);
                boolean taken = function.applyAsDouble(value, other) != value;
                combine(taken ? 0 : 1, d, taken ? 1 : 0, own);
                value = taken ? other : value;
            }
            if (arguments.size() > 1) {
                return value;
            }
            double result = function.applyAsDouble(value, 0);
            double slope = switch (name) {
                case "exp" -> result;
                case "log" -> 1 / value;
                case "sqrt" -> 0.5 / result;
                default -> Math.signum(value); // abs
            };
            combine(slope, d, 0, own);
            return result;
        }

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
        private static final String SMOOTH =
                "Utilities are smooth in the parameters: conditions are on state variables and the action.";
        private static final int MOST_NESTED = 200;
        private static final int SHOWN = 60; // characters of a long formula on either side of a mistake

        private final String text;
        private final Scope scope;
        private final Set<Integer> used = new TreeSet<>();
        private int at;
        private int depth;
        private boolean linear = true;

        Parser(String text, Scope scope) {
            this.text = text;
            this.scope = scope;
        }

        Expression parse() {
            Node root = either();
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
            smooth(parts.stream().noneMatch(Node::parametric), place, "a parameter stands beside '" + word + "'");
            return new Application(word, function, parts);
        }

        private Node negated() {
            skipSpaces();
            int place = at;
            if (!takeWord("not")) {
                return comparison();
            }
            Node inner = nested(place, this::negated);
            smooth(!inner.parametric(), place, "a parameter stands behind 'not'");
            return new Application("not", (a, ignored) -> a == 0 ? 1 : 0, List.of(inner));
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
                    smooth(!left.parametric() && !right.parametric(), place, "a parameter is compared");
                    return new Application(sign, Objects.requireNonNull(COMPARISONS.get(sign)), List.of(left, right));
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
                if (text.startsWith("**", at)) {
                    throw unexpected();
                }
                if (take("*")) {
                    Node right = signed();
                    linear &= !parametric || !right.parametric();
                    parametric |= right.parametric();
                    factors.add(new Link('*', right));
                } else if (take("/")) {
                    Node right = signed();
                    linear &= !right.parametric();
                    parametric |= right.parametric();
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
            linear &= !base.parametric() && !exponent.parametric();
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
            linear &= arguments.stream().noneMatch(Node::parametric);
            return new Application(name, function, arguments);
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
            String same = scope.tied().getOrDefault(name, name);
            if (scope.parameters().contains(same)) {
                int index = scope.parameters().indexOf(same);
                used.add(index);
                return new Parameter(index);
            }
            Double constant = scope.constants().get(same);
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
