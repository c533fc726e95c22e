package dev.revealed.imitate.world;

import dev.revealed.neural.GaussianActor;
import dev.revealed.neural.Mlp;
import dev.revealed.neural.Network;
import dev.revealed.neural.Tape;
import dev.revealed.neural.ensemble.Gaussian;
import dev.revealed.numeric.Elementary;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Tensors;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A learnt law of the next state: an ensemble of networks that give mean and variance of the change of the state. What
 * members say of changes is in units of the log's standard deviations.
 *
 * @param members all of them, which uncertainty is made of
 * @param elites numbers of those that predict
 * @param learntEnds whether members also say how likely an episode terminates with the step
 */
public record WorldModel(
        int observations, int actions, Standards standards, List<Network> members, int[] elites, boolean learntEnds) {

    /**
     * Shifts and scales of inputs and targets, and the range of observations.
     *
     * @param shift of states and actions
     * @param scale of the same: one over their standard deviations
     * @param mean of changes of the state
     * @param deviation of changes
     * @param low a state that is predicted is not below this
     * @param high nor above that
     */
    public record Standards(float[] shift, float[] scale, float[] mean, float[] deviation, float[] low, float[] high) {
        private static final float LEAST = 1e-6f; // of a standard deviation that is divided by

        /** Of these rows; predicted states may leave the range that was seen by half its width to either side. */
        static Standards of(TransitionRows log, int[] rows) {
            int wide = log.observations();
            int width = log.width();
            Moments inputs = new Moments(width);
            Moments changes = new Moments(wide);
            float[] low = new float[wide];
            float[] high = new float[wide];
            Arrays.fill(low, Float.POSITIVE_INFINITY);
            Arrays.fill(high, Float.NEGATIVE_INFINITY);
            for (int row : rows) {
                for (int i = 0; i < width; i++) {
                    inputs.add(i, log.pairs()[row * width + i]);
                }
                for (int j = 0; j < wide; j++) {
                    float now = log.pairs()[row * width + j];
                    float then = log.next()[row * wide + j];
                    changes.add(j, (double) then - now);
                    low[j] = Math.min(low[j], Math.min(now, then));
                    high[j] = Math.max(high[j], Math.max(now, then));
                }
            }
            for (int j = 0; j < wide; j++) {
                float more = (high[j] - low[j]) / 2;
                low[j] -= more;
                high[j] += more;
            }
            float[] scale = inputs.deviations(rows.length);
            for (int i = 0; i < width; i++) {
                scale[i] = scale[i] < LEAST ? 1 : 1 / scale[i];
            }
            float[] deviation = changes.deviations(rows.length);
            for (int j = 0; j < wide; j++) {
                deviation[j] = Math.max(deviation[j], LEAST);
            }
            return new Standards(inputs.means(rows.length), scale, changes.means(rows.length), deviation, low, high);
        }

        /** Sums of numbers and their squares, about the first one. */
        private record Moments(double[] first, double[] sum, double[] squares, boolean[] seen) {
            Moments(int width) {
                this(new double[width], new double[width], new double[width], new boolean[width]);
            }

            void add(int i, double x) {
                if (!seen[i]) {
                    seen[i] = true;
                    first[i] = x;
                }
                sum[i] += x - first[i];
                squares[i] += (x - first[i]) * (x - first[i]);
            }

            float[] means(int n) {
                float[] means = new float[sum.length];
                for (int i = 0; i < means.length; i++) {
                    means[i] = (float) (first[i] + sum[i] / n);
                }
                return means;
            }

            float[] deviations(int n) {
                float[] found = new float[sum.length];
                for (int i = 0; i < found.length; i++) {
                    double mean = sum[i] / n;
                    found[i] = (float) Math.sqrt(Math.max(0, squares[i] / n - mean * mean));
                }
                return found;
            }
        }

        void save(Tensors into) {
            into.put("world.shift", shift);
            into.put("world.scale", scale);
            into.put("world.mean", mean);
            into.put("world.deviation", deviation);
            into.put("world.low", low);
            into.put("world.high", high);
        }

        static Standards load(Tensors from) {
            return new Standards(
                    from.floats("world.shift"),
                    from.floats("world.scale"),
                    from.floats("world.mean"),
                    from.floats("world.deviation"),
                    from.floats("world.low"),
                    from.floats("world.high"));
        }

        /** Writes standardised inputs. */
        void inputs(float[] pairs, int from, int count, float[] into, int to) {
            int width = shift.length;
            for (int row = 0; row < count; row++) {
                for (int i = 0; i < width; i++) {
                    into[to + row * width + i] = (pairs[from + row * width + i] - shift[i]) * scale[i];
                }
            }
        }
    }

    /** Outputs of a member for states of so many numbers. */
    static int outputs(int observations, boolean learntEnds) {
        return 2 * observations + (learntEnds ? 1 : 0);
    }

    /** Hands over all of it. */
    public void save(Tensors into) {
        standards.save(into);
        into.put("world.sizes", observations, actions, members.size(), learntEnds ? 1 : 0);
        into.put("world.elites", IntStream.of(elites).asLongStream().toArray());
        for (int m = 0; m < members.size(); m++) {
            members.get(m).save("world.member" + m, into);
        }
    }

    /** A world that was saved. */
    public static WorldModel load(Tensors from) {
        long[] sizes = from.longs("world.sizes");
        List<Network> members = IntStream.range(0, (int) sizes[2])
                .mapToObj(m -> Network.load("world.member" + m, from))
                .toList();
        int[] elites = Arrays.stream(from.longs("world.elites"))
                .mapToInt(Math::toIntExact)
                .toArray();
        return new WorldModel((int) sizes[0], (int) sizes[1], Standards.load(from), members, elites, sizes[3] == 1);
    }

    /** Working memory for up to {@code rows} rows at a time; one for each thread. */
    public Worker worker(int rows) {
        return new Worker(rows);
    }

    /** Predicts next states. */
    public final class Worker {
        private final float[] pairs;
        private final float[] inputs;
        private final Tape[] tapes;
        private final float[][] outputs;

        private Worker(int rows) {
            int width = observations + actions;
            pairs = new float[rows * width];
            inputs = new float[rows * width];
            tapes = members.stream().map(member -> member.tape(rows)).toArray(Tape[]::new);
            outputs = new float[tapes.length][];
            for (int m = 0; m < tapes.length; m++) {
                outputs[m] = tapes[m].output();
            }
        }

        /** What every member says of these states and actions, standardised; valid until the next call. */
        float[][] all(int rows, float[] states, int statesAt, float[] acts, int actionsAt) {
            load(rows, states, statesAt, acts, actionsAt);
            for (Tape tape : tapes) {
                tape.forward(inputs, rows);
            }
            return outputs;
        }

        /** The same of one member. */
        float[] one(int member, int rows, float[] states, int statesAt, float[] acts, int actionsAt) {
            load(rows, states, statesAt, acts, actionsAt);
            tapes[member].forward(inputs, rows);
            return outputs[member];
        }

        private void load(int rows, float[] states, int statesAt, float[] acts, int actionsAt) {
            int width = observations + actions;
            for (int row = 0; row < rows; row++) {
                System.arraycopy(states, statesAt + row * observations, pairs, row * width, observations);
                System.arraycopy(acts, actionsAt + row * actions, pairs, row * width + observations, actions);
            }
            standards.inputs(pairs, 0, rows, inputs, 0);
        }

        /** Draws the next state of a row from what a member said of it, within the range of observations. */
        void draw(float[] said, int row, float[] states, int stateAt, RandomStream random, float[] next, int nextAt) {
            int width = WorldModel.outputs(observations, learntEnds);
            for (int j = 0; j < observations; j++) {
                int at = row * width + j;
                double deviation = Elementary.exp(0.5 * Gaussian.logVariance(said[at + observations]));
                double change = said[at] + deviation * random.nextGaussian();
                double then = states[stateAt + j] + standards.mean[j] + standards.deviation[j] * change;
                next[nextAt + j] = (float) Math.clamp(then, standards.low[j], standards.high[j]);
            }
        }

        /** Whether a member lets a row terminate, at random by its probability; only where that is learnt. */
        boolean ends(float[] said, int row, RandomStream random) {
            int width = WorldModel.outputs(observations, true);
            return random.nextDouble() < Gaussian.probability(said[row * width + 2 * observations]);
        }
    }

    /** The shape of a member. */
    static Mlp shape(int observations, int actions, int[] hidden, boolean learntEnds) {
        return Mlp.relu(GaussianActor.sizes(observations + actions, hidden, outputs(observations, learntEnds)));
    }
}
