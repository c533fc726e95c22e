package dev.revealed.mdp.choice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.within;

import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.Vec;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What every transition family promises, and what each of them is. */
class TransitionFamilyTest {
    private static final double[] GRID = {-2, -1, 0, 0.5, 2};
    private static final double NO = Double.NaN;

    private static Frequencies frequencies() {
        return new Frequencies(2, 3, (cell, outcome) -> "p" + cell + outcome);
    }

    private static Shifts shifts() {
        return new Shifts(List.of("p0", "p1"), new int[] {0, 1, 2}, 5);
    }

    static Stream<Arguments> families() {
        double[] twoCells = {0.2, 0.5, 0.6, 0.3};
        AutoregressiveProcess all =
                new AutoregressiveProcess(GRID, List.of("mu", "rho", "sigma"), new double[] {NO, NO, NO});
        AutoregressiveProcess rho = new AutoregressiveProcess(GRID, List.of("rho"), new double[] {0.1, NO, 0.8});
        KnownProbabilities known = new KnownProbabilities(new double[][] {{0.25, 0.75}});
        return Stream.of(
                Arguments.of(frequencies(), twoCells),
                Arguments.of(shifts(), new double[] {0.3, 0.6}),
                Arguments.of(all, new double[] {0.1, 0.7, 0.9}),
                Arguments.of(rho, new double[] {0.7}),
                Arguments.of(
                        new SeparateFamilies(List.of(shifts(), known, frequencies())),
                        new double[] {0.3, 0.6, 0.2, 0.5, 0.6, 0.3}),
                Arguments.of(new SeparateFamilies(List.of(known, frequencies())), twoCells));
    }

    private static double[][] counts(TransitionFamily family, long seed) {
        Random random = new Random(seed);
        double[][] counts = new double[family.cells()][];
        for (int cell = 0; cell < counts.length; cell++) {
            counts[cell] = IntStream.range(0, family.outcomes(cell))
                    .mapToDouble(o -> 1 + random.nextInt(20))
                    .toArray();
        }
        return counts;
    }

    /** The same family with nothing but what it must say: everything else is the interface's own. */
    private record Bare(TransitionFamily family) implements TransitionFamily {
        @Override
        public List<String> names() {
            return family.names();
        }

        @Override
        public int cells() {
            return family.cells();
        }

        @Override
        public int outcomes(int cell) {
            return family.outcomes(cell);
        }

        @Override
        public void at(double[] phi, int cell, double[] p) {
            family.at(phi, cell, p);
        }

        @Override
        public void derivative(double[] phi, int cell, int k, double[] dp) {
            family.derivative(phi, cell, k, dp);
        }

        @Override
        public double[] fit(double[][] counts) {
            return family.fit(counts);
        }
    }

    @ParameterizedTest
    @MethodSource("families")
    void probabilitiesSumToOneAndDerivativesAreDerivatives(TransitionFamily family, double[] phi) {
        double h = 1e-6;
        for (int cell = 0; cell < family.cells(); cell++) {
            double[] p = new double[family.outcomes(cell)];
            double[] up = p.clone();
            double[] down = p.clone();
            double[] dp = p.clone();
            family.at(phi, cell, p);
            assertThat(Vec.sum(p)).isCloseTo(1, within(1e-14));
            for (int k = 0; k < phi.length; k++) {
                double[] moved = phi.clone();
                moved[k] += h;
                family.at(moved, cell, up);
                moved[k] -= 2 * h;
                family.at(moved, cell, down);
                family.derivative(phi, cell, k, dp);
                for (int o = 0; o < p.length; o++) {
                    assertThat(dp[o]).isCloseTo((up[o] - down[o]) / (2 * h), within(1e-8));
                }
            }
        }
    }

    /** What a family computes in a shorter way is what the definition says. */
    @ParameterizedTest
    @MethodSource("families")
    void shortcutsAgreeWithTheDefinition(TransitionFamily family, double[] phi) {
        TransitionFamily bare = new Bare(family);
        double[][] counts = counts(family, 1);
        double[] direction = new Random(2).doubles(phi.length).toArray();
        assertThat(family.information(phi, counts)).isDeepEqualTo(bare.information(phi, counts));
        double[][] influence = family.influence(phi, counts, direction);
        double[][] expected = bare.influence(phi, counts, direction);
        for (int cell = 0; cell < counts.length; cell++) {
            assertThat(influence[cell]).containsExactly(expected[cell], within(1e-12));
            double[] given = new Random(cell).doubles(family.outcomes(cell)).toArray();
            double[] gradient = new double[phi.length + 1];
            double[] same = new double[phi.length + 1];
            family.accumulate(phi, cell, 1.5, given, gradient, 1);
            bare.accumulate(phi, cell, 1.5, given, same, 1);
            assertThat(gradient).containsExactly(same, within(1e-12));
            for (int o = 0; o < given.length; o++) {
                assertThat(family.score(phi, cell, o)).containsExactly(bare.score(phi, cell, o), within(1e-12));
            }
        }
    }

    /** Counts in proportion to the probabilities at phi have their maximum likelihood there. */
    @ParameterizedTest
    @MethodSource("families")
    void expectedCountsAreFittedExactly(TransitionFamily family, double[] phi) {
        double[][] counts = new double[family.cells()][];
        for (int cell = 0; cell < counts.length; cell++) {
            double[] p = new double[family.outcomes(cell)];
            family.at(phi, cell, p);
            double n = 100 + 50.0 * cell;
            counts[cell] = Arrays.stream(p).map(x -> n * x).toArray();
        }
        assertThat(family.fit(counts)).containsExactly(phi, within(1e-8));
    }

    /** The score vanishes at the fit of any counts. */
    @ParameterizedTest
    @MethodSource("families")
    void theFitIsAMaximum(TransitionFamily family, double[] ignored) {
        double[][] counts = counts(family, 3);
        double[] phi = family.fit(counts);
        double[] sum = new double[phi.length];
        for (int cell = 0; cell < counts.length; cell++) {
            for (int o = 0; o < counts[cell].length; o++) {
                Vec.axpy(counts[cell][o], family.score(phi, cell, o), sum);
            }
        }
        assertThat(Vec.maxAbs(sum)).isLessThan(1e-5);
        assertThat(ignored).hasSameSizeAs(phi);
    }

    /** Tauchen's probabilities by hand: from 0 with mu 0, sigma 1, edges at -1.5, -0.5, 0.25 and 1.25. */
    @Test
    void autoregressionIsTauchens() {
        AutoregressiveProcess ar = new AutoregressiveProcess(GRID, List.of(), new double[] {0, 0.5, 1});
        double[] p = new double[5];
        ar.at(new double[0], 2, p);
        // Phi(-1.5), Phi(-0.5) - Phi(-1.5), ... from tables of the normal distribution
        assertThat(p)
                .containsExactly(
                        new double[] {
                            0.0668072,
                            0.3085375 - 0.0668072,
                            0.5987063 - 0.3085375,
                            0.8943502 - 0.5987063,
                            1 - 0.8943502
                        },
                        within(1e-7));
        ar.at(new double[0], 4, p);
        assertThat(p[0]).isCloseTo(0.0062097, within(1e-7)); // Phi(-1.5 - 0.5 * 2)
    }

    @Test
    void autoregressionKeepsItsTails() {
        AutoregressiveProcess ar =
                new AutoregressiveProcess(new double[] {0, 1, 30, 31}, List.of(), new double[] {0, 0, 1});
        double[] p = new double[4];
        ar.at(new double[0], 0, p);
        assertThat(p[2]).isPositive().isLessThan(1e-50);
        assertThat(p[3]).isPositive().isLessThan(p[2]);
    }

    @Test
    void autoregressionNeedsMovesThatTellSomething() {
        AutoregressiveProcess ar =
                new AutoregressiveProcess(GRID, List.of("mu", "rho", "sigma"), new double[] {NO, NO, NO});
        undetermined(ar, new double[5][5], "no move");
        double[][] still = new double[5][5];
        for (int i = 0; i < 5; i++) {
            still[i][i] = 10;
        }
        undetermined(ar, still, "mu, rho, sigma");
        double[][] oneCell = new double[5][5];
        Arrays.fill(oneCell[1], 3);
        undetermined(ar, oneCell, "mu, rho, sigma");
        assertThatExceptionOfType(BadInput.class)
                .isThrownBy(() -> new AutoregressiveProcess(new double[] {1, 0}, List.of(), new double[] {0, 0, 1}))
                .withMessageContaining("ascending");
        assertThatExceptionOfType(BadInput.class)
                .isThrownBy(() -> new AutoregressiveProcess(GRID, List.of(), new double[] {0, 0, 0}))
                .withMessageContaining("sigma is 0");
    }

    private static void undetermined(TransitionFamily family, double[][] counts, String part) {
        assertThatExceptionOfType(BadInput.class)
                .isThrownBy(() -> family.fit(counts))
                .withMessageContaining(part);
    }

    @Test
    void frequenciesAreSharesAndUniformWhereNothingWasSeen() {
        Frequencies frequencies = frequencies();
        double[][] counts = {{1, 0, 3}, {0, 0, 0}};
        double[] phi = frequencies.fit(counts);
        assertThat(phi).containsExactly(0.25, 0, 1.0 / 3, 1.0 / 3);
        assertThat(frequencies.names()).containsExactly("p00", "p01", "p10", "p11");
        assertThat(frequencies.unvisited(counts)).isEqualTo(1);
        double[] p = new double[3];
        frequencies.at(frequencies.fit(new double[][] {{3, 4, 0}, {1, 1, 1}}), 0, p);
        assertThat(p[2]).isZero();
        assertThatExceptionOfType(BadInput.class)
                .isThrownBy(() -> new Frequencies(2000, 1000, (cell, outcome) -> "p"))
                .withMessageContaining("coarser grid");
    }

    /** A fine grid has far more cells than were ever visited. */
    @Test
    void cellsWithoutObservationsCostNothing() {
        AtomicInteger asked = new AtomicInteger();
        TransitionFamily counted = new TransitionFamily() {
            @Override
            public List<String> names() {
                return List.of();
            }

            @Override
            public int cells() {
                return 1000;
            }

            @Override
            public int outcomes(int cell) {
                return 2;
            }

            @Override
            public void at(double[] phi, int cell, double[] p) {
                asked.incrementAndGet();
                Arrays.fill(p, 0.5);
            }

            @Override
            public void derivative(double[] phi, int cell, int k, double[] dp) {}

            @Override
            public double[] fit(double[][] counts) {
                return new double[0];
            }
        };
        double[][] counts = new double[1000][2];
        counts[7][1] = 3;
        assertThat(counted.logLikelihood(new double[0], counts)).isCloseTo(3 * Math.log(0.5), within(1e-12));
        assertThat(asked).hasValue(1);
    }
}
