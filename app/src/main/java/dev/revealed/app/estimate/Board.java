package dev.revealed.app.estimate;

import dev.revealed.app.view.PageMap;
import dev.revealed.estimate.Problem;
import dev.revealed.mdp.Kernel;
import dev.revealed.mdp.SoftPolicy;
import dev.revealed.mdp.SoftProcess;
import dev.revealed.mdp.Trajectory;
import java.util.Optional;

/**
 * A process whose moves are those on a board, seen as one: each action most likely leads to a neighbouring cell or stays.
 * Cells are counted along rows.
 */
final class Board {
    private static final int MOST_STATES = 10_000;
    private static final double TOLERANCE = 1e-8;
    private static final int STAY = 4;

    private final Kernel kernel;
    private final int columns;

    private Board(Kernel kernel, int columns) {
        this.kernel = kernel;
        this.columns = columns;
    }

    /** The board that a process is, where it is one. */
    static Optional<Board> of(Kernel kernel) {
        if (kernel.states() > MOST_STATES) {
            return Optional.empty();
        }
        int columns = 0;
        for (int row = 0; row < kernel.rows(); row++) {
            int step = Math.abs(likeliest(kernel, row) - row / kernel.actions());
            if (step > 1 && columns != 0 && step != columns) {
                return Optional.empty();
            }
            columns = step > 1 ? step : columns;
        }
        if (columns == 0 || kernel.states() % columns != 0) {
            return Optional.empty();
        }
        boolean[] seen = new boolean[STAY + 1];
        for (int row = 0; row < kernel.rows(); row++) {
            int from = row / kernel.actions();
            int to = likeliest(kernel, row);
            if (Math.abs(from - to) == 1 && from / columns != to / columns) {
                return Optional.empty(); // around the edge
            }
            seen[way(from, to)] = true;
        }
        return seen[0] && seen[1] && seen[2] && seen[3] ? Optional.of(new Board(kernel, columns)) : Optional.empty();
    }

    private static int likeliest(Kernel kernel, int row) {
        int best = kernel.rowStart()[row];
        for (int i = best; i < kernel.rowStart()[row + 1]; i++) {
            best = kernel.probability()[i] > kernel.probability()[best] ? i : best;
        }
        return kernel.successor()[best];
    }

    /** Right, left, down, up, stay. */
    private static int way(int from, int to) {
        int step = to - from;
        return step == 0 ? STAY : step == 1 ? 0 : step == -1 ? 1 : step > 0 ? 2 : 3;
    }

    /** An estimated reward, its soft values and policy, and how often each cell was visited. */
    PageMap map(Problem problem, double[] theta) {
        SoftProcess process = problem.process();
        double[] rewards = new double[kernel.rows()];
        problem.reward().values(theta, rewards);
        SoftPolicy policy = SoftPolicy.start(process);
        process.solver().solve(rewards, policy, TOLERANCE);
        double[] reward = new double[kernel.states()];
        double[][] ways = new double[kernel.states()][STAY + 1];
        for (int row = 0; row < kernel.rows(); row++) {
            int state = row / kernel.actions();
            double probability = policy.policy()[row];
            reward[state] += probability * rewards[row];
            int way = way(state, likeliest(kernel, row));
            ways[state][way] = Math.rint(1e4 * (ways[state][way] + probability)) / 1e4;
        }
        double[] visits = new double[kernel.states()];
        for (Trajectory walk : problem.demonstrations().trajectories()) {
            for (int state : walk.states()) {
                visits[state]++;
            }
        }
        return PageMap.board(columns)
                .with("reward", reward)
                .with("value", policy.values().clone())
                .with("visits", visits)
                .policy(ways);
    }
}
