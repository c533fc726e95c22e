package dev.revealed.mdp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.RandomStream;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Processes without discount that end. Truth: closed forms, and a road network by hand. */
class EndingProcessTest {
    private static final double NEVER = Double.NEGATIVE_INFINITY;

    /** Links 1 to 4 and the destination; link 4 leads there alone. */
    private static final int[][] NEXT = {{1, 2}, {2, 3}, {1, 3}, {4, 4}, {4, 4}};

    private static final double[] COST = {1, 1.5, 0.5, 2, 0.5, 1, 0, 0, 0, 0};

    private static SoftProcess roads() {
        Kernel kernel = Kernel.of(5, 2, (s, a, row) -> row.add(NEXT[s][a], 1));
        double[] weight = new double[10];
        weight[7] = NEVER;
        return new SoftProcess(Mdp.uniformStart(kernel, 1), new InformationCost(1, weight));
    }

    @Test
    void valuesOfARoadNetworkAreTheLogsOfItsLinearSystem() {
        SoftProcess process = roads();
        SoftPolicy policy = SoftPolicy.start(process);
        double[] reward = Arrays.stream(COST).map(cost -> -cost).toArray();
        assertThat(process.solver().solve(reward, policy, 1e-12).converged()).isTrue();
        double[] z = {.36745001, .56708398, .71183326, 1, 1};
        for (int s = 0; s < z.length; s++) {
            assertThat(Math.exp(policy.values()[s])).isCloseTo(z[s], within(1e-8));
        }
        assertThat(policy.policy()[0]).isCloseTo(.56774672, within(1e-8));
        assertThat(policy.policy()[2]).isCloseTo(.76134878, within(1e-8));
        double[] start = {1, 0, 0, 0, 0};
        process.solver().under(policy.policy()).occupancy(start, policy.occupancy());
        assertThat(policy.occupancy()).containsExactly(new double[] {1, 1.22857746, 1.36762923, 1, 1}, within(1e-8));
        assertThat(process.spectralRadius(reward)).isCloseTo(Math.exp(-0.5), within(1e-9));
    }

    /** Without costs the two links of the loop are driven for ever. */
    @Test
    void whereNobodyNeedEndThereAreNoValues() {
        SoftProcess process = roads();
        SoftPolicy policy = SoftPolicy.start(process);
        assertThat(process.solver().solve(new double[10], policy, 1e-10).converged())
                .isFalse();
        assertThat(process.spectralRadius(new double[10])).isCloseTo(1, within(1e-9));
        assertThat(SoftSolver.ends(process.spectralRadius(new double[10]))).isFalse();
    }

    /** Waiting yields r, trying costs 1 and ends the process with probability p: V = log(exp(r + V) + exp(-1 + (1-p) V)). */
    private static SoftProcess trying(double p) {
        Kernel kernel = Kernel.of(2, 2, (s, a, row) -> {
            if (s == 1 || a == 0) {
                row.add(s, 1);
            } else {
                row.add(0, 1 - p);
                row.add(1, p);
            }
        });
        return new SoftProcess(new Mdp(kernel, 1, new double[] {1, 0}), InformationCost.STANDARD);
    }

    @Test
    void randomTransitionsHaveTheirClosedForm() {
        double p = 0.3;
        for (double r : new double[] {-2, -0.1, -0.001}) {
            SoftProcess process = trying(p);
            SoftPolicy policy = SoftPolicy.start(process);
            double[] reward = {r, -1, 7, 7}; // what ended states would pay does not count
            assertThat(process.solver().solve(reward, policy, 1e-12).converged())
                    .isTrue();
            // exp(V) (1 - exp(r)) = exp(-1 + (1 - p) V)
            double truth = (-1 - Math.log(-Math.expm1(r))) / p;
            assertThat(policy.values()[0]).isCloseTo(truth, within(1e-9 * Math.abs(truth)));
            assertThat(policy.values()[1]).isZero();
            assertThat(process.spectralRadius(reward)).isCloseTo(Math.exp(r), within(1e-9));
        }
        SoftProcess process = trying(p);
        double[] pays = {0.1, -1, 0, 0};
        assertThat(process.solver()
                        .solve(pays, SoftPolicy.start(process), 1e-10)
                        .converged())
                .isFalse();
        assertThat(process.spectralRadius(pays)).isCloseTo(Math.exp(0.1), within(1e-9));
    }

    /** The first policies wait all but for ever, the best one does not: V = (cost - log(1 - exp(r))) / p. */
    @Test
    void whatIsDearToEndEndsAllTheSame() {
        for (double[] each : new double[][] {{1, -1, -40}, {0.3, -1, -60}, {1, -0.001, -4000}, {1, -5, -1e6}}) {
            SoftProcess process = trying(each[0]);
            SoftPolicy policy = SoftPolicy.start(process);
            double[] reward = {each[1], each[2], 0, 0};
            assertThat(process.solver().solve(reward, policy, 1e-12).converged())
                    .as(Arrays.toString(each))
                    .isTrue();
            double truth = (each[2] - Math.log(-Math.expm1(each[1]))) / each[0];
            assertThat(policy.values()[0]).isCloseTo(truth, within(1e-9 * Math.abs(truth)));
        }
    }

    /** Onwards, or back to the first of 60 states: at even odds the end is 2^60 steps away. */
    @Test
    void randomWalksThatNeverArriveDoNotMatter() {
        Kernel kernel = Kernel.of(61, 2, (s, a, row) -> row.add(s == 60 ? 60 : a == 0 ? s + 1 : 0, 1));
        SoftProcess process = new SoftProcess(Mdp.uniformStart(kernel, 1), InformationCost.STANDARD);
        SoftPolicy policy = SoftPolicy.start(process);
        double[] reward = new double[122];
        Arrays.fill(reward, -1);
        assertThat(process.solver().solve(reward, policy, 1e-12).converged()).isTrue();
        // exp(V(0)) = x^60 + (x + ... + x^60) exp(V(0)) with x = exp(-1)
        double x = Math.exp(-1);
        double back = x * (1 - Math.exp(-60)) / (1 - x);
        assertThat(policy.values()[0]).isCloseTo(-60 - Math.log(1 - back), within(1e-10));
    }

    /** One step of a ring costs as much as all others together would at 1 each: what it costs comes round late. */
    @Test
    void whatIsFarAheadCountsInTheSpectralRadius() {
        int ring = 100;
        Kernel kernel = Kernel.of(ring + 1, 2, (s, a, row) -> row.add(s == ring || a == 1 ? ring : (s + 1) % ring, 1));
        SoftProcess process = new SoftProcess(Mdp.uniformStart(kernel, 1), InformationCost.STANDARD);
        double[] reward = new double[2 * ring + 2];
        reward[0] = -ring;
        assertThat(process.spectralRadius(reward)).isCloseTo(Math.exp(-1), within(1e-6));
    }

    /** News takes as many sweeps as the square of a ring's length to settle; elimination takes one pass each. */
    @Test
    void longRingsWithCertainTransitionsAreEliminated() {
        int ring = 5000;
        Kernel kernel = Kernel.of(ring + 1, 2, (s, a, row) -> row.add(s == ring || a == 1 ? ring : (s + 1) % ring, 1));
        SoftProcess process = new SoftProcess(Mdp.uniformStart(kernel, 1), InformationCost.STANDARD);
        double[] reward = new double[2 * ring + 2];
        for (int s = 0; s < ring; s++) {
            reward[2 * s] = s % 2 == 0 ? -1 : 0.5;
        }
        assertThat(process.spectralRadius(reward)).isCloseTo(Math.exp(-0.25), within(1e-9));
    }

    /** Where every action may end the process, no reward keeps it going. */
    @Test
    void whatEndsWhateverIsDoneAlwaysHasValues() {
        Kernel kernel = Kernel.of(2, 2, (s, a, row) -> {
            row.add(s, s == 1 ? 1 : 0.75);
            row.add(1, s == 1 ? 0 : 0.25);
        });
        SoftProcess process = new SoftProcess(new Mdp(kernel, 1, new double[] {1, 0}), InformationCost.STANDARD);
        SoftPolicy policy = SoftPolicy.start(process);
        double[] reward = {3, 3, 0, 0};
        assertThat(process.solver().solve(reward, policy, 1e-12).converged()).isTrue();
        assertThat(policy.values()[0]).isCloseTo(4 * (3 + Math.log(2)), within(1e-10));
        assertThat(process.spectralRadius(reward)).isZero();
    }

    @Test
    void aProcessThatNeedNotEndIsRefused() {
        Kernel round = Kernel.of(2, 1, (s, a, row) -> row.add(1 - s, 1));
        assertThatThrownBy(() -> Mdp.uniformStart(round, 1))
                .isInstanceOf(BadInput.class)
                .hasMessageContaining("no state ends the process");
        Kernel apart = Kernel.of(3, 1, (s, a, row) -> row.add(s == 2 ? 2 : 1 - s, 1));
        assertThatThrownBy(() -> Mdp.uniformStart(apart, 1))
                .isInstanceOf(BadInput.class)
                .hasMessageContaining("from state 0 no end can be reached");
        assertThat(Mdp.uniformStart(round, 0.5).ends()).isEmpty();
    }

    @Test
    void simulationsAndTrajectoriesStopAtTheEnd() {
        SoftProcess process = trying(0.5);
        Trajectory drawn =
                new Simulation(process.mdp(), new double[] {-1, -0.5, 0, 0}).trajectory(1000, RandomStream.of(1));
        assertThat(drawn.states()[drawn.length()]).isEqualTo(1);
        assertThat(Arrays.stream(drawn.states()).filter(s -> s == 1).count()).isEqualTo(1);
        Trajectory longer = new Trajectory(new int[] {0, 0, 1, 1, 1}, new int[] {0, 1, 0, 1});
        Trajectory cut = longer.until(new int[] {1});
        assertThat(cut.states()).containsExactly(0, 0, 1);
        assertThat(cut.actions()).containsExactly(0, 1);
    }
}
