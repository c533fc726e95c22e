package dev.revealed.numeric;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Aggregation multigrid for {@code I - gamma P}. States are joined in pairs along their strongest link, twice per level,
 * and the chain is averaged over the groups, which leaves a smaller matrix of the same kind; slow modes of the chain,
 * the constant among them, are nearly constant on groups and die there, fast ones die in Gauss-Seidel sweeps. Two
 * steps of conjugate residuals around each coarse solve (Notay's K-cycle) make up for the crude averaging, so the
 * work per digit hardly grows with the number of states. Only the matrix is used, no geometry.
 */
public final class Multigrid implements Preconditioner {
    private static final int COARSEST = 64;
    private static final int SMOOTHER_BLOCKS = 16;

    private final List<Level> levels = new ArrayList<>();
    private final double unit;
    private final @Nullable Lu coarsest;
    private long read;

    /** Builds the hierarchy. Every row must hold its diagonal entry; all pivots of such matrices are positive. */
    public Multigrid(Csr matrix) {
        unit = matrix.value().length;
        Csr fine = matrix;
        while (fine.size() > COARSEST) {
            read += 3L * fine.value().length;
            int[] pairs = pair(fine);
            Csr half = average(fine, pairs);
            read += 3L * half.value().length;
            int[] again = pair(half);
            Csr coarse = average(half, again);
            if (coarse.size() > 0.9 * fine.size()) {
                break;
            }
            Arrays.setAll(pairs, i -> again[pairs[i]]);
            levels.add(new Level(fine, pairs, coarse.size()));
            fine = coarse;
        }
        if (fine.size() <= 4 * COARSEST) {
            coarsest = new Lu(fine);
        } else { // the chain does not join any further: sweeps alone must do
            coarsest = null;
            levels.add(new Level(fine, new int[0], 0));
        }
    }

    @Override
    public void apply(double[] x, double[] y) {
        cycle(0, x, y);
    }

    /** Work so far, set-up included, in passes over the matrix this was built from. */
    public double passes() {
        return read / unit;
    }

    private void cycle(int depth, double[] b, double[] x) {
        if (depth == levels.size()) {
            Objects.requireNonNull(coarsest).solve(b, x);
            return;
        }
        Level level = levels.get(depth);
        read += 3L * level.matrix.value().length;
        level.forward(b, x);
        if (level.group.length > 0) {
            level.restrict(b, x);
            correct(depth + 1, level);
            level.prolong(x);
        } else {
            System.arraycopy(x, 0, level.old, 0, x.length);
        }
        level.backward(b, x);
    }

    /** One or two steps of conjugate residuals on the level below {@code above}; its right-hand side is used up. */
    private void correct(int depth, Level above) {
        double[] b = above.coarseRight;
        double[] x = above.coarseLeft;
        cycle(depth, b, x);
        if (depth == levels.size()) {
            return;
        }
        Csr matrix = levels.get(depth).matrix;
        int n = matrix.size();
        double[] first = above.firstImage;
        matrix.multiply(x, first);
        read += matrix.value().length;
        double[] dots = Parallel.sums(n, 3, (from, to, sum) -> {
            for (int i = from; i < to; i++) {
                sum[0] += first[i] * first[i];
                sum[1] += first[i] * b[i];
                sum[2] += b[i] * b[i];
            }
        });
        double rho = dots[0];
        if (!(rho > 0)) {
            return;
        }
        double step = dots[1] / rho;
        double left = dots[2] - step * dots[1];
        if (left <= 0.0625 * dots[2]) {
            scale(n, x, step);
            return;
        }
        Parallel.range(n, (from, to) -> {
            for (int i = from; i < to; i++) {
                b[i] -= step * first[i];
            }
        });
        double[] other = above.secondGuess;
        double[] second = above.secondImage;
        cycle(depth, b, other);
        matrix.multiply(other, second);
        read += matrix.value().length;
        double[] more = Parallel.sums(n, 3, (from, to, sum) -> {
            for (int i = from; i < to; i++) {
                sum[0] += second[i] * first[i];
                sum[1] += second[i] * second[i];
                sum[2] += second[i] * b[i];
            }
        });
        double rest = more[1] - more[0] * more[0] / rho;
        if (!(rest > 1e-14 * more[1])) {
            scale(n, x, step);
            return;
        }
        double weight = more[2] / rest;
        double own = step - weight * more[0] / rho;
        Parallel.range(n, (from, to) -> {
            for (int i = from; i < to; i++) {
                x[i] = own * x[i] + weight * other[i];
            }
        });
    }

    private static void scale(int n, double[] x, double factor) {
        Parallel.range(n, (from, to) -> {
            for (int i = from; i < to; i++) {
                x[i] *= factor;
            }
        });
    }

    /** Group numbers: each state joins the free state it is most strongly linked with, in either direction. */
    private static int[] pair(Csr a) {
        Csr t = a.transpose();
        int n = a.size();
        int[] group = new int[n];
        Arrays.fill(group, -1);
        double[] link = new double[n];
        int groups = 0;
        for (int i = 0; i < n; i++) {
            if (group[i] >= 0) {
                continue;
            }
            for (int k = a.start()[i]; k < a.start()[i + 1]; k++) {
                link[a.column()[k]] = -a.value()[k];
            }
            for (int k = t.start()[i]; k < t.start()[i + 1]; k++) {
                link[t.column()[k]] -= t.value()[k];
            }
            int best = -1;
            double most = 0;
            for (int side = 0; side < 2; side++) {
                Csr m = side == 0 ? a : t;
                for (int k = m.start()[i]; k < m.start()[i + 1]; k++) {
                    int j = m.column()[k];
                    if (j != i && group[j] < 0 && (link[j] > most || (link[j] == most && j < best))) {
                        most = link[j];
                        best = j;
                    }
                    link[j] = side == 0 ? link[j] : 0;
                }
            }
            for (int k = a.start()[i]; k < a.start()[i + 1]; k++) {
                link[a.column()[k]] = 0;
            }
            group[i] = groups;
            if (best >= 0) {
                group[best] = groups;
            }
            groups++;
        }
        return group;
    }

    /** Rows and columns added up over groups. */
    private static Csr average(Csr a, int[] group) {
        int groups = 0;
        for (int g : group) {
            groups = Math.max(groups, g + 1);
        }
        Buckets members = Buckets.of(group, groups);
        int[] start = new int[groups + 1];
        int[] column = new int[a.start()[a.size()]];
        double[] value = new double[column.length];
        int[] place = new int[groups];
        Arrays.fill(place, -1);
        int filled = 0;
        for (int g = 0; g < groups; g++) {
            int first = filled;
            for (int m = members.start()[g]; m < members.start()[g + 1]; m++) {
                int i = members.row()[m];
                for (int k = a.start()[i]; k < a.start()[i + 1]; k++) {
                    int to = group[a.column()[k]];
                    if (place[to] < first) {
                        place[to] = filled;
                        column[filled] = to;
                        value[filled++] = a.value()[k];
                    } else {
                        value[place[to]] += a.value()[k];
                    }
                }
            }
            start[g + 1] = filled;
        }
        return new Csr(groups, start, Arrays.copyOf(column, filled), Arrays.copyOf(value, filled));
    }

    /** One matrix of the hierarchy with what a cycle needs on it. */
    private static final class Level {
        private final Csr matrix;
        private final double[] inverse;
        private final double[] old;
        private final int blocks;
        private final int[] group;
        private final Buckets members;
        private final double[] coarseRight;
        private final double[] coarseLeft;
        private final double[] firstImage;
        private final double[] secondGuess;
        private final double[] secondImage;

        Level(Csr matrix, int[] group, int groups) {
            this.matrix = matrix;
            this.group = group;
            int n = matrix.size();
            inverse = new double[n];
            old = new double[n];
            blocks = Math.max(1, Math.min(SMOOTHER_BLOCKS, n / 2048));
            members = Buckets.of(group, groups);
            coarseRight = new double[groups];
            coarseLeft = new double[groups];
            firstImage = new double[groups];
            secondGuess = new double[groups];
            secondImage = new double[groups];
            Parallel.range(n, (from, to) -> {
                for (int i = from; i < to; i++) {
                    for (int k = matrix.start()[i]; k < matrix.start()[i + 1]; k++) {
                        if (matrix.column()[k] == i) {
                            inverse[i] = 1 / matrix.value()[k];
                        }
                    }
                }
            });
        }

        private int first(int block) {
            return (int) ((long) block * inverse.length / blocks);
        }

        /** Gauss-Seidel from zero, upwards, each block for itself. */
        void forward(double[] b, double[] x) {
            int[] start = matrix.start();
            int[] column = matrix.column();
            double[] value = matrix.value();
            Parallel.tasks(blocks, block -> {
                int first = first(block);
                int end = first(block + 1);
                for (int i = first; i < end; i++) {
                    double sum = b[i];
                    for (int k = start[i]; k < start[i + 1]; k++) {
                        int j = column[k];
                        if (j < i && j >= first) {
                            sum -= value[k] * x[j];
                        }
                    }
                    x[i] = sum * inverse[i];
                }
            });
        }

        /** What is left of {@code b}, added up over groups. */
        void restrict(double[] b, double[] x) {
            int[] start = matrix.start();
            int[] column = matrix.column();
            double[] value = matrix.value();
            Parallel.range(coarseRight.length, (from, to) -> {
                for (int g = from; g < to; g++) {
                    double left = 0;
                    for (int m = members.start()[g]; m < members.start()[g + 1]; m++) {
                        int i = members.row()[m];
                        left += b[i];
                        for (int k = start[i]; k < start[i + 1]; k++) {
                            left -= value[k] * x[column[k]];
                        }
                    }
                    coarseRight[g] = left;
                }
            });
        }

        void prolong(double[] x) {
            Parallel.range(x.length, (from, to) -> {
                for (int i = from; i < to; i++) {
                    x[i] += coarseLeft[group[i]];
                    old[i] = x[i];
                }
            });
        }

        /** Gauss-Seidel downwards; other blocks are seen as they were before, whatever they have become meanwhile. */
        void backward(double[] b, double[] x) {
            int[] start = matrix.start();
            int[] column = matrix.column();
            double[] value = matrix.value();
            Parallel.tasks(blocks, block -> {
                int first = first(block);
                int end = first(block + 1);
                for (int i = end - 1; i >= first; i--) {
                    double sum = b[i];
                    for (int k = start[i]; k < start[i + 1]; k++) {
                        int j = column[k];
                        if (j > i && j < end) {
                            sum -= value[k] * x[j];
                        } else if (j != i) {
                            sum -= value[k] * old[j];
                        }
                    }
                    x[i] = sum * inverse[i];
                }
            });
        }
    }

    /** A small dense factorisation. Rows of {@code I - gamma P} are dominated by their diagonal: no pivoting. */
    private static final class Lu {
        private final double[][] a;

        Lu(Csr matrix) {
            int n = matrix.size();
            a = new double[n][n];
            for (int i = 0; i < n; i++) {
                for (int k = matrix.start()[i]; k < matrix.start()[i + 1]; k++) {
                    a[i][matrix.column()[k]] += matrix.value()[k];
                }
            }
            for (int p = 0; p < n; p++) {
                for (int i = p + 1; i < n; i++) {
                    double factor = a[i][p] / a[p][p];
                    a[i][p] = factor;
                    for (int j = p + 1; j < n && factor != 0; j++) {
                        a[i][j] -= factor * a[p][j];
                    }
                }
            }
        }

        void solve(double[] b, double[] x) {
            for (int i = 0; i < a.length; i++) {
                double sum = b[i];
                for (int j = 0; j < i; j++) {
                    sum -= a[i][j] * x[j];
                }
                x[i] = sum;
            }
            for (int i = a.length - 1; i >= 0; i--) {
                double sum = x[i];
                for (int j = i + 1; j < a.length; j++) {
                    sum -= a[i][j] * x[j];
                }
                x[i] = sum / a[i][i];
            }
        }
    }
}
