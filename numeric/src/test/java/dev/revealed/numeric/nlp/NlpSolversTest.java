package dev.revealed.numeric.nlp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.revealed.numeric.Parallel;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Vec;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Both solvers on programmes from Hock and Schittkowski (1981), Test Examples for Nonlinear Programming Codes. */
class NlpSolversTest {

    enum Which {
        JAVA,
        IPOPT;

        NlpSolver solver() {
            if (this == IPOPT) {
                needIpopt();
            }
            return this == IPOPT ? Ipopt.standard() : Sqp.standard();
        }

        NlpSolver limited(int iterations) {
            if (this == IPOPT) {
                needIpopt();
            }
            return this == IPOPT ? new Ipopt(iterations, 1e-10) : new Sqp(iterations, 1e-10);
        }
    }

    private static void needIpopt() {
        Ipopt.Availability ipopt = Ipopt.available();
        assumeTrue(ipopt.installed(), "SKIPPED: Ipopt is not installed: " + ipopt.reason());
    }

    static Stream<Arguments> programmes() {
        return Stream.of(
                        Arguments.of(Programmes.rosenbrock(), 0.0),
                        Arguments.of(Programmes.hs6(), 0.0),
                        Arguments.of(Programmes.hs7(), -Math.sqrt(3)),
                        Arguments.of(Programmes.hs77(), 0.24150513))
                .flatMap(known ->
                        Stream.of(Which.values()).map(which -> Arguments.of(which, known.get()[0], known.get()[1])));
    }

    @ParameterizedTest
    @MethodSource("programmes")
    void findsKnownMinima(Which which, Programmes.Small programme, double value) {
        NlpSolver.Result result = which.solver().solve(programme);
        assertThat(result.status()).isEqualTo("solved");
        assertThat(result.converged()).isTrue();
        assertThat(result.objective()).isCloseTo(value, within(1e-8));
        assertThat(result.violation()).isLessThan(1e-9);
        assertThat(result.iterations()).isBetween(1, 50);
        assertThat(result.evaluations()).isGreaterThanOrEqualTo(result.iterations());
        stationary(programme, result);
    }

    /** The multipliers' sign and the claim to be optimal: the gradient of the Lagrangian vanishes. */
    private static void stationary(Programmes.Small programme, NlpSolver.Result result) {
        double[] sum = programme.slope().apply(result.x()).clone();
        double[][] slopes = programme.slopes().apply(result.x());
        for (int i = 0; i < slopes.length; i++) {
            Vec.axpy(result.multipliers()[i], slopes[i], sum);
        }
        assertThat(Vec.maxAbs(sum)).isLessThan(1e-7);
    }

    /** Written by hand, the test programmes' derivatives want a test themselves. */
    @Test
    void derivativesOfTheProgrammesAreRight() {
        for (Programmes.Small p : List.of(
                Programmes.rosenbrock(), Programmes.hs6(), Programmes.hs7(), Programmes.hs77(), Programmes.hs71())) {
            RandomStream stream = RandomStream.of(1);
            double[] x = stream.doubles(p.variables(), 1, 2).toArray();
            double[] w = stream.doubles(1 + p.constraints(), 1, 2).toArray();
            double[][] curvature = p.curvature().apply(x, w);
            double step = 1e-6;
            for (int j = 0; j < x.length; j++) {
                double[] up = x.clone();
                double[] down = x.clone();
                up[j] += step;
                down[j] -= step;
                assertThat((p.objective(up) - p.objective(down)) / (2 * step))
                        .isCloseTo(p.slope().apply(x)[j], within(1e-6));
                for (int i = 0; i < p.constraints(); i++) {
                    double difference =
                            p.equations().apply(up)[i] - p.equations().apply(down)[i];
                    assertThat(difference / (2 * step)).isCloseTo(p.slopes().apply(x)[i][j], within(1e-6));
                }
                for (int i = j; i < x.length; i++) {
                    assertThat((lagrangian(p, up, w)[i] - lagrangian(p, down, w)[i]) / (2 * step))
                            .isCloseTo(curvature[i][j], within(1e-5));
                }
            }
        }
    }

    private static double[] lagrangian(Programmes.Small p, double[] x, double[] w) {
        double[] sum = Vec.plus(new double[x.length], w[0], p.slope().apply(x));
        for (int i = 0; i < p.constraints(); i++) {
            Vec.axpy(w[1 + i], p.slopes().apply(x)[i], sum);
        }
        return sum;
    }

    /** The example of Ipopt's own manual, which also gives the multipliers. */
    @Test
    void ipoptSolvesNumber71WithBoundsAndAnInequality() {
        needIpopt();
        NlpSolver.Result result = Ipopt.standard().solve(Programmes.hs71());
        assertThat(result.converged()).isTrue();
        assertThat(result.objective()).isCloseTo(17.0140173, within(1e-6));
        assertThat(result.x()).containsExactly(new double[] {1, 4.74299963, 3.82114998, 1.37940829}, within(1e-6));
        assertThat(result.multipliers()).containsExactly(new double[] {-0.55229366, 0.16146857}, within(1e-6));
        assertThat(result.violation()).isLessThan(1e-7);
    }

    @Test
    void javaRefusesInequalities() {
        assertThatThrownBy(() -> Sqp.standard().solve(Programmes.hs71())).hasMessageContaining("equations only");
    }

    /** Newton's first step from 5 would go to -40. */
    @Test
    void javaStaysInsideTheFence() {
        List<Double> tried = new ArrayList<>();
        Programmes.Small programme = Programmes.logarithm()
                .within(new double[] {0.1}, new double[] {6})
                .withObjective(x -> {
                    tried.add(x[0]);
                    return Programmes.logarithm().objective(x);
                });
        NlpSolver.Result result = Sqp.standard().solve(programme);
        assertThat(result.converged()).isTrue();
        assertThat(result.x()[0]).isCloseTo(0.5, within(1e-8));
        assertThat(tried).allSatisfy(x -> assertThat(x).isBetween(0.1, 6.0));
    }

    @ParameterizedTest
    @EnumSource
    void saysWhenTheEquationsCannotBeMet(Which which) {
        NlpSolver.Result result = which.solver().solve(Programmes.impossible());
        assertThat(result.converged()).isFalse();
        assertThat(result.status()).isNotEqualTo("solved");
        assertThat(result.violation()).isGreaterThanOrEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource
    void saysWhenIterationsRanOut(Which which) {
        NlpSolver.Result result = which.limited(3).solve(Programmes.hs77());
        assertThat(result.converged()).isFalse();
        assertThat(result.status()).contains("too many iterations");
        assertThat(result.iterations()).isEqualTo(3);
    }

    @ParameterizedTest
    @EnumSource
    void progressIsReported(Which which) {
        List<Long> done = new ArrayList<>();
        NlpSolver.Result result = which.solver().solve(Programmes.hs77(), (stage, k, total) -> done.add(k));
        assertThat(done).contains((long) result.iterations()).isSorted();
    }

    @ParameterizedTest
    @EnumSource
    void backsOutOfWhereTheObjectiveIsNotDefined(Which which) {
        NlpSolver.Result result = which.solver().solve(Programmes.logarithm());
        assertThat(result.converged()).isTrue();
        assertThat(result.objective()).isCloseTo(1 + Math.log(2), within(1e-10));
    }

    @ParameterizedTest
    @EnumSource
    void exceptionsOfTheProblemReachTheCaller(Which which) {
        NlpSolver solver = which.solver();
        int[] calls = {0};
        IllegalStateException mine = new IllegalStateException("mine");
        Programmes.Small broken = Programmes.hs77().withObjective(x -> {
            if (++calls[0] == 4) {
                throw mine;
            }
            return Programmes.hs77().objective(x);
        });
        assertThatThrownBy(() -> solver.solve(broken)).isSameAs(mine);
        assertThat(calls[0]).isEqualTo(4);
        assertThatThrownBy(() -> solver.solve(Programmes.hs77(), (stage, done, total) -> {
                    throw mine;
                }))
                .isSameAs(mine);
        assertThat(solver.solve(Programmes.hs77()).converged()).isTrue();
    }

    @Test
    void manyThreadsMayAskIpoptAtOnce() {
        needIpopt();
        double[] values = new double[40];
        Parallel.tasks(
                values.length,
                i -> values[i] = Ipopt.standard()
                        .solve(Programmes.hs77().withStart(2, 2, 2, 2, 2 + 0.01 * i))
                        .objective());
        for (double value : values) {
            assertThat(value).isCloseTo(0.24150513, within(1e-7));
        }
    }

    /** What a native library prints does not pass through System.out, so another JVM is watched from outside. */
    @Test
    void ipoptIsSilentAndReadsNoOptionsOfOthers(@TempDir Path folder) throws Exception {
        needIpopt();
        Files.writeString(folder.resolve("ipopt.opt"), "max_iter 1\nprint_level 12\n");
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Quiet.class.getName())
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .start();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(printed).isEqualToIgnoringNewLines("solved");
        assertThat(process.waitFor()).isZero();
    }

    /** Started by the test above. */
    static final class Quiet {
        public static void main(String[] args) {
            System.out.println(Ipopt.standard().solve(Programmes.hs77()).status());
        }
    }
}
