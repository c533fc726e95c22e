package dev.revealed.estimate;

import dev.revealed.mdp.Demonstrations;
import dev.revealed.mdp.InformationCost;
import dev.revealed.mdp.LinearReward;
import dev.revealed.mdp.Mdp;
import dev.revealed.mdp.PerceptronReward;
import dev.revealed.mdp.Reward;
import dev.revealed.mdp.Simulation;
import dev.revealed.mdp.SoftPolicy;
import dev.revealed.mdp.SoftProcess;
import dev.revealed.mdp.SoftSolver;
import dev.revealed.mdp.model.RandomProcess;
import dev.revealed.numeric.RandomStream;
import java.util.stream.IntStream;

/** Small random problems that tests share. */
final class Examples {
    private Examples() {}

    static Mdp mdp(int states, int actions, double discount, RandomStream stream) {
        return RandomProcess.of(states, actions, 3, states, discount, stream);
    }

    static double[][] features(int rows, int width, RandomStream stream) {
        double[][] features = new double[rows][width];
        for (double[] row : features) {
            for (int j = 0; j < width; j++) {
                row[j] = stream.nextGaussian();
            }
        }
        return features;
    }

    static Reward linear(Mdp mdp, boolean stateOnly, int width, RandomStream stream) {
        var names = IntStream.range(0, width).mapToObj(j -> "x" + j).toList();
        return stateOnly
                ? LinearReward.ofStates(mdp.actions(), names, features(mdp.states(), width, stream))
                : LinearReward.ofRows(mdp.actions(), names, features(mdp.rows(), width, stream));
    }

    static Reward perceptron(Mdp mdp, boolean stateOnly, RandomStream stream) {
        return stateOnly
                ? PerceptronReward.ofStates(mdp.actions(), features(mdp.states(), 3, stream), 4, 3)
                : PerceptronReward.ofRows(mdp.actions(), features(mdp.rows(), 3, stream), 4, 3);
    }

    static SoftPolicy expert(Mdp mdp, InformationCost cost, Reward reward, double[] theta) {
        SoftProcess process = new SoftProcess(mdp, cost);
        double[] rows = new double[mdp.rows()];
        reward.values(theta, rows);
        SoftPolicy policy = SoftPolicy.start(process);
        new SoftSolver(process).solve(rows, policy, 1e-12);
        return policy;
    }

    static Demonstrations demonstrations(
            Mdp mdp, InformationCost cost, Reward reward, double[] theta, int count, int length, RandomStream stream) {
        return new Simulation(mdp, expert(mdp, cost, reward, theta).logPolicy()).demonstrations(count, length, stream);
    }
}
