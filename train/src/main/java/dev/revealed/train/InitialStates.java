package dev.revealed.train;

import dev.revealed.mdp.Episode;
import dev.revealed.mdp.Episodes;
import dev.revealed.mdp.Simulator;
import dev.revealed.numeric.RandomStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Compares where demonstrations begin with where the task begins: those of another task, and pieces of longer ones, begin
 * elsewhere.
 *
 * <p>The range of each observation comes from the first steps of a few episodes. A demonstration begins elsewhere where one
 * of its first observations lies outside by more than the width of its range; or outside at all, where it begins with the
 * last observation of the demonstration before. The reasons are in docs/design/training.md.
 */
final class InitialStates {
    private static final int EPISODES = 60;
    private static final int STEPS = 3; // some recordings begin after the first step
    private static final double ROUNDING = 1e-3; // the least width, for observations that are constant at first
    private static final int NAMED = 10; // demonstrations that are listed at most

    private final Simulator simulator;
    private final float[] low;
    private final float[] high;

    /**
     * The observation of a demonstration's first state that is the farthest from its range.
     *
     * @param widths by how many widths of the range it is outside; 0 inside
     */
    private record Farthest(int demonstration, int observation, double value, double widths) {}

    private InitialStates(Simulator simulator) {
        this.simulator = simulator;
        low = new float[simulator.space().observations()];
        high = new float[low.length];
        Arrays.fill(low, Float.POSITIVE_INFINITY);
        Arrays.fill(high, Float.NEGATIVE_INFINITY);
        for (int i = 0; i < EPISODES; i++) {
            RandomStream stream = RandomStream.of(i).named("beginnings");
            simulator.reset(stream);
            see();
            for (int t = 1; t < Math.min(STEPS, simulator.space().horizon()); t++) {
                simulator.step(action(stream), 0);
                see();
            }
        }
    }

    /** A caution where a demonstration begins far from every initial state of the task. */
    static Optional<String> caution(Episodes demonstrations, Simulator simulator) {
        demonstrations.check(simulator.space());
        return new InitialStates(simulator).caution(demonstrations.all());
    }

    private void see() {
        float[] seen = new float[low.length];
        simulator.observe(seen, 0);
        for (int j = 0; j < seen.length; j++) {
            low[j] = Math.min(low[j], seen[j]);
            high[j] = Math.max(high[j], seen[j]);
        }
    }

    private float[] action(RandomStream stream) {
        float[] action = new float[simulator.space().actions().size()];
        for (int j = 0; j < action.length; j++) {
            action[j] = switch (simulator.space().actions()) {
                case Simulator.Actions.Box(int _, float bound) -> bound * (2 * stream.nextFloat() - 1);
                case Simulator.Actions.Choices(int count) -> stream.nextInt(count);
            };
        }
        return action;
    }

    private Optional<String> caution(List<Episode> all) {
        List<Farthest> elsewhere = new ArrayList<>();
        List<Integer> pieces = new ArrayList<>();
        boolean shuffled = false;
        Map<List<Float>, Integer> ends = new HashMap<>();
        for (int i = 0; i < all.size(); i++) {
            Episode one = all.get(i);
            ends.putIfAbsent(observation(one, one.length()), i);
        }
        for (int i = 0; i < all.size(); i++) {
            Farthest farthest = farthest(i, all.get(i));
            Integer before = ends.get(observation(all.get(i), 0));
            boolean piece = farthest.widths > 0 && before != null && before != i;
            if (piece) {
                pieces.add(i);
                shuffled |= !Objects.equals(before, i - 1);
            }
            if (piece || farthest.widths > 1) {
                elsewhere.add(farthest);
            }
        }
        if (elsewhere.isEmpty()) {
            return Optional.empty();
        }
        Farthest worst =
                elsewhere.stream().reduce((a, b) -> b.widths > a.widths ? b : a).orElseThrow();
        String words = String.format(
                Locale.ROOT,
                "%d of %d demonstrations begin elsewhere than episodes of %s do: %s, counted from 0. The farthest is"
                        + " %d, where observation %d is %.4g; episodes begin from %.4g to %.4g. Are they of this task?",
                elsewhere.size(),
                all.size(),
                simulator.space().name(),
                list(elsewhere.stream().map(Farthest::demonstration).toList()),
                worst.demonstration,
                worst.observation,
                worst.value,
                low[worst.observation],
                high[worst.observation]);
        return Optional.of(
                pieces.isEmpty()
                        ? words
                        : words
                                + " %s %s where %s stopped: join pieces of one episode."
                                        .formatted(
                                                pieces.size() == 1 ? "Demonstration" : "Demonstrations",
                                                list(pieces) + (pieces.size() == 1 ? " begins" : " begin"),
                                                shuffled ? "another one, not the one before," : "the one before"));
    }

    private static String list(List<Integer> numbers) {
        String named = numbers.stream().limit(NAMED).map(String::valueOf).collect(Collectors.joining(", "));
        return numbers.size() > NAMED ? named + " and %d more".formatted(numbers.size() - NAMED) : named;
    }

    private Farthest farthest(int demonstration, Episode one) {
        Farthest farthest = new Farthest(demonstration, 0, one.observations()[0], 0);
        for (int j = 0; j < low.length; j++) {
            float value = one.observations()[j];
            double width = Math.max(ROUNDING, (double) high[j] - low[j]);
            double widths = Math.max((double) low[j] - value, (double) value - high[j]) / width;
            if (widths > farthest.widths) {
                farthest = new Farthest(demonstration, j, value, widths);
            }
        }
        return farthest;
    }

    private static List<Float> observation(Episode episode, int step) {
        int width = episode.observationSize();
        List<Float> values = new ArrayList<>(width);
        for (int j = 0; j < width; j++) {
            values.add(episode.observations()[step * width + j]);
        }
        return values;
    }
}
