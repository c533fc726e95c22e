package dev.revealed.train;

import dev.revealed.mdp.Episode;
import dev.revealed.mdp.Episodes;
import dev.revealed.mdp.Simulator;
import dev.revealed.numeric.RandomStream;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** Compares where demonstrations begin with where the task begins: those of another robot begin elsewhere. */
final class InitialStates {
    private static final int DRAWN = 20;
    private static final int STEPS = 3; // some recordings begin after the first step
    /** Times the range of what was seen in so many beginnings, to either side of it. */
    private static final double FAR = 3;

    private static final double ROUNDING = 1e-3;

    private InitialStates() {}

    /** A caution where most demonstrations begin far from every initial state of the task. */
    static Optional<String> caution(Episodes demonstrations, Simulator simulator) {
        int width = simulator.space().observations();
        float[] seen = new float[width];
        float[] action = new float[simulator.space().actions().size()];
        float bound = simulator.space().actions() instanceof Simulator.Actions.Box box ? box.bound() : 0;
        float[] low = new float[width];
        float[] high = new float[width];
        Arrays.fill(low, Float.POSITIVE_INFINITY);
        Arrays.fill(high, Float.NEGATIVE_INFINITY);
        for (int i = 0; i < DRAWN; i++) {
            RandomStream stream = RandomStream.of(i).named("beginnings");
            simulator.reset(stream);
            for (int t = 0; t < STEPS; t++) {
                simulator.observe(seen, 0);
                for (int j = 0; j < width; j++) {
                    low[j] = Math.min(low[j], seen[j]);
                    high[j] = Math.max(high[j], seen[j]);
                }
                for (int j = 0; j < action.length; j++) {
                    action[j] = bound * (2 * stream.nextFloat() - 1);
                }
                simulator.step(action, 0);
            }
        }
        for (int j = 0; j < width; j++) {
            double room = Math.max(ROUNDING, FAR * (high[j] - low[j]));
            int far = 0;
            for (Episode one : demonstrations.all()) {
                float first = one.observations()[j];
                far += first < low[j] - room || first > high[j] + room ? 1 : 0;
            }
            if (2 * far > demonstrations.size()) {
                String task = simulator.space().name();
                float first = demonstrations.all().getFirst().observations()[j];
                return Optional.of(String.format(
                        Locale.ROOT,
                        "caution: %d of %d demonstrations begin elsewhere than episodes of %s do: observation %d is %.4g in"
                                + " the first, and from %.4g to %.4g there. Are they of this task?",
                        far,
                        demonstrations.size(),
                        task,
                        j,
                        first,
                        low[j],
                        high[j]));
            }
        }
        return Optional.empty();
    }
}
