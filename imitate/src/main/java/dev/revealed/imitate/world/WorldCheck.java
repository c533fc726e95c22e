package dev.revealed.imitate.world;

import dev.revealed.neural.ensemble.Gaussian;
import dev.revealed.numeric.Elementary;
import dev.revealed.numeric.RandomStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * How well a world predicts held-out transitions.
 *
 * @param rows that were looked at
 * @param persistence mean squared error of predicting no change, in variances of the changes; 1 or a little more
 * @param oneStep mean squared error of the elites' mean prediction in the same units: 1 less the share it explains
 * @param coverage share of next observations inside the 90 % intervals of a member, over elites, rows and numbers of the state
 * @param numbers the same for each number of the state
 * @param ahead errors over several steps along the logged actions
 * @param unsure held-out rows in ten equal groups by uncertainty, the surest first
 */
public record WorldCheck(
        int rows,
        double persistence,
        double oneStep,
        double coverage,
        List<StateNumber> numbers,
        List<Ahead> ahead,
        List<Decile> unsure) {

    /**
     * One number of the state.
     *
     * @param error root mean squared error of the elites' mean prediction, in its own units
     * @param deviation standard deviation of its changes, in its own units
     */
    public record StateNumber(int place, double error, double deviation, double coverage) {}

    /**
     * @param steps from the logged state on
     * @param error root mean squared distance from the logged state after so many steps, in standard deviations of the
     *     log's states, averaged over their numbers
     * @param still the same for a prediction that nothing changes
     */
    public record Ahead(int steps, int rollouts, double error, double still) {}

    /**
     * @param uncertainty mean of {@code ensemble-std}
     * @param error root mean squared error of the rows' one-step predictions, in deviations of the changes
     */
    public record Decile(int decile, double uncertainty, double error) {}

    private static final int MOST = 5000; // rows, and for several steps a tenth of them
    private static final double NINETY = 1.6448536269514722; // standard normal quantile of 95 %
    private static final int[] STEPS = {1, 5, 10, 20, 50};

    /** @param heldOut rows that the world was not learnt from */
    public static WorldCheck of(WorldModel world, TransitionRows log, int[] heldOut, RandomStream stream) {
        int wide = log.observations();
        int width = WorldModel.outputs(wide, world.learntEnds());
        int[] rows = spread(heldOut, MOST);
        float[] states = new float[rows.length * wide];
        float[] actions = new float[rows.length * log.actions()];
        for (int i = 0; i < rows.length; i++) {
            log.state(rows[i], states, i * wide);
            System.arraycopy(log.pairs(), rows[i] * log.width() + wide, actions, i * log.actions(), log.actions());
        }
        float[][] said = world.worker(rows.length).all(rows.length, states, 0, actions, 0);
        double[] squares = new double[wide];
        double[] still = new double[wide];
        double[] inside = new double[wide];
        double[] rowError = new double[rows.length];
        double[] unsure = new double[rows.length];
        for (int i = 0; i < rows.length; i++) {
            unsure[i] = Penalty.ENSEMBLE_STD.of(said, i * width, wide);
            for (int j = 0; j < wide; j++) {
                double change = log.next()[rows[i] * wide + j] - states[i * wide + j];
                double target = (change - world.standards().mean()[j])
                        / world.standards().deviation()[j];
                double mean = 0;
                for (int elite : world.elites()) {
                    double mu = said[elite][i * width + j];
                    double sigma = Elementary.exp(0.5 * Gaussian.logVariance(said[elite][i * width + wide + j]));
                    mean += mu / world.elites().length;
                    inside[j] += Math.abs(target - mu) <= NINETY * sigma ? 1.0 / world.elites().length : 0;
                }
                double error = (mean - target) * (mean - target);
                squares[j] += error;
                rowError[i] += error / wide;
                double none = change / world.standards().deviation()[j];
                still[j] += none * none;
            }
        }
        List<StateNumber> numbers = new ArrayList<>();
        for (int j = 0; j < wide; j++) {
            double deviation = world.standards().deviation()[j];
            numbers.add(new StateNumber(
                    j, deviation * Math.sqrt(squares[j] / rows.length), deviation, inside[j] / rows.length));
        }
        double all = (double) rows.length * wide;
        return new WorldCheck(
                rows.length,
                Arrays.stream(still).sum() / all,
                Arrays.stream(squares).sum() / all,
                Arrays.stream(inside).sum() / all,
                numbers,
                ahead(world, log, rows, stream),
                deciles(unsure, rowError));
    }

    /** So many of them at most, evenly spaced. */
    private static int[] spread(int[] rows, int most) {
        return rows.length <= most
                ? rows
                : IntStream.range(0, most)
                        .map(i -> rows[(int) ((long) i * rows.length / most)])
                        .toArray();
    }

    private static List<Decile> deciles(double[] unsure, double[] error) {
        int[] order = IntStream.range(0, unsure.length)
                .boxed()
                .sorted((a, b) -> Double.compare(unsure[a], unsure[b]))
                .mapToInt(Integer::intValue)
                .toArray();
        List<Decile> found = new ArrayList<>();
        int groups = Math.min(10, order.length);
        for (int d = 0; d < groups; d++) {
            int from = d * order.length / groups;
            int to = (d + 1) * order.length / groups;
            double mean = 0;
            double squares = 0;
            for (int i = from; i < to; i++) {
                mean += unsure[order[i]] / (to - from);
                squares += error[order[i]] / (to - from);
            }
            found.add(new Decile(d + 1, mean, Math.sqrt(squares)));
        }
        return found;
    }

    /** Rollouts from logged states with the logged actions, by an elite that stays the same along each. */
    private static List<Ahead> ahead(WorldModel world, TransitionRows log, int[] rows, RandomStream stream) {
        int wide = log.observations();
        int acts = log.actions();
        List<Ahead> found = new ArrayList<>();
        for (int steps : STEPS) {
            int[] starts = spread(
                    Arrays.stream(rows)
                            .filter(row -> log.left()[row] >= steps - 1)
                            .toArray(),
                    MOST / 10);
            if (starts.length < MOST / 100) {
                continue;
            }
            int n = starts.length;
            WorldModel.Worker worker = world.worker(n);
            float[] states = new float[n * wide];
            float[] next = new float[n * wide];
            float[] actions = new float[n * acts];
            for (int i = 0; i < n; i++) {
                log.state(starts[i], states, i * wide);
            }
            RandomStream noise = stream.named("ahead").at(steps);
            for (int t = 0; t < steps; t++) {
                for (int i = 0; i < n; i++) {
                    int row = starts[i] + t;
                    System.arraycopy(log.pairs(), row * log.width() + wide, actions, i * acts, acts);
                }
                float[][] said = worker.all(n, states, 0, actions, 0);
                for (int i = 0; i < n; i++) {
                    int elite = world.elites()[i % world.elites().length];
                    worker.draw(said[elite], i, states, i * wide, noise, next, i * wide);
                }
                System.arraycopy(next, 0, states, 0, next.length);
            }
            double error = 0;
            double still = 0;
            for (int i = 0; i < n; i++) {
                for (int j = 0; j < wide; j++) {
                    double scale = world.standards().scale()[j];
                    double truth = log.next()[(starts[i] + steps - 1) * wide + j];
                    double from = log.pairs()[starts[i] * log.width() + j];
                    error += Math.pow((states[i * wide + j] - truth) * scale, 2);
                    still += Math.pow((from - truth) * scale, 2);
                }
            }
            double all = (double) n * wide;
            found.add(new Ahead(steps, n, Math.sqrt(error / all), Math.sqrt(still / all)));
        }
        return found;
    }
}
