package dev.revealed.estimate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.revealed.mdp.Demonstrations;
import dev.revealed.mdp.InformationCost;
import dev.revealed.mdp.Mdp;
import dev.revealed.mdp.Reward;
import dev.revealed.mdp.Trajectory;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Vec;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Lemma 2 against central differences, and what the finite horizon must not break. */
class GradientTest {

    @ParameterizedTest(name = "{0} state-only={1} {2} seed={3}")
    @CsvSource({
        "linear, false, SURROGATE, 1",
        "linear, true, SURROGATE, 2",
        "perceptron, false, SURROGATE, 3",
        "perceptron, true, SURROGATE, 4",
        "linear, false, PANEL, 5",
        "linear, true, PANEL, 6",
        "perceptron, false, PANEL, 7",
        "perceptron, true, PANEL, 8",
    })
    void equalsCentralDifferences(String kind, boolean stateOnly, Problem.Objective objective, long seed) {
        Problem problem =
                problem(kind, stateOnly, seed).withObjective(objective).withRidge(0.3);
        double[] theta = problem.reward().initial(RandomStream.of(seed).named("theta"));
        for (int j = 0; j < theta.length; j++) {
            theta[j] += 0.3 * Math.sin(j + 1);
        }
        assertGradient(problem, theta);
    }

    /**
     * The last state unseen, a reference policy, a temperature and shocks whose scale depends on the state: nothing in the
     * formula is special to the defaults.
     */
    @ParameterizedTest
    @CsvSource({"SURROGATE, false", "PANEL, false", "SURROGATE, true", "PANEL, true"})
    void equalsCentralDifferencesInGeneralForm(Problem.Objective objective, boolean scaled) {
        Problem simple = problem("linear", false, 11);
        Mdp mdp = simple.mdp();
        RandomStream stream = RandomStream.of(12);
        double[] reference = new double[mdp.rows()];
        for (int s = 0; s < mdp.states(); s++) {
            double u = stream.nextDouble(0.1, 0.4);
            reference[s * 3] = u;
            reference[s * 3 + 1] = 1 - u;
            reference[s * 3 + 2] = 0; // an action that is not available
        }
        InformationCost plain = InformationCost.of(0.7, 3, reference);
        InformationCost cost = scaled ? plain.scaled(new double[] {0.4, 2, 1, 3, 0.7, 1.5, 0.3}) : plain;
        double[] theta = {0.5, -0.4, 0.2};
        Demonstrations data = Examples.demonstrations(mdp, cost, simple.reward(), theta, 4, 6, stream);
        Demonstrations unfinished = new Demonstrations(data.trajectories().stream()
                .map(t -> new Trajectory(
                        java.util.Arrays.copyOf(t.states(), t.length()), java.util.Objects.requireNonNull(t.actions())))
                .toList());
        assertGradient(
                new Problem(mdp, cost, simple.reward(), unfinished, objective, 0), new double[] {0.1, 0.2, -0.3});
    }

    @ParameterizedTest
    @CsvSource({"0.5", "0.95", "0.999"})
    void aConstantInTheRewardChangesNothing(double discount) {
        RandomStream stream = RandomStream.of(21);
        Mdp mdp = Examples.mdp(6, 3, discount, stream);
        Reward reward = dev.revealed.mdp.LinearReward.perStateAction(6, 3);
        double[] theta = stream.doubles(18, -1, 1).toArray();
        Demonstrations ragged = new Demonstrations(java.util.stream.IntStream.range(0, 8)
                .mapToObj(i -> Examples.demonstrations(
                                mdp, InformationCost.STANDARD, reward, theta, 1, 1 + i, stream.at(i))
                        .trajectories()
                        .getFirst())
                .toList());
        Problem problem = Problem.of(mdp, reward, ragged);
        ExactLikelihood exact = new ExactLikelihood(problem, problem.process());
        double[] raised = theta.clone();
        for (int j = 0; j < raised.length; j++) {
            raised[j] += 3;
        }
        assertThat(exact.logLikelihood(raised)).isCloseTo(exact.logLikelihood(theta), within(1e-9));
    }

    /** On a deterministic process the surrogate is the discounted likelihood itself: no transition is mismatched. */
    @org.junit.jupiter.api.Test
    void surrogateIsTheDiscountedLikelihoodWhereTransitionsAreCertain() {
        RandomStream stream = RandomStream.of(31);
        int n = 7;
        var kernel = dev.revealed.mdp.Kernel.of(n, 2, (s, a, row) -> row.add((s * 2 + a + 1) % n, 1));
        double[] start = new double[n];
        start[3] = 1;
        Mdp mdp = new Mdp(kernel, 0.9, start);
        Reward reward = Examples.linear(mdp, false, 2, stream);
        double[] theta = {0.7, -0.5};
        Demonstrations data =
                Examples.demonstrations(mdp, InformationCost.STANDARD, reward, theta, 5, 9, stream.named("data"));
        Problem problem = Problem.of(mdp, reward, data);
        ExactLikelihood exact = new ExactLikelihood(problem, problem.process());
        double surrogate = exact.logLikelihood(theta);
        double[] logPolicy = exact.policy().logPolicy();
        double direct = 0;
        for (Trajectory t : data.trajectories()) {
            for (int k = 0; k < t.length(); k++) {
                direct += Math.pow(0.9, k)
                        * logPolicy[t.states()[k] * 2 + java.util.Objects.requireNonNull(t.actions())[k]]
                        / data.size();
            }
        }
        assertThat(surrogate).isCloseTo(direct, within(1e-10));
    }

    private static Problem problem(String kind, boolean stateOnly, long seed) {
        RandomStream stream = RandomStream.of(seed);
        Mdp mdp = Examples.mdp(7, 3, 0.9, stream.named("mdp"));
        Reward reward = kind.equals("linear")
                ? Examples.linear(mdp, stateOnly, 3, stream.named("features"))
                : Examples.perceptron(mdp, stateOnly, stream.named("features"));
        double[] truth = reward.initial(stream.named("truth"));
        for (int j = 0; j < truth.length; j++) {
            truth[j] += 0.5 * Math.cos(j);
        }
        return Problem.of(
                mdp,
                reward,
                Examples.demonstrations(mdp, InformationCost.STANDARD, reward, truth, 5, 7, stream.named("data")));
    }

    private static void assertGradient(Problem problem, double[] theta) {
        ExactLikelihood exact = new ExactLikelihood(problem, problem.process());
        double[] gradient = new double[theta.length];
        exact.at(theta, gradient);
        double scale = Math.max(1, Vec.maxAbs(gradient));
        double h = 1e-5;
        for (int j = 0; j < theta.length; j++) {
            double[] up = theta.clone();
            double[] down = theta.clone();
            up[j] += h;
            down[j] -= h;
            double difference = (exact.value(up) - exact.value(down)) / (2 * h);
            assertThat(gradient[j]).as("component %d", j).isCloseTo(difference, within(1e-6 * scale));
        }
    }
}
