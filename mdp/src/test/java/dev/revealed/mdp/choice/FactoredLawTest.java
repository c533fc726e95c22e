package dev.revealed.mdp.choice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.revealed.mdp.InformationCost;
import dev.revealed.mdp.Kernel;
import dev.revealed.mdp.Mdp;
import dev.revealed.mdp.SoftPolicy;
import dev.revealed.mdp.SoftProcess;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.Parallel;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Vec;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Kernels kept as factors against the matrix that they are the factors of. */
class FactoredLawTest {
    private static final int ACTIONS = 2;
    private static final double[] PHI = {0.1, 0.8, 0.4, 0.3, 0.25, -0.05, 0.6, 0.5};

    private static double[] grid(int n) {
        double[] grid = new double[n];
        for (int i = 0; i < n; i++) {
            grid[i] = -2 + 4.0 * i / (n - 1);
        }
        return grid;
    }

    /** An autoregression that an action sets back, steps whose size the first variable decides, and a second autoregression. */
    private static TransitionLaw law(int x, int y, int z) {
        StateSpace space = StateSpace.of(
                new StateSpace.Variable("x", grid(x)),
                new StateSpace.Variable("y", grid(y)),
                new StateSpace.Variable("z", grid(z)));
        Shifts shifts = new Shifts(List.of("p0", "p1"), new int[] {0, 1, 2}, y);
        List<String> first = List.of("mu", "rho", "sigma");
        List<String> second = List.of("level", "persistence", "volatility");
        double[] unknown = {Double.NaN, Double.NaN, Double.NaN};
        return new TransitionLaw(
                space,
                ACTIONS,
                List.of(
                        new TransitionLaw.Part(
                                new AutoregressiveProcess(grid(x), first, unknown),
                                (s, a) -> a == 1 ? 0 : space.coordinate(s, 0),
                                TransitionLaw.Destination.OUTCOME),
                        new TransitionLaw.Part(
                                shifts,
                                (s, a) -> space.coordinate(s, 1),
                                (s, a, o) -> space.coordinate(s, 0) > 1
                                        ? shifts.destination(space.coordinate(s, 1), o)
                                        : Math.max(0, space.coordinate(s, 1) - o)),
                        new TransitionLaw.Part(
                                new AutoregressiveProcess(grid(z), second, unknown),
                                (s, a) -> space.coordinate(s, 2),
                                (s, a, o) -> o)));
    }

    private static double[] numbers(int n, long seed) {
        return new java.util.Random(seed).doubles(n, -1, 1).toArray();
    }

    /** The product written out: sums over every combination of outcomes. */
    private static double[] expected(TransitionLaw law, double[] phi, double[] values) {
        StateSpace space = law.space();
        double[] rows = new double[space.size() * ACTIONS];
        for (int row = 0; row < rows.length; row++) {
            int s = row / ACTIONS;
            int a = row % ACTIONS;
            double[][] p = new double[3][];
            for (int v = 0; v < 3; v++) {
                TransitionLaw.Part part = law.parts().get(v);
                p[v] = part.family().probabilities(law.of(v, phi), part.cell().of(s, a));
            }
            for (int i = 0; i < p[0].length; i++) {
                for (int j = 0; j < p[1].length; j++) {
                    for (int k = 0; k < p[2].length; k++) {
                        int to = law.parts().get(0).destination().of(s, a, i) * space.stride(0)
                                + law.parts().get(1).destination().of(s, a, j) * space.stride(1)
                                + law.parts().get(2).destination().of(s, a, k);
                        rows[row] += p[0][i] * p[1][j] * p[2][k] * values[to];
                    }
                }
            }
        }
        return rows;
    }

    private static Kernel factored(TransitionLaw law) {
        Kernel kernel = law.planned(TransitionLaw.Plan.FACTORED).kernel(PHI);
        assertThat(kernel.operator()).isNotNull();
        return kernel;
    }

    @Test
    void expectationsAreThoseOfTheProduct() {
        TransitionLaw law = law(5, 4, 6);
        double[] values = numbers(law.space().size(), 1);
        double[] rows = new double[law.space().size() * ACTIONS];
        factored(law).expect(values, rows);
        assertThat(rows).containsExactly(expected(law, PHI, values), within(1e-13));
    }

    /** flow' (P values) = (P' flow)' values, for any flow and values. */
    @Test
    void pushingIsTheTransposedProduct() {
        TransitionLaw law = law(5, 4, 6);
        double[] values = numbers(law.space().size(), 2);
        double[] flow = numbers(law.space().size() * ACTIONS, 3);
        double[] next = new double[values.length];
        factored(law).push(flow, next);
        assertThat(Vec.dot(next, values)).isCloseTo(Vec.dot(flow, expected(law, PHI, values)), within(1e-12));
    }

    @Test
    void derivativesAreThoseOfTheProduct() {
        TransitionLaw law = law(5, 4, 6).planned(TransitionLaw.Plan.FACTORED);
        double[] values = numbers(law.space().size(), 4);
        double[] weight = numbers(law.space().size() * ACTIONS, 5);
        double[] gradient = law.gradient(PHI, weight, values);
        double[] rows = new double[weight.length];
        double h = 1e-5;
        for (int k = 0; k < PHI.length; k++) {
            double[] up = PHI.clone();
            double[] down = PHI.clone();
            up[k] += h;
            down[k] -= h;
            double[] slope = Vec.plus(expected(law, up, values), -1, expected(law, down, values));
            law.derivative(PHI, k, values, rows);
            for (int row = 0; row < rows.length; row++) {
                assertThat(rows[row]).isCloseTo(slope[row] / (2 * h), within(1e-8));
            }
            assertThat(gradient[k]).isCloseTo(Vec.dot(weight, rows), within(1e-11));
        }
    }

    @Test
    void solutionsAndOccupanciesAreThoseOfTheEntries() {
        TransitionLaw law = law(6, 5, 5);
        double[] reward = numbers(law.space().size() * ACTIONS, 6);
        SoftPolicy[] solved = new SoftPolicy[2];
        for (int i = 0; i < 2; i++) {
            TransitionLaw.Plan plan = i == 0 ? TransitionLaw.Plan.ENTRIES : TransitionLaw.Plan.FACTORED;
            Mdp mdp = Mdp.uniformStart(law.planned(plan).kernel(PHI), 0.99);
            SoftProcess process = new SoftProcess(mdp, InformationCost.STANDARD);
            solved[i] = SoftPolicy.start(process);
            process.solver().solve(reward, solved[i], 1e-11).orThrow();
            process.solver().under(solved[i].policy()).occupancy(mdp.start(), solved[i].occupancy());
        }
        assertThat(solved[1].values()).containsExactly(solved[0].values(), within(1e-8));
        assertThat(solved[1].logPolicy()).containsExactly(solved[0].logPolicy(), within(1e-9));
        assertThat(solved[1].occupancy()).containsExactly(solved[0].occupancy(), within(1e-9));
    }

    @Test
    void sameBytesWhateverTheThreads() {
        TransitionLaw law = law(30, 20, 40);
        double[] values = numbers(law.space().size(), 7);
        double[] flow = numbers(law.space().size() * ACTIONS, 8);
        double[][] rows = new double[2][flow.length];
        double[][] next = new double[2][values.length];
        for (int i = 0; i < 2; i++) {
            Parallel.threads(1 + 2 * i);
            Kernel kernel = law.kernel(PHI);
            assertThat(kernel.operator()).as("chosen by itself at this size").isNotNull();
            kernel.expect(values, rows[i]);
            kernel.push(flow, next[i]);
        }
        Parallel.threads(Runtime.getRuntime().availableProcessors());
        assertThat(rows[1]).containsExactly(rows[0]);
        assertThat(next[1]).containsExactly(next[0]);
    }

    @Test
    void drawsWhereItMayLead() {
        TransitionLaw law = law(5, 4, 6);
        Kernel kernel = factored(law);
        double[] shares = new double[law.space().size()];
        RandomStream stream = RandomStream.of(3);
        int row = 17;
        int draws = 20_000;
        for (int i = 0; i < draws; i++) {
            shares[kernel.draw(row, stream)] += 1.0 / draws;
        }
        double[] truth = new double[shares.length];
        kernel.successors(row, (s, p) -> truth[s] += p);
        for (int s = 0; s < truth.length; s++) {
            assertThat(shares[s]).isCloseTo(truth[s], within(5 * Math.sqrt(truth[s] / draws) + 1e-9));
            assertThat(kernel.leads(row, s)).isEqualTo(truth[s] > 0);
        }
    }

    @Test
    void refusesToWriteDownWhatIsTooLarge() {
        Kernel kernel = law(60, 40, 60).kernel(PHI);
        assertThatThrownBy(kernel::rowStart)
                .isInstanceOf(BadInput.class)
                .hasMessageContaining("entry by entry")
                .hasMessageContaining("nfxp");
    }
}
