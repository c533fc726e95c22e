package dev.revealed.runs;

/** The names of the files that a run folder holds; a test refuses them as literals anywhere else. */
public final class RunFiles {
    /** The command and every setting, resolved. */
    public static final String SPEC = "spec.json";
    /** What was found; written last, so its presence says that the run is complete. */
    public static final String RESULT = "result.json";

    public static final String REPORT = "report.html";
    /** One line per iteration. */
    public static final String METRICS = "metrics.jsonl";
    /** The folder of checkpoints. */
    public static final String CHECKPOINT = "checkpoint";
    /** The policy at the end of training. */
    public static final String POLICY = "policy.safetensors";
    /** The policy with the best evaluation. */
    public static final String BEST = "best.safetensors";
    /** The policy chosen without the task's own reward. */
    public static final String CHOSEN = "chosen.safetensors";

    public static final String REWARD = "reward.safetensors";
    /** Clock readings, apart from the checkpoints, which hold none. */
    public static final String SECONDS = "seconds.json";

    private RunFiles() {}
}
