package dev.revealed.numeric;

/**
 * Generalised conjugate residuals for matrices whose rows all have the same sum, such as {@code I - gamma P}, and
 * right-hand sides that matter only up to a constant. Such a matrix maps constants to constants, so it acts on vectors
 * modulo constants, and there the eigenvalue {@code 1 - gamma} of the constant vector is simply absent.
 *
 * <p>Why this method: the residual never grows, so a solve cut short is still a usable step; the preconditioner may
 * change from step to step; and the last {@code depth} directions are kept because the policies on the way to a
 * solution have a few very slow modes which short recurrences (BiCGStab) find and lose again. Vectors are made when
 * first needed and kept for the next solve.
 */
public final class Krylov {
    private final int n;
    private final double[] residual;
    private final double[][] direction;
    private final double[][] image;
    private final double[] square;
    private final double[] constant; // what each image has lost modulo constants

    /** @param depth directions kept; the memory in the worst case is {@code 2 * depth + 1} vectors */
    public Krylov(int n, int depth) {
        this.n = n;
        residual = new double[n];
        direction = new double[depth][];
        image = new double[depth][];
        square = new double[depth];
        constant = new double[depth];
    }

    /** How a solve ended. A breakdown means that numbers were not finite or that no progress is possible. */
    public enum Status {
        CONVERGED,
        LIMIT,
        BREAKDOWN
    }

    /**
     * @param products products with the matrix
     * @param span span of what remains of the right-hand side
     * @param mean mean of what remains of it: the constant that was left out of account
     */
    public record Result(Status status, int products, double span, double mean) {}

    /**
     * Overwrites {@code x} with a solution of {@code A x = b} modulo constants such that the span of the residual is at
     * most {@code target}, or with the best one found within {@code maxProducts} products.
     */
    public Result solve(LinearMap a, Preconditioner inverse, double[] b, double[] x, double target, int maxProducts) {
        return solve(a, inverse, b, x, target, maxProducts, maxProducts);
    }

    /** The same, but given up after {@code patience} products where the rate so far promises no end within the limit. */
    public Result solve(
            LinearMap a, Preconditioner inverse, double[] b, double[] x, double target, int maxProducts, int patience) {
        double mean = mean(b);
        Parallel.range(n, (from, to) -> {
            for (int i = from; i < to; i++) {
                residual[i] = b[i] - mean;
                x[i] = 0;
            }
        });
        double span = Vec.span(residual);
        double whole = span;
        double left = mean;
        for (int products = 0; ; products++) {
            if (!Double.isFinite(span)) {
                return new Result(Status.BREAKDOWN, products, span, left);
            } else if (span <= target) {
                return new Result(Status.CONVERGED, products, span, left);
            } else if (products >= maxProducts
                    || (products == patience
                            && products * Math.log(target / whole) < maxProducts * Math.log(span / whole))) {
                return new Result(Status.LIMIT, products, span, left);
            }
            int slot = products % direction.length;
            if (direction[slot] == null) {
                direction[slot] = new double[n];
                image[slot] = new double[n];
            }
            inverse.apply(residual, direction[slot]);
            a.multiply(direction[slot], image[slot]);
            double length = step(slot, Math.min(products, direction.length));
            if (!Double.isFinite(length) || length == 0) {
                return new Result(Status.BREAKDOWN, products + 1, span, left);
            }
            left -= length * constant[slot];
            double[] d = direction[slot];
            double[] v = image[slot];
            Parallel.range(n, (from, to) -> {
                for (int i = from; i < to; i++) {
                    x[i] += length * d[i];
                    residual[i] -= length * v[i];
                }
            });
            span = Vec.span(residual);
        }
    }

    /** Makes a new direction conjugate to those held and returns how far to go along it. */
    private double step(int slot, int held) {
        double[] d = direction[slot];
        double[] v = image[slot];
        double mean = mean(v);
        double[] overlap = Parallel.sums(n, held, (from, to, sum) -> {
            for (int i = from; i < to; i++) {
                v[i] -= mean;
            }
            for (int j = 0; j < held; j++) {
                double[] w = image[j];
                double dot = 0;
                for (int i = from; i < to && j != slot; i++) {
                    dot += v[i] * w[i];
                }
                sum[j] = dot;
            }
        });
        double[] dots = Parallel.sums(n, 2, (from, to, sum) -> {
            for (int j = 0; j < held; j++) {
                double factor = overlap[j] / square[j];
                double[] w = image[j];
                double[] e = direction[j];
                for (int i = from; i < to && j != slot; i++) {
                    v[i] -= factor * w[i];
                    d[i] -= factor * e[i];
                }
            }
            double own = 0;
            double dot = 0;
            for (int i = from; i < to; i++) {
                own += v[i] * v[i];
                dot += v[i] * residual[i];
            }
            sum[0] = own;
            sum[1] = dot;
        });
        square[slot] = dots[0];
        constant[slot] = mean;
        for (int j = 0; j < held; j++) {
            constant[slot] -= j == slot ? 0 : overlap[j] / square[j] * constant[j];
        }
        return dots[1] / dots[0];
    }

    private double mean(double[] x) {
        return Parallel.sums(n, 1, (from, to, sum) -> {
                    double own = 0;
                    for (int i = from; i < to; i++) {
                        own += x[i];
                    }
                    sum[0] = own;
                })[0]
                / n;
    }
}
