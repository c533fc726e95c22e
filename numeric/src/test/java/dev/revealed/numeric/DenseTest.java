package dev.revealed.numeric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DenseTest {
    @Test
    void solveByHand() {
        double[][] a = {{0, 2}, {3, 1}}; // a zero pivot: rows must be exchanged
        double[] b = {4, 5};
        assertThat(Dense.solve(a, b).orElseThrow()).containsExactly(new double[] {1, 2}, within(1e-15));
        assertThat(a).isDeepEqualTo(new double[][] {{0, 2}, {3, 1}});
        assertThat(b).containsExactly(4, 5);
    }

    @Test
    void inverseByHand() {
        double[][] inverse = Dense.inverse(new double[][] {{2, 1}, {7, 4}}).orElseThrow();
        assertThat(inverse[0]).containsExactly(new double[] {4, -1}, within(1e-13));
        assertThat(inverse[1]).containsExactly(new double[] {-7, 2}, within(1e-13));
    }

    @Test
    void singularHasNoSolutionAndNoInverse() {
        double[][] a = {{1, 2}, {2, 4}};
        assertThat(Dense.solve(a, new double[] {1, 1})).isEmpty();
        assertThat(Dense.inverse(a)).isEmpty();
        assertThat(Dense.inverse(new double[][] {{0}})).isEmpty();
    }

    @Test
    void eigenvaluesAscendWithUnitVectors() {
        var eigen = Dense.symmetricEigen(new double[][] {{2, 1, 0}, {1, 2, 0}, {0, 0, -5}});
        assertThat(eigen.values()).containsExactly(new double[] {-5, 1, 3}, within(1e-14));
        double half = Math.sqrt(0.5);
        double[][] vectors = {{0, 0, 1}, {half, -half, 0}, {half, half, 0}};
        for (int i = 0; i < 3; i++) {
            assertThat(Math.abs(Vec.dot(eigen.vectors()[i], vectors[i]))).isCloseTo(1, within(1e-14));
            assertThat(Vec.norm(eigen.vectors()[i])).isCloseTo(1, within(1e-14));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 5, 40})
    void decompositionAndSolutionsRebuildTheMatrix(int n) {
        var stream = RandomStream.of(n);
        double[][] root = new double[n][];
        for (int i = 0; i < n; i++) {
            root[i] = stream.doubles(n, -1, 1).toArray();
        }
        double[][] a = new double[n][n]; // root root' + 1/10: positive definite
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                a[i][j] = Vec.dot(root[i], root[j]) + (i == j ? 0.1 : 0);
            }
        }
        var eigen = Dense.symmetricEigen(a);
        assertThat(eigen.values()).isSorted();
        double[] x = stream.doubles(n).toArray();
        double[] solution = Dense.solve(a, Dense.multiply(a, x)).orElseThrow();
        double[] spectral = new double[n];
        for (int i = 0; i < n; i++) {
            double[] v = eigen.vectors()[i];
            Vec.axpy(eigen.values()[i] * Vec.dot(v, x), v, spectral);
        }
        assertThat(spectral).containsExactly(Dense.multiply(a, x), within(1e-11));
        assertThat(solution).containsExactly(x, within(1e-10));
        double[][] unit = Dense.multiply(a, Dense.inverse(a).orElseThrow());
        for (int i = 0; i < n; i++) {
            unit[i][i] -= 1;
            assertThat(Vec.maxAbs(unit[i])).isLessThan(1e-10);
        }
    }

    @Test
    void numbersThatOverflowedAreToldOf() {
        double[][] a = {{1, 0}, {0, Double.POSITIVE_INFINITY}};
        assertThatThrownBy(() -> Dense.symmetricEigen(a))
                .isInstanceOf(BadInput.class)
                .hasMessageContaining("too large or too small");
    }
}
