package dev.revealed.numeric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.revealed.numeric.Gemm.Finish;
import dev.revealed.numeric.Gemm.Matrix;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GemmTest {
    private static final RandomStream STREAM = RandomStream.of(11);

    @ParameterizedTest
    @CsvSource({"1,1,1", "4,64,3", "5,67,9", "11,130,33", "100,6,17", "3,16,256", "2,15,0"})
    void vectorsGiveTheBitsOfPlainLoops(int rows, int columns, int depth) {
        assertThat(Gemm.VECTORS).as("tests run with the Vector API").isTrue();
        float[] a = random(rows * (depth + 3) + 7);
        float[] b = random(depth * (columns + 2) + 5);
        float[] bias = random(columns + 1);
        float[] mask = random(rows * (columns + 1) + 4);
        for (int variant = 0; variant < 8; variant++) {
            boolean add = (variant & 1) != 0;
            boolean relu = (variant & 3) == 2; // cutting goes with a bias
            boolean masked = (variant & 4) != 0;
            float[] vector = random(rows * (columns + 1) + 2);
            float[] plain = vector.clone();
            Matrix left = Matrix.of(a, 2, depth + 3);
            Matrix right = Matrix.of(b, 5, columns + 2);
            Matrix offset = Matrix.of(bias, 1, 0);
            Finish finish = new Finish(offset, add, relu, masked ? Matrix.of(mask, 3, columns + 1) : null);
            Matrix first = Matrix.of(vector, 1, columns + 1);
            Matrix second = Matrix.of(plain, 1, columns + 1);
            VectorGemm.run(rows, columns, depth, left, right, first, finish);
            Gemm.plain(rows, columns, depth, left, right, second, finish);
            assertThat(vector).containsExactly(plain);
        }
    }

    @Test
    void productsAreWhatSumsSay() {
        int m = 9;
        int n = 70;
        int k = 21;
        float[] a = random(m * k);
        float[] b = random(k * n);
        float[] c = new float[m * n];
        Gemm.product(m, n, k, Matrix.of(a, 0, k), Matrix.of(b, 0, n), Matrix.of(c, 0, n));
        for (int i = 0; i < m; i++) {
            for (int j = 0; j < n; j++) {
                double sum = 0;
                for (int l = 0; l < k; l++) {
                    sum += (double) a[i * k + l] * b[l * n + j];
                }
                // 21 roundings of sums of about 5: a few times 1e-6 at the very worst
                assertThat((double) c[i * n + j]).isCloseTo(sum, within(1e-5));
            }
        }
        float[] at = new float[m * k];
        Gemm.transpose(m, k, a, 0, at, 0);
        float[] d = new float[m * n];
        Gemm.transposedProduct(m, n, k, Matrix.of(at, 0, m), Matrix.of(b, 0, n), Matrix.of(d, 0, n), false);
        assertThat(d).containsExactly(c);

        float[] column = new float[m];
        Gemm.transposedProduct(m, 1, k, Matrix.of(at, 0, m), Matrix.of(b, 0, 1), Matrix.of(column, 0, 1), false);
        float[] expected = new float[m];
        Gemm.plain(m, 1, k, Matrix.of(a, 0, k), Matrix.of(b, 0, 1), Matrix.of(expected, 0, 1), Finish.NONE);
        assertThat(column).containsExactly(expected);
    }

    @Test
    void notANumberIsNotHidden() {
        float[] y = new float[64];
        float[] w = new float[128];
        w[3] = Float.NaN;
        Gemm.affine(1, 1, 64, Matrix.of(new float[] {1}, 0, 1), w, 0, 64, Matrix.of(y, 0, 64), true);
        assertThat(y[3]).isNaN();
        assertThat(y[4]).isZero();
    }

    @Test
    void dotAddsUp() {
        for (int n : new int[] {0, 1, 7, 8, 16, 33, 256}) {
            float[] a = random(n + 1);
            float[] b = random(n + 2);
            double sum = 0;
            for (int i = 0; i < n; i++) {
                sum += (double) a[i + 1] * b[i + 2];
            }
            assertThat((double) Gemm.dot(n, a, 1, b, 2)).isCloseTo(sum, within(2e-5));
            assertThat(Gemm.dot(n, a, 1, b, 2)).isEqualTo(Gemm.plainDot(n, a, 1, b, 2));
        }
    }

    private static float[] random(int n) {
        float[] x = new float[n];
        for (int i = 0; i < n; i++) {
            x[i] = (float) STREAM.nextGaussian();
        }
        return x;
    }
}
