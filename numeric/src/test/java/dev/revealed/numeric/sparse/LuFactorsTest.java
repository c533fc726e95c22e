package dev.revealed.numeric.sparse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.revealed.numeric.Dense;
import dev.revealed.numeric.RandomStream;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Truth: dense LU with pivoting, and the spectral radius of matrices where it is known. */
class LuFactorsTest {
    private static final int SIDE = 12;

    /** A grid on which every node leads to its up to four neighbours, in elimination order. */
    private record Grid(int[] order, int[] start, int[] column, double[] m) {}

    private static Grid grid(long seed, double size) {
        int n = SIDE * SIDE;
        int[] start = new int[n + 1];
        int[] column = new int[4 * n];
        int count = 0;
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                int rows = Math.abs(i / SIDE - j / SIDE);
                int columns = Math.abs(i % SIDE - j % SIDE);
                if (rows + columns == 1 && (i + 2 * j) % 7 != 0) { // not symmetric
                    column[count++] = j;
                }
            }
            start[i + 1] = count;
        }
        int[] order = MinimumDegree.order(n, start, Arrays.copyOf(column, count));
        int[] position = new int[n];
        for (int k = 0; k < n; k++) {
            position[order[k]] = k;
        }
        int[] newStart = new int[n + 1];
        int[] newColumn = new int[count];
        int at = 0;
        for (int k = 0; k < n; k++) {
            for (int e = start[order[k]]; e < start[order[k] + 1]; e++) {
                newColumn[at++] = position[column[e]];
            }
            newStart[k + 1] = at;
        }
        RandomStream stream = RandomStream.of(seed);
        double[] m = IntStream.range(0, count)
                .mapToDouble(e -> size * stream.nextDouble())
                .toArray();
        return new Grid(order, newStart, newColumn, m);
    }

    private static double[][] dense(Grid grid, double[] m) {
        int n = SIDE * SIDE;
        double[][] a = new double[n][n];
        for (int i = 0; i < n; i++) {
            a[i][i] = 1;
            for (int e = grid.start[i]; e < grid.start[i + 1]; e++) {
                a[i][grid.column[e]] -= m[e];
            }
        }
        return a;
    }

    @Test
    void anOrderNamesEveryRowOnce() {
        assertThat(Arrays.stream(grid(1, 0.4).order).sorted().toArray())
                .containsExactly(IntStream.range(0, SIDE * SIDE).toArray());
    }

    @Test
    void minimumDegreeLeavesLessFillThanTheGridsOwnOrder() {
        int n = 900;
        int[] start = new int[n + 1];
        int[] column = new int[4 * n];
        int count = 0;
        for (int i = 0; i < n; i++) {
            for (int j : new int[] {i - 30, i - 1, i + 1, i + 30}) {
                if (j >= 0 && j < n && (Math.abs(i - j) > 1 || i / 30 == j / 30)) {
                    column[count++] = j;
                }
            }
            start[i + 1] = count;
        }
        int[] pairs = Arrays.copyOf(column, count);
        int[] order = MinimumDegree.order(n, start, pairs);
        int[] position = new int[n];
        for (int k = 0; k < n; k++) {
            position[order[k]] = k;
        }
        int[] newStart = new int[n + 1];
        int[] newColumn = new int[count];
        int at = 0;
        for (int k = 0; k < n; k++) {
            for (int e = start[order[k]]; e < start[order[k] + 1]; e++) {
                newColumn[at++] = position[pairs[e]];
            }
            newStart[k + 1] = at;
        }
        int natural = LuPattern.of(n, start, pairs).entries();
        int ours = LuPattern.of(n, newStart, newColumn).entries();
        assertThat(natural).isGreaterThan(24_000); // a band of 30
        assertThat(ours).isLessThan(11_000);
    }

    @Test
    void solutionsAreThoseOfDenseElimination() {
        Grid grid = grid(2, 0.4);
        int n = SIDE * SIDE;
        LuPattern pattern = LuPattern.of(n, grid.start, grid.column);
        LuFactors lu = new LuFactors(pattern);
        assertThat(lu.factor(grid.m)).isTrue();
        double[][] a = dense(grid, grid.m);
        double[][] transposed = new double[n][n];
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                transposed[j][i] = a[i][j];
            }
        }
        RandomStream stream = RandomStream.of(3);
        int[] rows = {5, 77, 140};
        double[] full = new double[n * LuFactors.LANES];
        double[] few = new double[n * LuFactors.LANES];
        double[] adjoint = new double[n * LuFactors.LANES];
        Arrays.setAll(full, i -> stream.nextDouble());
        for (int row : rows) {
            for (int lane = 0; lane < LuFactors.LANES; lane++) {
                few[row * LuFactors.LANES + lane] = stream.nextDouble();
                adjoint[row * LuFactors.LANES + lane] = stream.nextDouble();
            }
        }
        double[] fullBefore = full.clone();
        double[] fewBefore = few.clone();
        double[] adjointBefore = adjoint.clone();
        lu.solve(full);
        lu.solve(few, new LuFactors.Reach(pattern).of(rows, 3));
        lu.solveTransposed(adjoint, new LuFactors.Reach(pattern).of(rows, 3));
        for (int lane = 0; lane < LuFactors.LANES; lane++) {
            close(lane(full, lane), Dense.solve(a, lane(fullBefore, lane)).orElseThrow());
            close(lane(few, lane), Dense.solve(a, lane(fewBefore, lane)).orElseThrow());
            close(
                    lane(adjoint, lane),
                    Dense.solve(transposed, lane(adjointBefore, lane)).orElseThrow());
        }

        double[] one = lane(fewBefore, 4);
        lu.solveOne(one, new LuFactors.Reach(pattern).of(rows, 3));
        assertThat(one).containsExactly(lane(few, 4));
        double[] oneFull = lane(fullBefore, 4);
        lu.solveOne(oneFull);
        assertThat(oneFull).containsExactly(lane(full, 4));
        double[] oneAdjoint = lane(adjointBefore, 6);
        lu.solveOneTransposed(oneAdjoint, new LuFactors.Reach(pattern).of(rows, 3));
        assertThat(oneAdjoint).containsExactly(lane(adjoint, 6));
    }

    @Test
    void rowsThatDependOnNoChangeAreTheSameBits() {
        Grid grid = grid(4, 0.4);
        LuPattern pattern = LuPattern.of(SIDE * SIDE, grid.start, grid.column);
        LuFactors base = new LuFactors(pattern);
        assertThat(base.factor(grid.m)).isTrue();
        double[] other = grid.m.clone();
        other[17] *= 0.5;
        other[200] *= 0.9;
        LuFactors anew = new LuFactors(pattern);
        LuFactors updated = new LuFactors(pattern);
        assertThat(anew.factor(other)).isTrue();
        assertThat(updated.factor(other, base, grid.m)).isTrue();
        double[] x = new double[SIDE * SIDE];
        Arrays.fill(x, 1);
        double[] y = x.clone();
        anew.solveOne(x);
        updated.solveOne(y);
        assertThat(y).containsExactly(x);
        double[] before = new double[SIDE * SIDE];
        Arrays.fill(before, 1);
        base.solveOne(before);
        assertThat(before).isNotEqualTo(x);
    }

    /** Two nodes that lead to each other by m: the spectral radius is m. */
    @Test
    void positivePivotsSayThatTheSpectralRadiusIsBelowOne() {
        LuFactors lu = new LuFactors(LuPattern.of(2, new int[] {0, 1, 2}, new int[] {1, 0}));
        assertThat(lu.factor(new double[] {0.5, 1.99})).isTrue();
        assertThat(lu.factor(new double[] {0.5, 2})).isFalse();
        assertThat(lu.factor(new double[] {3, 3})).isFalse();
        assertThat(lu.factor(new double[] {Double.NaN, 0})).isFalse();
    }

    private static double[] lane(double[] x, int lane) {
        return IntStream.range(0, x.length / LuFactors.LANES)
                .mapToDouble(i -> x[i * LuFactors.LANES + lane])
                .toArray();
    }

    private static void close(double[] found, double[] truth) {
        for (int i = 0; i < truth.length; i++) {
            assertThat(found[i]).isCloseTo(truth[i], within(1e-12 * Math.max(1, Math.abs(truth[i]))));
        }
    }
}
