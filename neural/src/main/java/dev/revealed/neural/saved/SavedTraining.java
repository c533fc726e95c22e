package dev.revealed.neural.saved;

import dev.revealed.neural.Temperature;
import dev.revealed.neural.Training;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Tensors;
import dev.revealed.numeric.Tensors.Tensor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Predicate;
import java.util.stream.LongStream;

/**
 * The saved state of a {@link Training}, from either device. Each change gives another one and leaves this as it is;
 * what it does not name stays bit for bit.
 *
 * @param tensors by the names that trainings and learners give them; those of others are passed on
 */
public record SavedTraining(Tensors tensors) {
    private static final float LEAST_MOMENT = 1e-20f; // of a weight whose unit is still in use

    /** A training as it is now. */
    public static SavedTraining of(Training training) {
        return new SavedTraining(Tensors.of(training::save));
    }

    private SavedTraining changed(BiFunction<String, Tensor, Tensor> change) {
        Tensors next = new Tensors();
        tensors.names().forEach(name -> next.put(name, change.apply(name, tensors.get(name))));
        return new SavedTraining(next);
    }

    /** The same with other random streams in the place of those whose names are chosen. */
    public SavedTraining withStreams(Predicate<String> chosen, RandomStream other) {
        return changed(
                (name, tensor) -> chosen.test(name) ? longs(other.named(name).checkpoint()) : tensor);
    }

    private static Tensor longs(long... values) {
        return new Tensor.Longs(new int[] {values.length}, values);
    }

    /**
     * Soft Actor-Critic with reset optimisers: no moments, and no steps made, so that the bias of moments that began at
     * zero is corrected as at the beginning. Its updates count from zero, too, since a GPU counts both in one.
     */
    public SavedTraining withoutMoments() {
        return changed((name, tensor) -> {
            if (name.equals("sac.updates") || (ofLearner(name) && name.endsWith(".adam.steps"))) {
                return longs(0);
            }
            return ofLearner(name) && (name.endsWith(".adam.first") || name.endsWith(".adam.second"))
                    ? new Tensor.Floats(tensor.shape(), new float[size(tensor)])
                    : tensor;
        });
    }

    private static boolean ofLearner(String name) {
        return name.startsWith("actor.") || name.startsWith("critic") || name.startsWith("temperature.");
    }

    private static int size(Tensor tensor) {
        return Arrays.stream(tensor.shape()).reduce(1, (a, b) -> a * b);
    }

    /** The weight of entropy at the next update. */
    double temperature(Temperature setting) {
        return setting.tuned()
                ? Math.exp(tensors.floats("temperature.log")[0])
                : setting.after(tensors.longs("sac.updates")[0]);
    }

    /** Every critic and every target values everything by so much more. */
    public SavedTraining withValuesRaised(double by) {
        String last = ".bias" + (layers("critic0") - 1);
        return changed((name, tensor) ->
                name.matches("(critic|target)\\d+" + last.replace(".", "\\.")) && tensor instanceof Tensor.Floats floats
                        ? new Tensor.Floats(floats.shape(), new float[] {(float) (floats.values()[0] + by)})
                        : tensor);
    }

    private int layers(String network) {
        int layers = 0;
        while (tensors.has(network + ".weight" + layers)) {
            layers++;
        }
        return layers;
    }

    /**
     * One weight of the policy's last layer is one unit in the last place larger: one that gradients still reach, since a
     * weight of a unit that is always zero would change nothing.
     */
    public SavedTraining nudged(RandomStream stream) {
        String last = "actor.weight" + (layers("actor") - 1);
        float[] weights = tensors.floats(last).clone();
        float[] moments = tensors.floats("actor.adam.second");
        int first = moments.length - weights.length - tensors.floats(last.replace("weight", "bias")).length;
        int chosen = stream.nextInt(weights.length);
        for (int tries = 1; tries < weights.length && moments[first + chosen] < LEAST_MOMENT; tries++) {
            chosen = (chosen + 1) % weights.length;
        }
        weights[chosen] = Math.nextUp(weights[chosen]);
        return changed((name, tensor) -> name.equals(last) ? new Tensor.Floats(tensor.shape(), weights) : tensor);
    }

    /** The same with the critics of another, their targets, and their optimisers with the steps they made. */
    SavedTraining withCriticsOf(Tensors from) {
        return changed((name, tensor) -> name.matches("(critic|target)\\d+\\..*") ? from.get(name) : tensor);
    }

    /** The same where both optimisers made so many steps that their number no longer matters: it stays as it is. */
    SavedTraining withGrownCriticsOf(Tensors from) {
        return changed((name, tensor) ->
                name.matches("(critic|target)\\d+\\..*") && !name.endsWith(".adam.steps") ? from.get(name) : tensor);
    }

    /** Without the record of episodes that have rows from {@code first} up to but not including {@code end}. */
    public SavedTraining withoutEpisodes(long first, long end) {
        int apart = environments();
        return changed((name, tensor) -> {
            if (!name.matches("environment\\d+\\.episodes")) {
                return tensor;
            }
            long[] all = tensors.longs(name);
            List<Long> kept = new ArrayList<>();
            for (int i = 0; i < all.length; i += 3) {
                long from = all[i] - (all[i + 1] - 1) * apart;
                if (all[i] < first || from >= end) {
                    LongStream.of(all[i], all[i + 1], all[i + 2]).forEach(kept::add);
                }
            }
            return longs(kept.stream().mapToLong(each -> each).toArray());
        });
    }

    private int environments() {
        int count = 0;
        while (tensors.has("environment" + count + ".counts")) {
            count++;
        }
        return count;
    }

    /** The first row of the unfinished episodes. */
    public long firstOpenRow() {
        long longest = 0;
        for (int i = 0; i < environments(); i++) {
            longest = Math.max(longest, tensors.longs("environment" + i + ".counts")[1]);
        }
        return Math.max(0, tensors.longs("training.counts")[0] - longest * environments());
    }
}
