package dev.revealed.app.estimate;

import dev.revealed.data.ProcessData;
import dev.revealed.mdp.LinearReward;
import dev.revealed.mdp.Mdp;
import dev.revealed.mdp.model.GridWorld;
import dev.revealed.mdp.model.RandomProcess;
import dev.revealed.numeric.RandomStream;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** Built-in processes with a true reward, to simulate from. */
final class Models {
    private Models() {}

    /** A process, and the parameters of its true reward. */
    record Model(ProcessData data, double[] theta) {}

    enum Name {
        GRIDWORLD,
        RANDOM
    }

    static Model of(Name name, int size, double discount, RandomStream stream) {
        return switch (name) {
            case GRIDWORLD -> gridWorld(size, discount);
            case RANDOM -> random(size, discount, stream);
        };
    }

    /** A walker who likes home (a corner), dislikes mud (a diagonal ditch) and enjoys shade (the far quarter). */
    private static Model gridWorld(int size, double discount) {
        GridWorld grid = new GridWorld(size, 0.3);
        double[][] features = new double[grid.states()][3];
        for (int s = 0; s < grid.states(); s++) {
            int row = s / size;
            int column = s % size;
            features[s][0] = s == grid.states() - 1 ? 1 : 0;
            features[s][1] = row + column == size && row > 0 && row < size - 1 ? 1 : 0;
            features[s][2] = row < size / 3 && column >= size - size / 3 ? 1 : 0;
        }
        LinearReward reward = LinearReward.ofStates(GridWorld.ACTIONS, List.of("home", "mud", "shade"), features);
        return model(grid.mdp(discount), reward, new double[] {2, -1.5, 0.5});
    }

    private static Model random(int states, double discount, RandomStream stream) {
        Mdp mdp = RandomProcess.of(states, 3, 4, states, discount, stream.named("kernel"));
        RandomStream draws = stream.named("features");
        double[][] features = new double[mdp.rows()][4];
        for (double[] row : features) {
            Arrays.setAll(row, j -> draws.nextDouble(-1, 1));
        }
        LinearReward reward = LinearReward.ofRows(
                3, IntStream.rangeClosed(1, 4).mapToObj(j -> "x" + j).toList(), features);
        return model(mdp, reward, new double[] {1, -1, 0.5, 0});
    }

    private static Model model(Mdp mdp, LinearReward reward, double[] theta) {
        double[] rows = new double[mdp.rows()];
        reward.values(theta, rows);
        return new Model(new ProcessData(mdp, true, Optional.of(reward), Optional.empty(), Optional.of(rows)), theta);
    }
}
