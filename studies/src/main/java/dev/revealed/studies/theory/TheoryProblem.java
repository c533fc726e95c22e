package dev.revealed.studies.theory;

import dev.revealed.estimate.Problem;
import dev.revealed.mdp.InformationCost;
import dev.revealed.mdp.LinearReward;
import dev.revealed.mdp.Mdp;
import dev.revealed.mdp.Simulation;
import dev.revealed.mdp.SoftPolicy;
import dev.revealed.mdp.SoftProcess;
import dev.revealed.mdp.SoftSolver;
import dev.revealed.mdp.model.RandomProcess;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Vec;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * The process the guarantees are tried on: random transitions, so that Assumption 2's chain mixes, features within
 * [-1, 1], and an expert whose reward is among those that can be learned.
 *
 * @param truth the expert's parameters
 * @param expert the expert's policy and occupancy
 * @param problem with demonstrations long enough to count as infinite
 */
public record TheoryProblem(Mdp mdp, LinearReward reward, double[] truth, SoftPolicy expert, Problem problem) {

    static TheoryProblem of(TheoryStudy.Settings settings, RandomStream stream) {
        Mdp mdp = process(settings.process(), stream.named("process"));
        LinearReward reward = features(mdp, settings.process().features(), stream.named("features"));
        double[] truth = IntStream.range(0, settings.process().features())
                .mapToDouble(j -> (j % 2 == 0 ? 1.0 : -1.0) / (1 + j / 2))
                .toArray();
        SoftPolicy expert = optimal(mdp, reward, truth);
        Problem problem = Problem.of(
                mdp,
                reward,
                new Simulation(mdp, expert.logPolicy())
                        .demonstrations(settings.demonstrations(), length(mdp), stream.named("demonstrations")));
        return new TheoryProblem(mdp, reward, truth, expert, problem);
    }

    static Mdp process(TheoryStudy.Size size, RandomStream stream) {
        return RandomProcess.of(size.states(), size.actions(), 3, size.states(), size.discount(), stream);
    }

    static LinearReward features(Mdp mdp, int width, RandomStream stream) {
        double[][] rows = new double[mdp.rows()][width];
        for (double[] row : rows) {
            for (int j = 0; j < width; j++) {
                row[j] = stream.nextDouble(-1, 1);
            }
        }
        return LinearReward.ofRows(
                mdp.actions(), IntStream.range(0, width).mapToObj(j -> "x" + j).toList(), rows);
    }

    /** The largest max phi_j - min phi_j. */
    double featureWidth() {
        return Arrays.stream(reward.derivatives(truth))
                .mapToDouble(Vec::span)
                .max()
                .orElseThrow();
    }

    /** Paths of the expert. */
    Paths paths() {
        return new Paths(mdp, new Simulation(mdp, expert.logPolicy()));
    }

    /** Decisions after which what follows is discounted away. */
    int length() {
        return length(mdp);
    }

    private static int length(Mdp mdp) {
        return (int) Math.ceil(Math.log(TheoryStudy.CUT) / Math.log(mdp.discount()));
    }

    /** Where runs start: as wrong as the truth is long, so that the theorem's transients are there to be seen. */
    double[] opposite() {
        return Arrays.stream(truth).map(x -> -x).toArray();
    }

    /** The expected discounted sum of a payoff, row by row, when the expert acts. */
    double expectation(double[] payoff) {
        double sum = 0;
        for (int row = 0; row < payoff.length; row++) {
            sum += expert.policy()[row] * expert.occupancy()[row / mdp.actions()] * payoff[row];
        }
        return sum;
    }

    /** The soft-optimal policy of a reward with its exact occupancy. */
    public static SoftPolicy optimal(Mdp mdp, LinearReward reward, double[] theta) {
        SoftProcess process = new SoftProcess(mdp, InformationCost.STANDARD);
        SoftSolver solver = new SoftSolver(process);
        SoftPolicy policy = SoftPolicy.start(process);
        double[] rows = new double[mdp.rows()];
        reward.values(theta, rows);
        solver.solve(rows, policy, 1e-13);
        solver.under(policy.policy()).occupancy(mdp.start(), policy.occupancy());
        return policy;
    }

    /** The soft-optimal policy of a reward row by row, without its occupancy. */
    public static SoftPolicy optimal(Mdp mdp, double[] rows, double tolerance) {
        SoftProcess process = new SoftProcess(mdp, InformationCost.STANDARD);
        SoftPolicy policy = SoftPolicy.start(process);
        new SoftSolver(process).solve(rows, policy, tolerance);
        return policy;
    }
}
