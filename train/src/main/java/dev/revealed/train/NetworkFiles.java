package dev.revealed.train;

import dev.revealed.imitate.Learning;
import dev.revealed.neural.GaussianActor;
import dev.revealed.numeric.Tensors;
import dev.revealed.runs.Onnx;
import dev.revealed.runs.RunFiles;
import dev.revealed.runs.RunFolder;
import dev.revealed.runs.Safetensors;
import dev.revealed.settings.Item;
import dev.revealed.settings.Settings;
import java.util.Map;

/** The policies and rewards that a run writes into its folder, with notes of what they were learnt on. */
record NetworkFiles(TrainingPlan plan, RunFolder folder) {
    void write(String name, Tensors policy) {
        Map<String, String> notes = plan.environment().notes();
        folder.write(name, out -> Safetensors.write(out, policy, notes));
    }

    /** The policy for other programs. */
    void writeOnnx(Tensors policy) {
        float low = (float) GaussianActor.LOG_STD_MIN;
        float high = (float) GaussianActor.LOG_STD_MAX;
        float bound = policy.floats("actor.bound")[0];
        folder.write(
                RunFiles.POLICY_ONNX, Onnx.actor(Onnx.layers(policy, "actor", Onnx.Activation.RELU), bound, low, high));
    }

    /** The reward with the settings of the learner it was learnt with, on which its scale depends. */
    void write(String name, Learning.SavedReward reward) {
        Map<String, String> notes = plan.environment().notes();
        Settings.values(plan.sac()).forEach((setting, value) -> notes.put(setting, Item.text(value)));
        notes.putAll(reward.notes());
        folder.write(name, out -> Safetensors.write(out, reward.tensors(), notes));
    }
}
