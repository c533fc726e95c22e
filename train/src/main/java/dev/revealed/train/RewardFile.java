package dev.revealed.train;

import dev.revealed.imitate.RewardModel;
import dev.revealed.mdp.Simulator;
import dev.revealed.neural.Sac;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.Tensors;
import dev.revealed.runs.Onnx;
import dev.revealed.runs.RunFiles;
import dev.revealed.runs.Safetensors;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * A reward that imitation recovered, in the file it was saved to.
 *
 * @param notes what is known of how it was learnt
 */
public record RewardFile(Path file, Tensors tensors, Map<String, String> notes) {
    private static final Map<String, String> BEFORE = Map.of(
            "learningRate", "learning-rate",
            "layerNorm", "layer-norm",
            "halving", "temperature-halving",
            "afterEnd", "after-end");

    /** The note that demonstrations were resampled, and how. */
    public static final String BOOTSTRAP = "bootstrap";

    /** @param where the file, or the folder of the run that learnt it */
    public static RewardFile read(Path where) {
        Path file = Files.isDirectory(where) ? where.resolve(RunFiles.REWARD) : where;
        BadInput.when(
                !Files.isRegularFile(file),
                "there is no reward " + file,
                "Name the folder of a finished 'imitate', or the file %s in it. The methods bc and sqil recover no reward."
                        .formatted(RunFiles.REWARD));
        Safetensors.Content content = Safetensors.read(file);
        BadInput.when(
                !content.tensors().has("reward.activations"),
                "%s holds no reward".formatted(file),
                "Name the file %s that 'imitate' wrote; a policy is for `policy`.".formatted(RunFiles.REWARD));
        Tensors checked = BadInput.placed(file.toString(), () -> check(content.tensors()));
        return new RewardFile(file, checked, renamed(content.metadata()));
    }

    /** Notes of before settings had one name everywhere, under the names they have now. */
    private static Map<String, String> renamed(Map<String, String> notes) {
        Map<String, String> now = new TreeMap<>(notes);
        BEFORE.forEach((old, name) -> {
            String value = now.remove(old);
            if (value != null) {
                now.putIfAbsent(name, value);
            }
        });
        return now;
    }

    /** Refuses a reward that nothing can be learnt from. */
    private static Tensors check(Tensors tensors) {
        for (String name : tensors.names()) {
            if (tensors.get(name) instanceof Tensors.Tensor.Floats floats && !name.equals("reward.clamp")) {
                for (float value : floats.values()) {
                    if (!Float.isFinite(value)) {
                        throw new BadInput(
                                "tensor '%s' holds %s".formatted(name, value),
                                "The file is damaged, or the learning that wrote it diverged: use another reward.");
                    }
                }
            }
        }
        float[] clamp = tensors.floats("reward.clamp");
        BadInput.when(
                clamp.length != 1 || !(clamp[0] > 0),
                "tensor 'reward.clamp' is %s, and rewards need one positive bound".formatted(Arrays.toString(clamp)),
                "The file is probably damaged: use another reward.");
        for (long activation : tensors.longs("reward.activations")) {
            BadInput.when(
                    activation < 0 || activation > 2,
                    "tensor 'reward.activations' holds %d".formatted(activation),
                    "Give 0 for none, 1 for ReLU, 2 for tanh; the file is probably damaged.");
        }
        if (tensors.has("reward.output")) {
            long[] output = tensors.longs("reward.output");
            BadInput.when(
                    output.length != 1 || output[0] < 0 || output[0] > 2,
                    "tensor 'reward.output' is %s".formatted(Arrays.toString(output)),
                    "Give 0 for none, 1 for softplus, 2 for log-sigmoid; the file is probably damaged.");
        }
        return tensors;
    }

    /** The task it was learnt on, where that is known. */
    public @Nullable String task() {
        return notes.get("task");
    }

    /** Of every number of it. */
    long fingerprint() {
        CRC32C sum = new CRC32C();
        byte[] bytes = onnx();
        sum.update(bytes, 0, bytes.length);
        return sum.getValue();
    }

    /** The learner that it was learnt with, on which its scale depends; older files note less, and theirs were all alike. */
    public Sac.Settings sac() {
        try {
            return Sac.Settings.PAPER.with(notes);
        } catch (BadInput e) {
            throw new BadInput(
                    "%s: %s".formatted(file, e.problem()),
                    "The file is probably damaged: use another, or recover the reward again.");
        }
    }

    /** Whether it goes on after a terminated episode. */
    public boolean absorbs() {
        return "absorb".equals(notes.get("after-end"));
    }

    /** Refuses a reward that does not fit the task: one of actions fits only the robot that it was learnt on. */
    public void check(Simulator.Space space) {
        boolean stateOnly = model(space).labels().stateOnly();
        String learntOn = task();
        BadInput.when(
                !stateOnly && learntOn != null && !learntOn.equals(space.name()),
                "the reward is of states and actions of '%s', and actions of '%s' may mean something else"
                        .formatted(learntOn, space.name()),
                "Transfer a reward of states alone: learn it with `reward` state.");
    }

    /** The reward of a step, for a task of these sizes. */
    public RewardModel model(Simulator.Space space) {
        return model(space, 0);
    }

    /** The same for a learner with that discount, including the reward after termination. */
    RewardModel forLearner(Simulator.Space space, double discount) {
        return model(space, absorbs() ? discount / (1 - discount) : 0);
    }

    private RewardModel model(Simulator.Space space, double forEver) {
        return BadInput.placed(file.toString(), () -> RewardModel.load(tensors, space, forEver));
    }

    /** For other programs. */
    public byte[] onnx() {
        return Onnx.reward(tensors);
    }
}
