package dev.revealed.data.model;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.DoubleBinaryOperator;

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
        return new FormulaParser(text.replaceAll("\\s", " "), scope).parse();
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

    record Constant(double number) implements Node {
        @Override
        public double value(double[] x) {
            return number;
        }
    }

    record Variable(int index) implements Node {
        @Override
        public double value(double[] x) {
            return x[index];
        }
    }

    record Parameter(int index) implements Node {
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
    record Link(char sign, Node node) {}

    private static boolean anyParametric(List<Link> links) {
        return links.stream().anyMatch(link -> link.node.parametric());
    }

    /** a + b - c ..., added from the left; flat, so that its length does not matter. */
    record Sum(List<Link> terms, boolean parametric) implements Node {
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
    record Product(List<Link> factors, boolean parametric) implements Node {
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

    record Power(Node base, Node exponent) implements Node {
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
    record Application(String name, DoubleBinaryOperator function, List<Node> arguments) implements Node {
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

    static final Map<String, DoubleBinaryOperator> FUNCTIONS = Map.of(
            "exp", (a, ignored) -> Math.exp(a),
            "log", (a, ignored) -> Math.log(a),
            "sqrt", (a, ignored) -> Math.sqrt(a),
            "abs", (a, ignored) -> Math.abs(a),
            "min", Math::min,
            "max", Math::max);

    private static final List<String> WORDS = List.of("and", "or", "not");

    /** Names a model must not use for its own things. */
    static boolean reserved(String name) {
        return FUNCTIONS.containsKey(name) || WORDS.contains(name);
    }
}
