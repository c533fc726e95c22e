package dev.revealed.estimate.choice.inference;

import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.Closest;
import dev.revealed.numeric.Dense;
import dev.revealed.numeric.Vec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Linear restrictions R theta = r on named parameters, none of which follows from the others or contradicts them.
 *
 * @param text as the user wrote it
 * @param names of all parameters theta
 * @param matrix R, one row per restriction
 * @param value r
 */
public record Hypothesis(String text, List<String> names, double[][] matrix, double[] value) {
    /** What elimination leaves of a coefficient of size one when nothing of it should be left. */
    private static final double ROUNDING = 1e-10;

    /** The most names a message lists. */
    private static final int LISTED = 12;

    public Hypothesis {
        names = List.copyOf(names);
    }

    /**
     * Reads restrictions such as {@code theta12=0}, {@code theta11=theta12} or {@code RC - 2*theta11 = 3}, several of them
     * separated by commas.
     *
     * @param names of all parameters, in their order
     */
    public static Hypothesis parse(String text, List<String> names) {
        List<Restriction> restrictions = new Parser(text, names).restrictions();
        double[][] matrix = new double[restrictions.size()][];
        double[] value = new double[matrix.length];
        for (int i = 0; i < matrix.length; i++) {
            matrix[i] = restrictions.get(i).difference.coefficients;
            value[i] = -restrictions.get(i).difference.constant;
        }
        Hypothesis hypothesis = new Hypothesis(text.strip(), names, matrix, value);
        hypothesis.eliminate(restrictions.stream().map(Restriction::text).toList());
        return hypothesis;
    }

    public int restrictions() {
        return value.length;
    }

    /** R theta - r. */
    public double[] gap(double[] theta) {
        return Vec.plus(Dense.multiply(matrix, theta), -1, value);
    }

    /** The same hypothesis about the first few parameters only; the others must not occur in it. */
    public Hypothesis onFirst(int parameters) {
        beyond(parameters).ifPresent(j -> {
            throw new BadInput(
                    "the hypothesis '%s' restricts '%s', a parameter of the transition law"
                            .formatted(text, names.get(j)),
                    "A likelihood-ratio test takes restrictions on the utility only; use a Wald test here.");
        });
        return new Hypothesis(
                text,
                names.subList(0, parameters),
                Arrays.stream(matrix).map(row -> Arrays.copyOf(row, parameters)).toArray(double[][]::new),
                value);
    }

    /** That some parameters are what they are in a vector of all. */
    static Hypothesis holding(List<Integer> held, double[] values, List<String> names) {
        double[][] matrix = new double[held.size()][names.size()];
        double[] value = new double[held.size()];
        for (int i = 0; i < value.length; i++) {
            matrix[i][held.get(i)] = 1;
            value[i] = values[held.get(i)];
        }
        return new Hypothesis("held", names, matrix, value);
    }

    /** A parameter after the first few that occurs in it. */
    OptionalInt beyond(int parameters) {
        return IntStream.range(parameters, names.size())
                .filter(j -> Arrays.stream(matrix).anyMatch(row -> row[j] != 0))
                .findFirst();
    }

    /** The parameters that satisfy the hypothesis, written through those it leaves free. */
    Solved solved() {
        return eliminate(List.of());
    }

    /**
     * theta = base + N gamma, where gamma are some of the parameters themselves.
     *
     * @param free numbers of the parameters gamma
     * @param basis N, {@code [parameter][free]}
     */
    record Solved(int[] free, double[] base, double[][] basis) {
        double[] theta(double[] gamma) {
            return Vec.plus(base, 1, Dense.multiply(basis, gamma));
        }
    }

    /** Gauss-Jordan elimination; of equal coefficients the later parameter is the one expressed by the others. */
    private Solved eliminate(List<String> texts) {
        int p = names.size();
        double[][] rows = new double[restrictions()][];
        int[] pivots = new int[rows.length];
        for (int i = 0; i < rows.length; i++) {
            rows[i] = Arrays.copyOf(matrix[i], p + 1);
            rows[i][p] = value[i];
            double scale = Vec.maxAbs(matrix[i]);
            double left = scale + Math.abs(value[i]);
            for (int k = 0; k < i; k++) {
                left += Math.abs(rows[i][pivots[k]] * rows[k][p]);
                Vec.axpy(-rows[i][pivots[k]], rows[k], rows[i]);
                rows[i][pivots[k]] = 0;
            }
            int pivot = 0;
            for (int j = 1; j < p; j++) {
                pivot = Math.abs(rows[i][j]) >= (1 - ROUNDING) * Math.abs(rows[i][pivot]) ? j : pivot;
            }
            if (!(Math.abs(rows[i][pivot]) > ROUNDING * scale)) {
                refuse(texts.isEmpty() ? text : texts.get(i), scale == 0, Math.abs(rows[i][p]) <= ROUNDING * left);
            }
            double inverse = 1 / rows[i][pivot];
            for (int j = 0; j <= p; j++) {
                rows[i][j] *= inverse;
            }
            for (int k = 0; k < i; k++) {
                Vec.axpy(-rows[k][pivot], rows[i], rows[k]);
                rows[k][pivot] = 0;
            }
            pivots[i] = pivot;
        }
        return solved(rows, pivots);
    }

    private void refuse(String restriction, boolean empty, boolean holds) {
        String all = "the hypothesis '%s'".formatted(text);
        if (empty) {
            throw new BadInput(
                    "'%s' says nothing of any parameter".formatted(restriction),
                    "Write restrictions such as theta12=0 or theta11=theta12.");
        }
        throw holds
                ? new BadInput(
                        "'%s' in %s follows from the restrictions before it".formatted(restriction, all),
                        "Leave it out: a restriction counts once.")
                : new BadInput(
                        "'%s' in %s contradicts the restrictions before it".formatted(restriction, all),
                        "No parameters satisfy them all; correct one of them.");
    }

    private Solved solved(double[][] rows, int[] pivots) {
        int p = names.size();
        int[] pivotRow = new int[p];
        Arrays.fill(pivotRow, -1);
        for (int i = 0; i < pivots.length; i++) {
            pivotRow[pivots[i]] = i;
        }
        int[] free = IntStream.range(0, p).filter(j -> pivotRow[j] < 0).toArray();
        double[] base = new double[p];
        double[][] basis = new double[p][free.length];
        for (int j = 0; j < p; j++) {
            if (pivotRow[j] >= 0) {
                base[j] = rows[pivotRow[j]][p];
            }
            for (int k = 0; k < free.length; k++) {
                double own = free[k] == j ? 1 : 0;
                basis[j][k] = pivotRow[j] < 0 ? own : 0.0 - rows[pivotRow[j]][free[k]];
            }
        }
        return new Solved(free, base, basis);
    }

    /** An expression that is linear in the parameters. */
    private record Linear(double[] coefficients, double constant) {
        Linear plus(double scale, Linear other) {
            return new Linear(Vec.plus(coefficients, scale, other.coefficients), constant + scale * other.constant);
        }

        Linear times(double scale) {
            return new Linear(new double[coefficients.length], 0).plus(scale, this);
        }

        boolean isNumber() {
            return Vec.maxAbs(coefficients) == 0;
        }
    }

    /** That a difference is zero. */
    private record Restriction(String text, Linear difference) {}

    /** Recursive descent; parameter names may hold any characters, so they are looked for first. */
    private static final class Parser {
        private static final int MOST_NESTED = 200;
        private static final Pattern WORD = Pattern.compile("[\\p{L}\\p{Nd}_.]+");
        private static final Pattern NUMBER = Pattern.compile("[\\p{Nd}.]+([eE][+-]?\\p{Nd}+)?");

        private final String text;
        private final List<String> names;
        private final List<String> longestFirst;
        private int at;
        private int depth;

        Parser(String text, List<String> names) {
            this.text = text;
            this.names = names;
            longestFirst = names.stream()
                    .sorted(Comparator.comparingInt(String::length).reversed())
                    .toList();
        }

        List<Restriction> restrictions() {
            List<Restriction> found = new ArrayList<>();
            do {
                int from = at;
                Linear left = sum();
                if (!take('=')) {
                    throw bad(at < text.length() ? "there is no '=' before '" + rest() + "'" : "there is no '='");
                }
                do { // a = b = c says two things
                    Linear right = sum();
                    found.add(new Restriction(text.substring(from, at).strip(), left.plus(-1, right)));
                    left = right;
                } while (take('='));
            } while (take(','));
            if (at < text.length()) {
                throw bad("'%s' is not understood".formatted(rest()));
            }
            return found;
        }

        private Linear sum() {
            Linear sum = product();
            for (int sign = sign(); sign != 0; sign = sign()) {
                sum = sum.plus(sign, product());
            }
            return sum;
        }

        private int sign() {
            return take('+') ? 1 : take('-') ? -1 : 0;
        }

        private Linear product() {
            Linear product = factor();
            while (true) {
                if (take('*')) {
                    Linear other = factor();
                    if (!product.isNumber() && !other.isNumber()) {
                        throw bad("parameters are multiplied");
                    }
                    product = product.isNumber() ? other.times(product.constant) : product.times(other.constant);
                } else if (take('/')) {
                    Linear other = factor();
                    if (!other.isNumber() || other.constant == 0) {
                        throw bad(other.isNumber() ? "something is divided by zero" : "a parameter divides");
                    }
                    product = product.times(1 / other.constant);
                } else {
                    return product;
                }
            }
        }

        private Linear factor() {
            int sign = 1;
            for (int next = sign(); next != 0; next = sign()) {
                sign *= next;
            }
            return sign < 0 ? unsigned().times(-1) : unsigned();
        }

        private Linear unsigned() {
            String found = name();
            if (found != null) {
                double[] coefficients = new double[names.size()];
                coefficients[names.indexOf(found)] = 1;
                return new Linear(coefficients, 0);
            }
            if (take('(')) {
                if (++depth > MOST_NESTED) {
                    throw bad("brackets are nested more than %d deep".formatted(MOST_NESTED));
                }
                Linear inner = sum();
                depth--;
                if (!take(')')) {
                    throw bad("a bracket is not closed");
                }
                return inner;
            }
            return new Linear(new double[names.size()], number());
        }

        private @Nullable String name() {
            skipSpace();
            for (String name : longestFirst) {
                int end = at + name.length();
                boolean whole =
                        end >= text.length() || !isWord(text.charAt(end)) || !isWord(name.charAt(name.length() - 1));
                if (text.startsWith(name, at) && whole) {
                    at = end;
                    return name;
                }
            }
            Matcher word = WORD.matcher(text).region(at, text.length());
            if (word.lookingAt() && Character.isLetter(text.charAt(at))) {
                String unknown = word.group();
                throw new BadInput(
                        "there is no parameter '%s', as in the hypothesis '%s'".formatted(unknown, text.strip()),
                        Closest.question(unknown, names)
                                + "The parameters are %s%s."
                                        .formatted(
                                                String.join(", ", names.subList(0, Math.min(LISTED, names.size()))),
                                                names.size() > LISTED ? " and others" : ""));
            }
            return null;
        }

        private double number() {
            Matcher number = NUMBER.matcher(text).region(at, text.length());
            int end = number.lookingAt() ? number.end() : at;
            try {
                double value = Double.parseDouble(text.substring(at, end));
                at = end;
                return value;
            } catch (NumberFormatException e) {
                throw bad(
                        at < text.length()
                                ? "'%s' is not understood".formatted(rest())
                                : "a number or a parameter is missing at the end");
            }
        }

        private boolean take(char wanted) {
            skipSpace();
            if (at < text.length() && text.charAt(at) == wanted) {
                at++;
                skipSpace();
                return true;
            }
            return false;
        }

        private void skipSpace() {
            while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
                at++;
            }
        }

        private String rest() {
            return text.substring(at).strip();
        }

        private BadInput bad(String what) {
            return new BadInput(
                    "the hypothesis '%s' cannot be read: %s".formatted(text.strip(), what),
                    "Write linear restrictions such as theta12=0 or RC - 2*theta11 = 3, separated by commas.");
        }

        private static boolean isWord(char c) {
            return Character.isLetterOrDigit(c) || c == '_' || c == '.';
        }
    }
}
