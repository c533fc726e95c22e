package dev.revealed.imitate.world;

import dev.revealed.mdp.Simulator;
import dev.revealed.neural.RewardNetwork;
import java.util.List;
import java.util.stream.Stream;

/** The learning problem of a policy for a fixed reward in a learnt world, by rollouts that begin at logged states. */
public record LearntWorld(OfflineData data, Rollouts settings) {
    private static final int MOST_MEASURED = 50_000; // rows: more make no better estimate of a deviation

    /** Worlds to learn in. */
    public List<Simulator> simulators(Simulator.Space space, int count) {
        OfflineData.Measured measured = data.measured(settings);
        TransitionRows log = data.log();
        return Stream.generate(() -> measured.learningWorld(
                        settings, (stream, into, at) -> log.state(stream.nextInt(log.count()), into, at), space))
                .limit(count)
                .toList();
    }

    /** From now on uncertainty costs the reward: a multiple of its standard deviation over the log. */
    public void penalise(RewardNetwork reward) {
        reward.penalise((float) (settings.penaltyWeight() * deviation(reward)));
    }

    private double deviation(RewardNetwork reward) {
        TransitionRows log = data.log();
        int rows = Math.min(log.count(), MOST_MEASURED);
        int wide = log.observations();
        int acts = log.actions();
        float[] states = new float[rows * wide];
        float[] actions = new float[rows * acts];
        for (int i = 0; i < rows; i++) {
            int row = (int) ((long) i * log.count() / rows);
            log.state(row, states, i * wide);
            System.arraycopy(log.pairs(), row * log.width() + wide, actions, i * acts, acts);
        }
        float[] rewards = reward.of(states, actions, rows);
        double mean = 0;
        for (float each : rewards) {
            mean += each / rows;
        }
        double squares = 0;
        for (float each : rewards) {
            squares += (each - mean) * (each - mean) / rows;
        }
        return Math.sqrt(squares);
    }

    /** Of world and log, by which others are noticed. */
    public long checksum() {
        return data.checksum();
    }
}
