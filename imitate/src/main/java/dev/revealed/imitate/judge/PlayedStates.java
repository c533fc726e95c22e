package dev.revealed.imitate.judge;

import dev.revealed.mdp.Episode;
import dev.revealed.mdp.Episodes;
import dev.revealed.mdp.Simulator;
import dev.revealed.numeric.RandomStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * A simulator that keeps its state before the first step of each episode and after every step, so that the true rewards
 * of other actions in these states can be computed later.
 */
public final class PlayedStates implements Simulator {
    private static final int MOST_ASKED = 1000; // steps; each is asked about many actions

    private final Simulator simulator;
    private final List<List<double[]>> episodes = new ArrayList<>();

    /** @param simulator the caller closes it */
    public PlayedStates(Simulator simulator) {
        this.simulator = simulator;
    }

    /**
     * True rewards of steps.
     *
     * @param own of the steps themselves
     * @param before means over drawn actions in the states of the steps, {@code after} in the states after them
     */
    public record Means(double[] own, double[] before, double[] after) {}

    /** Every how many steps it is asked, so that this does not take long. */
    public static int every(Episodes played) {
        return (int) Math.ceilDiv(played.steps(), MOST_ASKED);
    }

    /** The steps of an episode that it can be asked about: after the last one of a truncated episode no time is left. */
    public static int askable(Episode episode) {
        return episode.length() - (episode.ending() == Episode.Ending.TRUNCATED ? 1 : 0);
    }

    /**
     * Asks at every so many {@link #askable} steps of each of the episodes, which must be those that it played, in their order.
     */
    public Means means(Episodes played, int every, float[] drawnActions) {
        List<double[]> rows = new ArrayList<>();
        for (int i = 0; i < played.size(); i++) {
            Episode episode = played.all().get(i);
            List<double[]> states = episodes.get(i);
            if (states.size() != episode.length() + 1) {
                throw new IllegalArgumentException(
                        "%d states of an episode of %d steps".formatted(states.size(), episode.length()));
            }
            double[] rewards = Objects.requireNonNull(episode.rewards(), "a simulator gives its rewards");
            for (int t = 0; t < askable(episode); t += every) {
                rows.add(new double[] {
                    rewards[t], mean(states.get(t), drawnActions), mean(states.get(t + 1), drawnActions)
                });
            }
        }
        return new Means(column(rows, 0), column(rows, 1), column(rows, 2));
    }

    private static double[] column(List<double[]> rows, int k) {
        return rows.stream().mapToDouble(row -> row[k]).toArray();
    }

    private double mean(double[] state, float[] actions) {
        int width = simulator.space().actions().size();
        int draws = actions.length / width;
        double sum = 0;
        for (int k = 0; k < draws; k++) {
            simulator.restore(state);
            simulator.step(actions, k * width);
            sum += simulator.reward();
        }
        return sum / draws;
    }

    @Override
    public Space space() {
        return simulator.space();
    }

    @Override
    public void reset(RandomStream stream) {
        simulator.reset(stream);
        episodes.add(new ArrayList<>(List.of(simulator.state())));
    }

    @Override
    public void step(float[] actions, int offset) {
        simulator.step(actions, offset);
        episodes.getLast().add(simulator.state());
    }

    @Override
    public void observe(float[] into, int offset) {
        simulator.observe(into, offset);
    }

    @Override
    public double reward() {
        return simulator.reward();
    }

    @Override
    public boolean terminated() {
        return simulator.terminated();
    }

    @Override
    public boolean truncated() {
        return simulator.truncated();
    }

    @Override
    public double[] state() {
        return simulator.state();
    }

    @Override
    public void restore(double[] state) {
        simulator.restore(state);
    }
}
