package dev.revealed.imitate;

import dev.revealed.mdp.Episode;
import dev.revealed.mdp.Episode.Ending;
import dev.revealed.mdp.Episodes;
import dev.revealed.mdp.PushedPoint;
import java.util.List;

/** A point on a line that the action pushes; it ends where it leaves [-1, 1], or after so many steps. */
public final class Drift extends PushedPoint {
    private final double reward;

    public Drift(int horizon) {
        this(horizon, 0);
    }

    /** @param reward of every step */
    public Drift(int horizon, double reward) {
        super("drift", horizon, 0.5, 0.2);
        this.reward = reward;
    }

    /** An expert that stays near a half, as long as it may. */
    public static Episodes expert(int horizon) {
        float[] observations = new float[horizon + 1];
        float[] actions = new float[horizon];
        for (int t = 0; t <= horizon; t++) {
            observations[t] = 0.5f + 0.02f * (float) Math.sin(t);
        }
        for (int t = 0; t < horizon; t++) {
            actions[t] = (observations[t + 1] - observations[t]) / 0.2f;
        }
        return new Episodes(List.of(new Episode(horizon, observations, actions, null, Ending.TRUNCATED)));
    }

    @Override
    protected double pay(double from, double action, double to) {
        return reward;
    }

    @Override
    public boolean terminated() {
        return Math.abs(x()) > 1;
    }
}
