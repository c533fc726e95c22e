package dev.revealed.numeric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RowNormTest {
    private static final int AT = 3;

    private static float[] random(int n) {
        RandomStream stream = RandomStream.of(n);
        float[] x = new float[n + 2 * AT];
        for (int i = 0; i < x.length; i++) {
            x[i] = (float) (5 + stream.nextGaussian());
        }
        return x;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 5, 16, 33, 256})
    void vectorsGiveTheBitsOfPlainLoops(int n) {
        assertThat(Gemm.VECTORS).as("tests run with the Vector API").isTrue();
        float[] x = random(n);
        assertThat(VectorNorm.sum(n, x, AT)).isEqualTo(RowNorm.sum(n, x, AT));
        assertThat(VectorNorm.squares(n, x, AT, 4.9f)).isEqualTo(RowNorm.squares(n, x, AT, 4.9f));
        for (boolean relu : new boolean[] {false, true}) {
            float[] vector = x.clone();
            float[] plain = x.clone();
            float[] one = new float[x.length];
            float[] other = new float[x.length];
            VectorNorm.scale(n, vector, AT, 4.9f, 0.7f, one, relu);
            RowNorm.scale(n, plain, AT, 4.9f, 0.7f, other, relu);
            assertThat(vector).containsExactly(plain);
            assertThat(one).containsExactly(other);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {5, 33, 256})
    void rowsHaveMeanZeroAndVarianceOneOrLengthOne(int n) {
        float[] x = random(n);
        float[] y = x.clone();
        float[] normal = new float[y.length];
        float inverse = RowNorm.standardise(n, y, AT, normal, true);
        double mean = 0;
        double square = 0;
        for (int j = AT; j < AT + n; j++) {
            mean += normal[j] / n;
            square += (double) normal[j] * normal[j] / n;
            assertThat(y[j]).isEqualTo(Math.max(0, normal[j]));
        }
        assertThat(mean).isCloseTo(0, within(1e-6));
        assertThat(square).isCloseTo(1, within(1e-4)); // a little less, by what is added to the variance
        assertThat(inverse).isBetween(0.5f, 3f);
        assertThat(y[AT - 1]).isEqualTo(x[AT - 1]);
        assertThat(y[AT + n]).isEqualTo(x[AT + n]);

        float length = RowNorm.unitLength(n, x, AT);
        assertThat((double) Gemm.dot(n, x, AT, x, AT)).isCloseTo(1, within(1e-6));
        assertThat(length).isBetween(0.1f / (float) Math.sqrt(n), 0.25f / (float) Math.sqrt(n));
    }

    /** A layer whose units are all dead stays finite. */
    @Test
    void rowsWithoutSpreadBecomeZeros() {
        float[] y = {7, 7, 7};
        float[] normal = new float[3];
        RowNorm.standardise(3, y, 0, normal, false);
        assertThat(y).containsExactly(0, 0, 0);
        float[] zeros = new float[3];
        RowNorm.unitLength(3, zeros, 0);
        assertThat(zeros).containsExactly(0, 0, 0);
    }
}
