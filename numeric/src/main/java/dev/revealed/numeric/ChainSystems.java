package dev.revealed.numeric;

import java.util.Optional;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Systems with I - gamma P of a Markov chain, up to constants, by conjugate residuals around Gauss-Seidel or multigrid.
 * Gauss-Seidel needs no preparation and is the better where states are numbered along the way the chain goes; the more
 * often it has failed in a row, the longer it is done without.
 */
public final class ChainSystems {
    /** A residual of so many times the floor is good enough where it will not shrink. */
    public static final double ROUGH = 100;

    private static final int PRODUCT_LIMIT = 40;
    private static final int DEPTH = 30;

    /** Below this many states multigrid is a direct solve. */
    private static final int DIRECT = 64;

    /** Gauss-Seidel may need so many products, and is given up after the first few where they promise more. */
    private static final int SEIDEL_LIMIT = 30;

    private static final int SEIDEL_PATIENCE = 8;
    private static final int LONGEST_PAUSE = 5;

    /** A chain that is known by its products only has nothing but these. */
    private static final int BARE_LIMIT = 200;

    /** Elimination costs states^3; up to here it is faster than the sweeps it stands in for. */
    private static final int ELIMINATION_LIMIT = 1000;

    private final int size;
    private final LongConsumer passes;
    private final ThreadLocal<Krylov> krylov;
    private int seidelFailures;
    private int seidelPause;

    /** @param passes told how many passes over the chain were made */
    public ChainSystems(int size, LongConsumer passes) {
        this.size = size;
        this.passes = passes;
        krylov = ThreadLocal.withInitial(() -> new Krylov(size, DEPTH));
    }

    /**
     * Systems with one matrix.
     *
     * @param transposed whether it is that of occupancies, whose errors sum to zero
     */
    public Solver of(Csr matrix, boolean transposed) {
        return new Solver(matrix, matrix, transposed);
    }

    /** The same for a chain that is known by its products only: nothing makes conjugate residuals faster there. */
    public Solver ofProducts(LinearMap products, boolean transposed) {
        return new Solver(products, null, transposed);
    }

    /**
     * Systems with one matrix.
     */
    public final class Solver {
        private final LinearMap products;
        private final @Nullable Csr matrix;
        private final boolean transposed;
        private @Nullable GaussSeidel sweep;
        private @Nullable Multigrid multigrid;

        private Solver(LinearMap products, @Nullable Csr matrix, boolean transposed) {
            this.products = products;
            this.matrix = matrix;
            this.transposed = transposed;
        }

        /**
         * x = A^-1 b to a residual of span {@code target}; returns how far it came. Of what is below {@code floor} only
         * rounding speaks, and that Gauss-Seidel fails there says nothing of it.
         */
        public Krylov.Result solve(double[] b, double[] x, double target, double floor) {
            Csr entries = matrix;
            if (entries == null) {
                return bare(b, x, target);
            }
            if (seidel()) {
                Krylov.Result result = quick(entries, b, x, target);
                count(result, 1);
                if (result.status() == Krylov.Status.CONVERGED) {
                    seidelFailures = 0;
                    return result;
                } else if (result.span() <= ROUGH * floor) {
                    return result;
                }
                failed();
            }
            return slow(entries, b, x, target, floor);
        }

        private Krylov.Result bare(double[] b, double[] x, double target) {
            Krylov.Result result =
                    krylov.get().solve(products, balanced(Preconditioner.NONE), b, x, target, BARE_LIMIT);
            count(result, 0);
            return result;
        }

        private Krylov.Result slow(Csr matrix, double[] b, double[] x, double target, double floor) {
            Multigrid cycle = multigrid == null ? new Multigrid(matrix) : multigrid;
            double before = multigrid == null ? 0 : cycle.passes();
            multigrid = cycle;
            Krylov.Result result = krylov.get().solve(matrix, balanced(cycle), b, x, target, PRODUCT_LIMIT);
            count(result, 0);
            passes.accept((long) Math.ceil(cycle.passes() - before));
            return result.span() > target && result.span() > ROUGH * floor && eliminate(matrix, b, x)
                    ? new Krylov.Result(Krylov.Status.CONVERGED, 0, 0, 0)
                    : result;
        }

        /** x = A^-1 b by elimination, for chains of nearly separate traps; false where the matrix is too large for it. */
        private boolean eliminate(Csr matrix, double[] b, double[] x) {
            if (size > ELIMINATION_LIMIT) {
                return false;
            }
            double[][] dense = new double[size][size];
            for (int i = 0; i < size; i++) {
                for (int k = matrix.start()[i]; k < matrix.start()[i + 1]; k++) {
                    dense[i][matrix.column()[k]] += matrix.value()[k];
                }
            }
            passes.accept(size / 3); // what elimination costs in passes, to the order of magnitude
            Optional<double[]> solution = Dense.solve(dense, b);
            solution.ifPresent(found -> System.arraycopy(found, 0, x, 0, size));
            return solution.isPresent();
        }

        /** Several systems at once, one to a thread; each is what it would be by itself. */
        public Krylov.Result[] solve(double[][] b, double[][] x, double[] target) {
            Krylov.Result[] results = new Krylov.Result[b.length];
            Csr entries = matrix;
            if (entries == null) {
                for (int c = 0; c < b.length; c++) {
                    results[c] = bare(b[c], x[c], target[c]);
                }
                return results;
            }
            boolean all = seidel();
            if (all) {
                prepare(entries);
                Parallel.tasks(b.length, c -> results[c] = quick(entries, b[c], x[c], target[c]));
                for (Krylov.Result result : results) {
                    count(result, 1);
                    all &= result.status() == Krylov.Status.CONVERGED;
                }
                if (!all) {
                    failed();
                }
            }
            for (int c = 0; c < b.length && !all; c++) {
                if (results[c] == null || results[c].status() != Krylov.Status.CONVERGED) {
                    results[c] = slow(entries, b[c], x[c], target[c], 0);
                }
            }
            return results;
        }

        private boolean seidel() {
            if (seidelPause > 0) {
                seidelPause--;
                return false;
            }
            return size > DIRECT;
        }

        private void failed() {
            seidelPause = 1 << Math.min(++seidelFailures, LONGEST_PAUSE);
        }

        private Krylov.Result quick(Csr matrix, double[] b, double[] x, double target) {
            return krylov.get().solve(matrix, balanced(prepare(matrix)), b, x, target, SEIDEL_LIMIT, SEIDEL_PATIENCE);
        }

        private GaussSeidel prepare(Csr matrix) {
            GaussSeidel made = sweep;
            if (made == null) {
                passes.accept(1);
                made = new GaussSeidel(matrix);
                sweep = made;
            }
            return made;
        }

        /** Errors of occupancies sum to zero, and so must what is to mend them. */
        private Preconditioner balanced(Preconditioner inverse) {
            return !transposed
                    ? inverse
                    : (x, y) -> {
                        inverse.apply(x, y);
                        shift(y, y, -sum(y) / size);
                    };
        }

        private void count(Krylov.Result result, int passesPerApplication) {
            passes.accept((1L + passesPerApplication) * result.products());
        }
    }

    /** The sum, the same on any number of threads. */
    public static double sum(double[] x) {
        return Parallel.sums(x.length, 1, (from, to, sum) -> {
            double own = 0;
            for (int i = from; i < to; i++) {
                own += x[i];
            }
            sum[0] = own;
        })[0];
    }

    /** to = x + constant. */
    public static void shift(double[] x, double[] to, double constant) {
        Parallel.range(x.length, (from, end) -> {
            for (int i = from; i < end; i++) {
                to[i] = x[i] + constant;
            }
        });
    }
}
