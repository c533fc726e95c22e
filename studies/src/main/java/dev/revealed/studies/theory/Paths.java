package dev.revealed.studies.theory;

import dev.revealed.mdp.Mdp;
import dev.revealed.mdp.Simulation;
import dev.revealed.numeric.RandomStream;

/** Discounted sums along simulated paths, without keeping the paths. */
record Paths(Mdp mdp, Simulation simulation) {

    /** Adds to {@code sums[j]} the discounted sum of {@code payoffs[j]}, row by row, along one fresh path. */
    void add(double[][] payoffs, RandomStream stream, double[] sums) {
        int state = simulation.start(stream);
        for (double weight = 1; weight > TheoryStudy.CUT; weight *= mdp.discount()) {
            int action = simulation.act(state, stream);
            int row = state * mdp.actions() + action;
            for (int j = 0; j < sums.length; j++) {
                sums[j] += weight * payoffs[j][row];
            }
            state = simulation.move(state, action, stream);
        }
    }
}
