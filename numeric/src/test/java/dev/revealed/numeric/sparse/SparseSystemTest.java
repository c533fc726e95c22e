package dev.revealed.numeric.sparse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.revealed.numeric.Dense;
import dev.revealed.numeric.RandomStream;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Truth: dense elimination with pivoting. */
class SparseSystemTest {
    private static final int N = 40;
    private static final int EACH = 4;

    @Test
    void solutionsAreThoseOfDenseElimination() {
        RandomStream stream = RandomStream.of(2);
        int[] start = new int[N + 1];
        int[] column = new int[N * EACH];
        double[] m = new double[column.length];
        double[][] dense = new double[N][N];
        double[][] transposed = new double[N][N];
        for (int i = 0; i < N; i++) {
            dense[i][i] += 1;
            transposed[i][i] += 1;
            for (int k = 0; k < EACH; k++) { // a column may occur twice, the diagonal too
                int e = i * EACH + k;
                column[e] = stream.nextInt(N);
                m[e] = 0.24 * stream.nextDouble();
                dense[i][column[e]] -= m[e];
                transposed[column[e]][i] -= m[e];
            }
            start[i + 1] = (i + 1) * EACH;
        }
        double[] b = new double[N];
        Arrays.setAll(b, i -> stream.nextGaussian());
        SparseSystem system = new SparseSystem(N, start, column);
        assertThat(system.factor(m)).isTrue();
        double[] x = b.clone();
        system.solve(x);
        assertThat(x).containsExactly(Dense.solve(dense, b).orElseThrow(), within(1e-12));
        x = b.clone();
        system.solveTransposed(x);
        assertThat(x).containsExactly(Dense.solve(transposed, b).orElseThrow(), within(1e-12));
        Arrays.fill(m, 0.25); // every row sums to 1: the spectral radius is 1
        assertThat(system.factor(m)).isFalse();
    }
}
