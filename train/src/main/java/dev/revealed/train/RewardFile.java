package dev.revealed.app;

import dev.revealed.imitate.RewardModel;
import dev.revealed.mdp.Simulator;
import dev.revealed.neural.Sac;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.Tensors;
import dev.revealed.runs.Onnx;
import dev.revealed.runs.Safetensors;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * A reward that imitation recovered, in the file it was saved to.
 *
 * @param notes what is known of how it was learnt
 */
record RewardFile(Path file, Tensors tensors, Map<String, String> notes) {
    static final String NAME = "reward.safetensors";
    static final String ONNX = "reward.onnx";

    /** The note that demonstrations were drawn anew, and how. */
    static final String BOOTSTRAP = "bootstrap";

    /** @param where the file, or the folder of the run that learnt it */
    static RewardFile read(Path where) {
        Path file = Files.isDirectory(where) ? where.resolve(NAME) : where;
        if (!Files.isRegularFile(file)) {
            throw new BadInput(
                    "there is no reward " + file,
                    "Name the folder of an 'imitate' that came to its end, or the file %s in it.".formatted(NAME));
        }
        Safetensors.Content content = Safetensors.read(file);
        if (!content.tensors().has("reward.activations")) {
            throw new BadInput(
                    "%s holds no reward".formatted(file),
                    "Name the file %s that 'imitate' wrote; a policy is for --policy.".formatted(NAME));
        }
        try {
            check(content.tensors());
        } catch (BadInput e) {
            throw e.in(file.toString());
        }
        return new RewardFile(file, content.tensors(), content.metadata());
    }

    /** Refuses what pays nothing that can be learnt from. */
    private static void check(Tensors tensors) {
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
        for (long activation : tensors.longs("reward.activations")) {
            if (activation < 0 || activation > 2) {
                throw new BadInput(
                        "tensor 'reward.activations' holds %d".formatted(activation),
                        "Give 0 for none, 1 for ReLU, 2 for tanh; the file is damaged, perhaps.");
            }
        }
    }

    /** The task it was learnt on, where that is known. */
    @Nullable
    String task() {
        return notes.get("task");
    }

    /** Of every number of it. */
    long fingerprint() {
        CRC32C sum = new CRC32C();
        byte[] bytes = onnx();
        sum.update(bytes, 0, bytes.length);
        return sum.getValue();
    }

    /** Notes how the agent learns that a reward is learnt with: on that its scale depends. */
    static void note(Sac.Settings sac, Map<String, String> into) {
        into.put(
                "hidden",
                Arrays.stream(sac.hidden()).mapToObj(Integer::toString).collect(Collectors.joining(",")));
        into.put("learningRate", Double.toString(sac.learningRate()));
        into.put("discount", Double.toString(sac.discount()));
        into.put("polyak", Double.toString(sac.polyak()));
        into.put("batch", Integer.toString(sac.batch()));
        into.put("temperature", SacOptions.words(sac.temperature()));
        into.put("halving", Double.toString(SacOptions.halving(sac.temperature())));
        into.put("critics", Integer.toString(sac.critics()));
        into.put("layerNorm", Boolean.toString(sac.layerNorm()));
    }

    /** How the agent learnt that it was learnt with; older files note nothing, and their agents were all alike. */
    Sac.Settings sac() {
        Sac.Settings usual = Sac.Settings.PAPER;
        double halving = noted("halving", SacOptions.halving(usual.temperature()), Double::valueOf);
        try {
            return new Sac.Settings(
                    noted("hidden", usual.hidden(), RewardFile::widths),
                    noted("learningRate", usual.learningRate(), Double::valueOf),
                    discount(),
                    noted("polyak", usual.polyak(), Double::valueOf),
                    noted("batch", usual.batch(), Integer::valueOf),
                    noted("temperature", usual.temperature(), word -> SacOptions.temperature(word, halving)),
                    noted("critics", usual.critics(), Integer::valueOf),
                    noted("layerNorm", usual.layerNorm(), Boolean::valueOf));
        } catch (BadInput e) {
            throw e.in(file.toString());
        }
    }

    /** The discount of that agent. */
    double discount() {
        return noted("discount", Sac.Settings.PAPER.discount(), Double::valueOf);
    }

    private static int[] widths(String words) {
        return Arrays.stream(words.split(",", -1)).mapToInt(Integer::parseInt).toArray();
    }

    private <T> T noted(String name, T usual, Function<String, T> read) {
        String noted = notes.get(name);
        try {
            return noted == null ? usual : read.apply(noted);
        } catch (NumberFormatException e) {
            throw new BadInput(
                    "%s: its %s is noted as '%s'".formatted(file, name, noted),
                    "The file is damaged, perhaps: use another, or recover the reward again.");
        }
    }

    /** Whether it goes on where an episode ended for good. */
    boolean absorbs() {
        return "absorb".equals(notes.get("afterEnd"));
    }

    /** The reward of a step, for a task of these sizes. */
    RewardModel model(Simulator.Space space) {
        return model(space, 0);
    }

    /** The same as a learner with that discount is paid it, with what comes after the end. */
    RewardModel forLearner(Simulator.Space space, double discount) {
        return model(space, absorbs() ? discount / (1 - discount) : 0);
    }

    private RewardModel model(Simulator.Space space, double forEver) {
        try {
            return RewardModel.load(tensors, space, forEver);
        } catch (BadInput e) {
            throw e.in(file.toString());
        }
    }

    /** For other programs. */
    byte[] onnx() {
        return Onnx.reward(tensors);
    }
}
