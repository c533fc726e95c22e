import dev.revealed.api.Estimates;
import dev.revealed.api.RewardEstimation;
import java.util.List;

/** The reward behind trajectories on a finite process. */
public class EstimateReward {
    public static void main(String[] args) {
        // Two states, two actions: 0 stays, 1 moves to the other state with probability 0.9.
        RewardEstimation process = RewardEstimation.on(2, 2, 0.95, (state, action, next) -> {
            next.add(1 - state, action == 1 ? 0.9 : 0.1);
            next.add(state, action == 1 ? 0.1 : 0.9);
        });
        Estimates estimates = process.stateFeatures(List.of("warm"), new double[][] {{0}, {1}})
                .trajectory(new int[] {0, 1, 1, 0, 1, 1, 1, 0, 0, 1, 1}, 1, 0, 1, 1, 0, 0, 1, 0, 1, 0) // states, actions
                .trajectory(new int[] {1, 1, 1, 0, 0, 1, 1, 1, 0, 1, 1}, 0, 0, 1, 0, 1, 0, 0, 1, 1, 0)
                .trajectory(new int[] {0, 0, 1, 1, 1, 1, 0, 1, 1, 0, 1}, 0, 1, 0, 0, 0, 1, 1, 0, 1, 1)
                .estimate();
        System.out.println(estimates);
    }
}
