package dev.revealed.runs;

import java.nio.file.Path;

/** The names of files in a run folder, here and nowhere else. */
public final class RunFiles {
    /** What was asked for: where it came from and every setting. */
    public static final String SPEC = "spec.json";

    /** The result, written last: a folder that has it is complete. */
    public static final String RESULT = "result.json";

    public static final String REPORT = "report.html";

    /** Numbers on a board or a road network, for the local page to draw. */
    public static final String MAP = "map.json";

    /** A line of numbers for each evaluation. */
    public static final String METRICS = "metrics.jsonl";

    /** The same for TensorBoard, which looks for "tfevents" in names. */
    public static final String EVENTS = "events.out.tfevents.revealed";

    public static final String CHECKPOINT = "checkpoint";

    /** Seconds spent so far, apart from the checkpoints, which hold no clocks. */
    public static final String SECONDS = "seconds.json";

    /** The last policy. */
    public static final String POLICY = "policy.safetensors";

    public static final String POLICY_ONNX = "policy.onnx";

    /** The policy with the highest return on the way. */
    public static final String BEST = "best.safetensors";

    /** The policy that was chosen without the task's own reward. */
    public static final String CHOSEN = "chosen.safetensors";

    /** The recovered reward. */
    public static final String REWARD = "reward.safetensors";

    /** The reward of the last reward step, where the recovered one is a mean over steps. */
    public static final String LAST_REWARD = "reward-last.safetensors";

    public static final String REWARD_ONNX = "reward.onnx";

    /** A world that was learnt from a log. */
    public static final String WORLD = "world.safetensors";

    /** What was measured of the learner on the way, a line each time, and the rows that it was measured on. */
    public static final String DIAGNOSE = "diagnose.csv";

    public static final String PROBE = "probe.safetensors";

    /** Returns of four policies at each evaluation: the averaged and the acting one, without and with noise. */
    public static final String POLICIES = "policies.csv";

    private RunFiles() {}

    /** What a command that the page started has printed. */
    public static Path output(Path folder) {
        return folder.resolveSibling(folder.getFileName() + "-output.txt");
    }

    /** Why a run failed. It lies beside the run's folder, since a run that never began has none. */
    public static Path failure(Path folder) {
        return folder.resolveSibling(folder.getFileName() + "-failure.txt");
    }
}
