package dev.revealed.numeric;

/**
 * One Gauss-Seidel sweep from zero, against the direction in which most of the chain {@code I - gamma P} travels along the
 * numbering of its states. Where the chain mostly climbs (wear, age, experience) and rarely falls back, one sweep down all
 * but solves the system; where it wanders to and fro, this is a poor inverse.
 *
 * <p>Columns must ascend within rows. May be applied by several threads at once.
 */
public final class GaussSeidel implements Preconditioner {
    /** Parts that are swept each for itself: one for each of two cores, and every further one would slow convergence. */
    private static final int PARTS = 2;

    private static final int SMALLEST_PART = 2048;

    private final Csr matrix;
    private final int[] diagonal;
    private final double[] inverse;
    private final boolean down;
    private final int parts;

    public GaussSeidel(Csr matrix) {
        this.matrix = matrix;
        int n = matrix.size();
        diagonal = new int[n];
        inverse = new double[n];
        parts = n >= PARTS * SMALLEST_PART ? PARTS : 1;
        int[] start = matrix.start();
        int[] column = matrix.column();
        double[] value = matrix.value();
        double[] mass = Parallel.sums(n, 2, (from, to, sum) -> {
            for (int i = from; i < to; i++) {
                int k = start[i];
                while (column[k] < i) {
                    sum[0] -= value[k++];
                }
                diagonal[i] = k;
                inverse[i] = 1 / value[k];
                for (int l = k + 1; l < start[i + 1]; l++) {
                    sum[1] -= value[l];
                }
            }
        });
        down = mass[1] >= mass[0];
    }

    @Override
    public void apply(double[] b, double[] x) {
        Parallel.tasks(parts, part -> {
            int first = first(part);
            int end = first(part + 1);
            if (down) {
                down(first, end, b, x);
            } else {
                up(first, end, b, x);
            }
        });
    }

    private int first(int part) {
        return (int) ((long) part * inverse.length / parts);
    }

    private void down(int first, int end, double[] b, double[] x) {
        int[] start = matrix.start();
        int[] column = matrix.column();
        double[] value = matrix.value();
        for (int i = end - 1; i >= first; i--) {
            double sum = b[i];
            for (int k = diagonal[i] + 1; k < start[i + 1] && column[k] < end; k++) {
                sum -= value[k] * x[column[k]];
            }
            x[i] = sum * inverse[i];
        }
    }

    private void up(int first, int end, double[] b, double[] x) {
        int[] start = matrix.start();
        int[] column = matrix.column();
        double[] value = matrix.value();
        for (int i = first; i < end; i++) {
            double sum = b[i];
            for (int k = diagonal[i] - 1; k >= start[i] && column[k] >= first; k--) {
                sum -= value[k] * x[column[k]];
            }
            x[i] = sum * inverse[i];
        }
    }
}
