package dev.revealed.neural;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.revealed.numeric.Tensors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AdamTest {

    /** Three steps by the formulas of the paper, in double precision; the same for parameters at every vector lane. */
    @ParameterizedTest
    @CsvSource({"0.9,0,false", "0.9,0.01,true", "0,0.01,true", "0.9,0.01,false", "0,0,false"})
    void threeStepsByHand(double beta1, double decay, boolean coupled) {
        Adam.Settings settings = new Adam.Settings(1e-2, beta1, 0.999, 1e-8, decay, coupled);
        int n = 37;
        float[] theta = new float[n];
        double[] p = new double[n];
        double[] m = new double[n];
        double[] v = new double[n];
        for (int i = 0; i < n; i++) {
            theta[i] = 0.5f - 0.03f * i;
            p[i] = theta[i];
        }
        Adam adam = new Adam(settings, n);
        for (int t = 1; t <= 3; t++) {
            float[] gradient = new float[n];
            for (int i = 0; i < n; i++) {
                gradient[i] = (float) Math.sin(i + t);
                double g = gradient[i] + (coupled ? decay * p[i] : 0);
                m[i] = beta1 * m[i] + (1 - beta1) * g;
                v[i] = 0.999 * v[i] + 0.001 * g * g;
                p[i] -= coupled ? 0 : 1e-2 * decay * p[i];
                p[i] -= 1e-2 * (m[i] / (1 - Math.pow(beta1, t))) / (Math.sqrt(v[i] / (1 - Math.pow(0.999, t))) + 1e-8);
            }
            adam.step(theta, gradient);
        }
        for (int i = 0; i < n; i++) { // steps of 0.01 to a relative 1e-6 each, parameters rounded to 6e-8
            assertThat((double) theta[i]).isCloseTo(p[i], within(2e-7));
        }
    }

    @org.junit.jupiter.api.Test
    void forgottenMomentsAreZeroNotSubnormal() {
        Adam adam = new Adam(Adam.Settings.of(1e-3), 20);
        float[] theta = new float[20];
        float[] gradient = new float[20];
        gradient[3] = 1e-3f;
        gradient[18] = 1e-3f;
        adam.step(theta, gradient);
        for (int i = 0; i < 2000; i++) {
            adam.step(theta, new float[20]);
        }
        Tensors tensors = new Tensors();
        adam.save("x", tensors);
        assertThat(tensors.floats("x.first")).containsOnly(0);
        assertThat(tensors.floats("x.second")[3]).isPositive(); // 1e-9 times 0.135
        assertThat(theta[3]).isEqualTo(theta[18]).isNegative();
    }
}
