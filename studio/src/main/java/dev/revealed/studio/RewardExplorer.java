package dev.revealed.studio;

import dev.revealed.imitate.judge.RewardComparison;
import dev.revealed.imitate.judge.RewardEnsemble;
import dev.revealed.mdp.Episode;
import dev.revealed.mdp.Episodes;
import dev.revealed.mdp.Simulator;
import dev.revealed.neural.RewardNetwork;
import dev.revealed.numeric.Interval;
import dev.revealed.numeric.RandomStream;
import dev.revealed.train.RewardFile;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A recovered reward as a function of its inputs, around what demonstrations show. Partial dependence is the mean reward
 * over demonstrated steps in which one input, or two, are replaced by a value.
 */
final class RewardExplorer {
    private static final int SHOWN = 12; // inputs, those that matter most
    private static final int POINTS = 33; // of a curve
    private static final int CELLS = 28; // of a slice, each way
    private static final int MANY = 96; // rows that a curve is a mean over
    private static final int FEW = 24; // of a slice, and for finding what matters
    private static final double LEVEL = 0.95;
    private static final double TAIL = 0.01; // of an input's values, at each side, that are not shown

    private final RewardNetwork reward;
    private final Episodes episodes;
    private final int observations;
    private final int actions;
    private final float[][] rows; // each the inputs of a step, state then action
    private final Simulator.Space space;

    private RewardExplorer(RewardNetwork reward, Episodes episodes, Simulator.Space space) {
        this.reward = reward;
        this.episodes = episodes;
        this.space = space;
        observations = space.observations();
        actions = space.actions().size();
        rows = episodes.all().stream()
                .flatMap(each -> Arrays.stream(rows(each)))
                .toArray(float[][]::new);
    }

    /** An input with the range that demonstrations show, and the reward's partial dependence on it. */
    record Input(int index, String name, double low, double high, double range, double[] at, double[] reward) {}

    /** The steps of a demonstration: what each was worth by the recovered reward, and by the true one where it is known. */
    record Along(
            double[] recovered,
            double @Nullable [] truth,
            @Nullable Double correlation) {}

    /**
     * @param inputs by how much the reward depends on them, the most first
     * @param names of all inputs
     */
    record Overview(
            String task,
            boolean ofStates,
            int steps,
            List<String> names,
            List<Input> inputs,
            Along along,
            Optional<Spread> spread) {}

    /**
     * How rewards that were recovered in the same way differ along the first demonstration, each brought to mean 0 and
     * deviation 1 over all of them.
     *
     * @param rewards how many there are
     * @param drawn how many of them are from resampled demonstrations; others vary by training alone
     */
    record Spread(int rewards, long drawn, double agreement, double[] mean, double[] low, double[] high) {}

    /** The reward over two inputs, a row for each value of the second, and where demonstrations are. */
    record Slice(String x, String y, double[] xs, double[] ys, double[][] reward, double[][] shown) {}

    static RewardExplorer of(Path run) {
        Episodes shown = Playback.trajectories(run);
        Episode first = shown.all().getFirst();
        int width = first.observations().length / (first.length() + 1);
        float[] acts = first.actions();
        int actionWidth = acts == null ? 0 : acts.length / first.length();
        RewardFile file = RewardFile.read(run);
        Simulator.Space space = new Simulator.Space(
                String.valueOf(file.task()), width, new Simulator.Actions.Box(actionWidth, 1), first.length());
        return new RewardExplorer(file.model(space).labels(), shown, space);
    }

    /** @param alike folders of runs that recovered rewards in the same way */
    Overview overview(String task, List<Path> alike) {
        int inputs = reward.stateOnly() ? observations : observations + actions;
        float[][] few = sample(FEW);
        float[][] many = sample(MANY);
        List<Input> shown = IntStream.range(0, inputs)
                .boxed()
                .sorted(Comparator.comparingDouble(i -> -range(dependence(few, i, grid(i, 5)))))
                .limit(SHOWN)
                .map(i -> {
                    double[] at = grid(i, POINTS);
                    double[] dependence = dependence(many, i, at);
                    return new Input(i, name(i), at[0], at[at.length - 1], range(dependence), at, dependence);
                })
                .toList();
        return new Overview(
                task,
                reward.stateOnly(),
                rows.length,
                IntStream.range(0, inputs).mapToObj(this::name).toList(),
                shown,
                along(),
                alike.size() < 2 ? Optional.empty() : Optional.of(spread(alike)));
    }

    private Spread spread(List<Path> alike) {
        List<RewardFile> files = alike.stream().map(RewardFile::read).toList();
        RewardEnsemble ensemble = RewardEnsemble.of(
                files.stream().map(file -> file.model(space).labels()).toList(), episodes, space);
        Interval[] intervals = ensemble.intervals(0, LEVEL);
        return new Spread(
                files.size(),
                files.stream()
                        .filter(file -> file.notes().containsKey(RewardFile.BOOTSTRAP))
                        .count(),
                ensemble.agreement(),
                ensemble.mean(0),
                Arrays.stream(intervals).mapToDouble(Interval::low).toArray(),
                Arrays.stream(intervals).mapToDouble(Interval::high).toArray());
    }

    private Along along() {
        Episode first = episodes.all().getFirst();
        double[] recovered = doubles(of(rows(first)));
        double[] known = first.rewards();
        boolean judged = episodes.all().stream().allMatch(each -> each.rewards() != null);
        double pearson = judged
                ? RewardComparison.of(reward, episodes, space, 0.99, false, RandomStream.of(1))
                        .pearson()
                : Double.NaN;
        return new Along(recovered, known, Double.isNaN(pearson) ? null : (Double) pearson);
    }

    Slice slice(int x, int y) {
        float[][] base = sample(FEW);
        double[] xs = grid(x, CELLS);
        double[] ys = grid(y, CELLS);
        double[][] values = new double[CELLS][];
        for (int j = 0; j < CELLS; j++) {
            float[][] fixed = with(base, y, ys[j]);
            values[j] = dependence(fixed, x, xs);
        }
        double[][] shown = Arrays.stream(sample(400))
                .map(row -> new double[] {row[x], row[y]})
                .toArray(double[][]::new);
        return new Slice(name(x), name(y), xs, ys, values, shown);
    }

    private String name(int input) {
        return input < observations ? "state " + input : "action " + (input - observations);
    }

    /** Steps spread evenly over all. */
    private float[][] sample(int count) {
        int taken = Math.min(count, rows.length);
        return IntStream.range(0, taken)
                .mapToObj(i -> rows[(int) ((long) i * rows.length / taken)])
                .toArray(float[][]::new);
    }

    /** Values of an input from its low to its high quantile. */
    private double[] grid(int input, int points) {
        double[] sorted =
                Arrays.stream(rows).mapToDouble(row -> row[input]).sorted().toArray();
        double low = sorted[(int) (TAIL * (sorted.length - 1))];
        double high = sorted[(int) ((1 - TAIL) * (sorted.length - 1))];
        double reach = high > low ? high - low : 1;
        double from = high > low ? low : low - reach / 2;
        return IntStream.range(0, points)
                .mapToDouble(i -> from + reach * i / (points - 1))
                .toArray();
    }

    private static float[][] with(float[][] base, int input, double value) {
        return Arrays.stream(base)
                .map(row -> {
                    float[] changed = row.clone();
                    changed[input] = (float) value;
                    return changed;
                })
                .toArray(float[][]::new);
    }

    private double[] dependence(float[][] base, int input, double[] values) {
        return Arrays.stream(values)
                .map(value -> Arrays.stream(doubles(of(with(base, input, value))))
                        .average()
                        .orElse(0))
                .toArray();
    }

    private static double range(double[] values) {
        return Arrays.stream(values).max().orElse(0)
                - Arrays.stream(values).min().orElse(0);
    }

    private float[] of(float[][] inputs) {
        float[] states = new float[inputs.length * observations];
        float[] acts = new float[inputs.length * actions];
        for (int i = 0; i < inputs.length; i++) {
            System.arraycopy(inputs[i], 0, states, i * observations, observations);
            System.arraycopy(inputs[i], observations, acts, i * actions, actions);
        }
        return reward.of(states, acts, inputs.length);
    }

    private float[][] rows(Episode episode) {
        float[] acts = episode.actions();
        float[][] all = new float[episode.length()][observations + actions];
        for (int t = 0; t < all.length; t++) {
            System.arraycopy(episode.observations(), t * observations, all[t], 0, observations);
            if (acts != null) {
                System.arraycopy(acts, t * actions, all[t], observations, actions);
            }
        }
        return all;
    }

    private static double[] doubles(float[] values) {
        double[] doubles = new double[values.length];
        Arrays.setAll(doubles, i -> values[i]);
        return doubles;
    }
}
