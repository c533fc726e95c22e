package dev.revealed.train;

import dev.revealed.settings.Setting;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** How long an imitation run is, when it is evaluated and when it is saved, in iterations. */
public record RunLength(
        @Setting(
                about = "Iterations: each is a block of policy learning and a reward step.",
                usual = "by preset and size of the task",
                atLeast = 1)
        long iterations,

        @Setting(
                about = "Iterations between evaluations of the policy.",
                usual = "about 50,000 steps, or a twentieth of the usual length; for bc 12,500 updates",
                atLeast = 1)
        long evaluateEvery,

        @Setting(about = "Episodes of the last evaluation; earlier ones have a quarter.", atLeast = 1)
        int episodes,

        @Setting(
                about = "Iterations between checkpoints. " + NONE_KEPT,
                usual = "about 20,000 steps; for bc 12,500 updates",
                atLeast = 0)
        long checkpointEvery,

        @Setting(about = KEEP, label = "N|all", none = "all", atLeast = 2, example = "2")
        OptionalInt keepCheckpoints) {
    /** About the setting {@code checkpoint-every}. */
    public static final String NONE_KEPT = "0 for none: the run then cannot be resumed, unless Ctrl-C ended it.";

    /** About the setting {@code keep-checkpoints}. */
    public static final String KEEP =
            "Number of last checkpoints to keep. With two, a run resumes even if the newest is damaged; "
                    + "forks can begin at any of them.";

    private static final int RATION = 4; // an evaluation on the way has so many times fewer episodes than the last

    private static final long EVALUATION_STEPS = 50_000; // from one to the next
    private static final long CHECKPOINT_STEPS = 20_000;

    private static final int EVALUATIONS = 20; // at least, where the length is the usual one

    /** @param block steps of the simulator in an iteration; none where the method takes no such steps */
    public static RunLength usual(long iterations, OptionalLong block) {
        long apart = apart(EVALUATION_STEPS, iterations, block);
        return new RunLength(
                iterations,
                block.isEmpty() ? apart : Math.clamp(iterations / EVALUATIONS, 1, apart),
                20,
                apart(CHECKPOINT_STEPS, iterations, block),
                OptionalInt.of(2));
    }

    private static long apart(long steps, long iterations, OptionalLong block) {
        return block.isEmpty() ? iterations / 4 : Math.max(1, Math.round((double) steps / block.getAsLong()));
    }

    /**
     * @param block steps of an iteration
     * @param diagnose iterations between measurements
     */
    public Timetable timetable(long block, long diagnose) {
        return new Timetable(
                block * iterations,
                block * evaluateEvery,
                Math.ceilDiv(episodes, RATION),
                episodes,
                block * checkpointEvery,
                kept(keepCheckpoints),
                block * diagnose);
    }

    /** How many checkpoints stay; all of them where no number is given. */
    public static int kept(OptionalInt checkpoints) {
        return checkpoints.orElse(Integer.MAX_VALUE);
    }
}
