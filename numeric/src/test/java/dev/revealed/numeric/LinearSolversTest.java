package dev.revealed.numeric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Conjugate residuals and multigrid on I - gamma P against dense elimination, upright and transposed. */
class LinearSolversTest {
    private static final double[] DISCOUNTS = {0.5, 0.99, 0.9999};

    @AfterEach
    void restore() {
        Parallel.threads(Runtime.getRuntime().availableProcessors());
    }

    /** Where a chain goes from a state. */
    private interface Chain {
        Map<Integer, Double> from(int state);
    }

    private static void add(Map<Integer, Double> row, int column, double value) {
        row.merge(column, value, Double::sum);
    }

    private static Csr matrix(int n, double gamma, Chain chain) {
        int[] start = new int[n + 1];
        int[] column = new int[16 * n];
        double[] value = new double[16 * n];
        int k = 0;
        for (int i = 0; i < n; i++) {
            var row = chain.from(i);
            row.replaceAll((j, p) -> -gamma * p);
            add(row, i, 1);
            for (var entry : row.entrySet()) {
                column[k] = entry.getKey();
                value[k++] = entry.getValue();
            }
            start[i + 1] = k;
        }
        return new Csr(n, start, Arrays.copyOf(column, k), Arrays.copyOf(value, k));
    }

    private static Csr random(int n, int successors, double gamma, long seed) {
        return matrix(n, gamma, i -> {
            var stream = RandomStream.of(seed).at(i);
            double[] weight = stream.doubles(successors).map(x -> x + 0.05).toArray();
            double total = Arrays.stream(weight).sum();
            var row = new TreeMap<Integer, Double>();
            for (double w : weight) {
                add(row, stream.nextInt(n), w / total);
            }
            return row;
        });
    }

    /** A walk on a line that drifts to the right and stays at the ends. */
    private static Csr line(int n, double right, double gamma) {
        return matrix(n, gamma, i -> {
            var row = new TreeMap<Integer, Double>();
            add(row, Math.min(n - 1, i + 1), right);
            add(row, Math.max(0, i - 1), 1 - right);
            return row;
        });
    }

    /** A walk on a board, with a wind to the east. */
    private static Csr board(int side, double wind, double gamma) {
        return matrix(side * side, gamma, i -> {
            var row = new TreeMap<Integer, Double>();
            int x = i % side;
            int y = i / side;
            double p = (1 - wind) / 4;
            add(row, y * side + Math.min(side - 1, x + 1), p + wind);
            add(row, y * side + Math.max(0, x - 1), p);
            add(row, Math.min(side - 1, y + 1) * side + x, p);
            add(row, Math.max(0, y - 1) * side + x, p);
            return row;
        });
    }

    static Stream<Arguments> matrices() {
        return Arrays.stream(DISCOUNTS)
                .boxed()
                .flatMap(gamma -> Stream.of(
                        Arguments.of("random 30, " + gamma, random(30, 3, gamma, 1)),
                        Arguments.of("random 300, " + gamma, random(300, 3, gamma, 2)),
                        Arguments.of("two successors 400, " + gamma, random(400, 2, gamma, 3)),
                        Arguments.of("symmetric line 300, " + gamma, line(300, 0.5, gamma)),
                        Arguments.of("drifting line 300, " + gamma, line(300, 0.8, gamma)),
                        Arguments.of("one-way line 300, " + gamma, line(300, 1, gamma)),
                        Arguments.of("board 18, " + gamma, board(18, 0, gamma)),
                        Arguments.of("windy board 18, " + gamma, board(18, 0.5, gamma))));
    }

    private static double[][] dense(Csr a) {
        double[][] full = new double[a.size()][a.size()];
        for (int i = 0; i < a.size(); i++) {
            for (int k = a.start()[i]; k < a.start()[i + 1]; k++) {
                full[i][a.column()[k]] += a.value()[k];
            }
        }
        return full;
    }

    private static double[] withoutMean(double[] x) {
        double mean = Vec.mean(x);
        return Arrays.stream(x).map(v -> v - mean).toArray();
    }

    /** Solves to six digits, and what then remains again, and once more: one solve ends where its own rounding begins. */
    private static double[] solve(Csr a, double[] b, boolean transposed) {
        var multigrid = new Multigrid(a);
        Preconditioner inverse = transposed
                ? (r, z) -> {
                    multigrid.apply(r, z);
                    System.arraycopy(withoutMean(z), 0, z, 0, z.length);
                }
                : multigrid;
        var krylov = new Krylov(a.size(), 30);
        double[] x = new double[a.size()];
        double[] image = new double[a.size()];
        double[] step = new double[a.size()];
        for (int round = 0; round < 3; round++) {
            a.multiply(x, image);
            double[] residual = withoutMean(Vec.plus(b, -1, image));
            var result = krylov.solve(a, inverse, residual, step, 1e-6 * Vec.span(residual), 40);
            if (round == 0) {
                assertThat(result.status()).isEqualTo(Krylov.Status.CONVERGED);
            }
            Vec.axpy(1, step, x);
        }
        return x;
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("matrices")
    void solutionModuloConstantsIsTheDenseOne(String name, Csr a) {
        double[] b = RandomStream.of(4).doubles(a.size(), -1, 1).toArray();
        double[] x = solve(a, b, false);
        double[] expected = withoutMean(Dense.solve(dense(a), b).orElseThrow());
        assertThat(withoutMean(x)).containsExactly(expected, within(1e-10 * Vec.span(expected)));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("matrices")
    void transposedSolutionIsTheDenseOne(String name, Csr upright) {
        Csr a = upright.transpose();
        double[] b = withoutMean(RandomStream.of(5).doubles(a.size(), -1, 1).toArray());
        double[] x = solve(a, b, true);
        double[] expected = Dense.solve(dense(a), b).orElseThrow();
        assertThat(x).containsExactly(expected, within(1e-10 * Vec.span(expected)));
    }

    @Test
    void productsAndTransposesAreTheDenseOnes() {
        Csr a = random(50, 4, 0.9, 6);
        double[][] full = dense(a);
        double[][] turned = dense(a.transpose());
        for (int i = 0; i < 50; i++) {
            for (int j = 0; j < 50; j++) {
                assertThat(turned[j][i]).isEqualTo(full[i][j]);
            }
        }
        double[] x = RandomStream.of(7).doubles(50).toArray();
        double[] y = new double[50];
        a.multiply(x, y);
        assertThat(y).containsExactly(Dense.multiply(full, x), within(1e-14));
        Csr back = a.transpose().transpose();
        assertThat(back.start()).containsExactly(a.start());
        assertThat(back.column()).containsExactly(a.column());
        assertThat(back.value()).containsExactly(a.value());
    }

    /** The point of the hierarchy: work per digit hardly grows with size, where plain residuals pay for it. */
    @Test
    void multigridKeepsTheNumberOfProductsSmall() {
        for (int side : new int[] {16, 32, 64, 128}) {
            Csr a = board(side, 0, 0.9999);
            double[] b = RandomStream.of(8).doubles(a.size(), -1, 1).toArray();
            double[] x = new double[a.size()];
            double target = 1e-8 * Vec.span(b);
            var result = new Krylov(a.size(), 30).solve(a, new Multigrid(a), b, x, target, 200);
            assertThat(result.status()).isEqualTo(Krylov.Status.CONVERGED);
            assertThat(result.products()).as("board of side %d", side).isLessThan(30);
        }
    }

    @Test
    void shortMemoryAndNoPreconditionerStillArrive() {
        Csr a = random(200, 3, 0.99, 9);
        double[] b = RandomStream.of(10).doubles(200, -1, 1).toArray();
        double[] x = new double[200];
        var result = new Krylov(200, 3).solve(a, Preconditioner.NONE, b, x, 1e-10, 2000);
        assertThat(result.status()).isEqualTo(Krylov.Status.CONVERGED);
        double[] expected = withoutMean(Dense.solve(dense(a), b).orElseThrow());
        assertThat(withoutMean(x)).containsExactly(expected, within(1e-8));
    }

    @Test
    void limitsAndBreakdownsAreReported() {
        Csr a = line(300, 0.5, 0.9999);
        double[] b = RandomStream.of(11).doubles(300, -1, 1).toArray();
        double[] x = new double[300];
        var krylov = new Krylov(300, 5);
        var limited = krylov.solve(a, Preconditioner.NONE, b, x, 1e-12, 7);
        assertThat(limited.status()).isEqualTo(Krylov.Status.LIMIT);
        assertThat(limited.products()).isEqualTo(7);
        assertThat(limited.span()).isBetween(1e-12, Vec.span(b));

        double[] y = new double[300];
        a.multiply(x, y);
        double[] left = Vec.plus(b, -1, y);
        assertThat(Vec.span(left)).isCloseTo(limited.span(), within(1e-12));
        assertThat(Vec.mean(left)).isCloseTo(limited.mean(), within(1e-12));

        b[17] = Double.NaN;
        assertThat(krylov.solve(a, Preconditioner.NONE, b, x, 1e-12, 7).status())
                .isEqualTo(Krylov.Status.BREAKDOWN);
        double[] constant = new double[300];
        Arrays.fill(constant, 3);
        assertThat(krylov.solve(a, Preconditioner.NONE, constant, x, 1e-12, 7))
                .isEqualTo(new Krylov.Result(Krylov.Status.CONVERGED, 0, 0, 3));
    }

    @Test
    void sameBitsOnAnyNumberOfThreads() {
        Csr a = board(150, 0.2, 0.999);
        assertThat(a.size()).isGreaterThan(2 * Parallel.BLOCK);
        double[] b = RandomStream.of(12).doubles(a.size(), -1, 1).toArray();
        Parallel.threads(1);
        double[] one = solve(a, b, false);
        for (int threads = 2; threads <= 3; threads++) {
            Parallel.threads(threads);
            assertThat(Arrays.equals(solve(a, b, false), one)).isTrue();
        }
    }

    /** An engine that wears and is now and then replaced: it climbs by 0, 1 or 2, and rarely starts again. */
    private static Csr engine(int n, double renewal, double gamma) {
        return matrix(n, gamma, i -> {
            var row = new TreeMap<Integer, Double>();
            add(row, 0, renewal);
            for (int shift = 0; shift < 3; shift++) {
                add(row, Math.min(n - 1, i + shift), (1 - renewal) / 3);
            }
            return row;
        });
    }

    /** A chain that never falls back is a triangle: one sweep against its way is elimination, whichever way that is. */
    @Test
    void gaussSeidelSolvesTriangles() {
        double[] b = RandomStream.of(13).doubles(200, -1, 1).toArray();
        for (Csr a : new Csr[] {engine(200, 0, 0.99), engine(200, 0, 0.99).transpose()}) {
            double[] x = new double[200];
            new GaussSeidel(a).apply(b, x);
            assertThat(x).containsExactly(Dense.solve(dense(a), b).orElseThrow(), within(1e-11));
        }
    }

    /** Renewals add a matrix of rank one to a triangle: conjugate residuals need a second and a third product for it. */
    @ParameterizedTest
    @ValueSource(doubles = {0.9, 0.9999})
    void gaussSeidelAllButSolvesRenewals(double gamma) {
        Csr a = engine(500, 0.01, gamma);
        double[] b = RandomStream.of(14).doubles(500, -1, 1).toArray();
        double[] x = new double[500];
        var result = new Krylov(500, 30).solve(a, new GaussSeidel(a), b, x, 1e-11, 30);
        assertThat(result.status()).isEqualTo(Krylov.Status.CONVERGED);
        assertThat(result.products()).isLessThanOrEqualTo(3);
        assertThat(withoutMean(x))
                .containsExactly(withoutMean(Dense.solve(dense(a), b).orElseThrow()), within(1e-8));
    }

    @Test
    void gaussSeidelIsTheSameOnAnyNumberOfThreads() {
        Csr a = engine(20_000, 0.01, 0.999);
        double[] b = RandomStream.of(15).doubles(20_000, -1, 1).toArray();
        double[] one = new double[20_000];
        double[] two = new double[20_000];
        Parallel.threads(1);
        new GaussSeidel(a).apply(b, one);
        Parallel.threads(2);
        new GaussSeidel(a).apply(b, two);
        assertThat(Arrays.equals(one, two)).isTrue();
    }

    /** A walk to and fro would need hundreds of products: the first few tell. A drift would not, and is solved. */
    @Test
    void patienceEndsWhereTheRateIsHopeless() {
        double[] b = RandomStream.of(16).doubles(300, -1, 1).toArray();
        double[] x = new double[300];
        Csr walk = line(300, 0.5, 0.9999);
        var hopeless = new Krylov(300, 30).solve(walk, new GaussSeidel(walk), b, x, 1e-10, 30, 6);
        assertThat(hopeless)
                .extracting(Krylov.Result::status, Krylov.Result::products)
                .containsExactly(Krylov.Status.LIMIT, 6);
        Csr drift = line(300, 0.99, 0.9999);
        var solved = new Krylov(300, 30).solve(drift, new GaussSeidel(drift), b, x, 1e-10, 30, 3);
        assertThat(solved.status()).isEqualTo(Krylov.Status.CONVERGED);
        assertThat(solved.products()).isBetween(4, 30);
    }
}
