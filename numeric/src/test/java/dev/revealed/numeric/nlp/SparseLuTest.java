package dev.revealed.numeric.nlp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.revealed.numeric.Dense;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Vec;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SparseLuTest {

    /** Compressed columns of a dense matrix, zeros left out. */
    private static Optional<SparseLu> factors(double[][] a) {
        int n = a.length;
        int[] start = new int[n + 1];
        int[] row = new int[n * n];
        double[] value = new double[n * n];
        int size = 0;
        for (int j = 0; j < n; j++) {
            for (int i = 0; i < n; i++) {
                if (a[i][j] != 0) {
                    row[size] = i;
                    value[size++] = a[i][j];
                }
            }
            start[j + 1] = size;
        }
        return SparseLu.of(SparseLu.order(start), start, row, value);
    }

    private static void solves(double[][] a, double[] x) {
        SparseLu lu = factors(a).orElseThrow();
        assertThat(lu.solve(Dense.multiply(a, x))).containsExactly(x, within(1e-10));
        double[] transposed = new double[x.length];
        for (int i = 0; i < x.length; i++) {
            Vec.axpy(x[i], a[i], transposed);
        }
        assertThat(lu.solveTransposed(transposed)).containsExactly(x, within(1e-10));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 7, 60})
    void solvesWithRandomSparseMatrices(int n) {
        RandomStream stream = RandomStream.of(n);
        double[][] a = new double[n][n];
        for (int i = 0; i < n; i++) {
            for (int k = 0; k < 3; k++) {
                a[i][stream.nextInt(n)] += stream.nextDouble(-1, 1);
            }
            a[i][(i + 1) % n] += 2; // no diagonal to rely on
        }
        solves(a, stream.doubles(n, -1, 1).toArray());
    }

    /** A band with full first columns and a column of ones: the Bellman equations of a replacement problem. */
    @Test
    void solvesWithAnArrow() {
        int n = 50;
        double[][] a = new double[n][n];
        for (int i = 0; i < n; i++) {
            a[i][i] += 1;
            a[i][Math.min(n - 1, i + 1)] -= 0.5;
            a[i][Math.min(n - 1, i + 2)] -= 0.3;
            a[i][1] -= 0.1;
            a[i][0] = 1;
        }
        solves(a, RandomStream.of(1).doubles(n).toArray());
    }

    @Test
    void repeatedEntriesAddUp() {
        int[] start = {0, 2, 4};
        SparseLu lu = SparseLu.of(SparseLu.order(start), start, new int[] {0, 0, 1, 0}, new double[] {1, 3, 2, 5})
                .orElseThrow(); // [[4, 5], [0, 2]]
        assertThat(lu.solve(new double[] {14, 4})).containsExactly(new double[] {1, 2}, within(1e-15));
    }

    @Test
    void singularHasNoFactors() {
        assertThat(factors(new double[][] {{1, 2}, {2, 4}})).isEmpty();
        assertThat(factors(new double[][] {{1, 0}, {1, 0}})).isEmpty();
        assertThat(factors(new double[][] {{Double.NaN, 0}, {1, 1}})).isEmpty();
        assertThat(factors(new double[][] {{1, 1}, {1, 2}})).isPresent();
    }
}
