package dev.revealed.app.train;

import dev.revealed.numeric.BadInput;
import dev.revealed.runs.Checkpoints;
import dev.revealed.runs.RunSpec;
import dev.revealed.settings.Settings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A checkpoint of a run, as it is typed: {@code RUN@ITERATION}.
 *
 * @param recorded settings of that run
 * @param iteration of the checkpoint
 */
record ForkPoint(Path run, Map<String, Object> recorded, long iteration) {
    /** The setting that it is the value of. */
    static final String FORK = "fork";

    private static final Pattern WRITTEN = Pattern.compile("(.+?)(?:@([\\d,]+))?");

    /** One or several checkpoints of a run: {@code RUN}, {@code RUN@3}, {@code RUN@3,5,7}. */
    static List<String> each(String text) {
        Matcher parts = parts(text);
        return parts.group(2) == null
                ? List.of(text)
                : List.of(parts.group(2).split(",", -1)).stream()
                        .map(iteration -> parts.group(1) + "@" + iteration)
                        .toList();
    }

    private static Matcher parts(String text) {
        Matcher parts = WRITTEN.matcher(text);
        if (!parts.matches()) {
            throw new BadInput(
                    "`fork` is '%s'".formatted(text), "Write the folder of a run, @ and an iteration: hopper@120.");
        }
        return parts;
    }

    static ForkPoint of(String text, String command) {
        Matcher parts = parts(text);
        Path run = Path.of(parts.group(1));
        if (!Files.isDirectory(run) || !RunSpec.isIn(run)) {
            throw new BadInput(
                    "`fork` is '%s', and %s is not the folder of a run".formatted(text, run),
                    "Write the folder of a run, @ and an iteration: hopper@120.");
        }
        RunSpec spec = RunSpec.read(run).resumable(run);
        BadInput.when(
                !spec.verb().equals(command) || spec.settings().containsKey(BatchMembers.RUNS),
                "%s was made by '%s', and a fork needs one run of '%s'"
                        .formatted(run, String.join(" ", spec.provenance().command()), command),
                "Name the folder of one run.");
        Map<String, Object> recorded = new TreeMap<>(spec.settings());
        recorded.keySet().removeAll(Settings.of(RunSettings.ForkSettings.class).names());
        recorded.keySet().removeAll(Settings.of(RunSettings.Streams.class).names());
        String iteration = parts.group(2);
        try {
            long block = recorded.get("block") instanceof Number number ? number.longValue() : 1;
            return new ForkPoint(
                    run, recorded, iteration == null ? Checkpoints.latestStep(run) / block : Long.parseLong(iteration));
        } catch (NumberFormatException e) {
            throw new BadInput(
                    "`fork` is '%s', and '%s' is not an iteration".formatted(text, iteration),
                    "Name one iteration, or several together with `forks`: hopper@120,140.");
        }
    }

    /** As it would be typed. */
    String text() {
        return run + "@" + iteration;
    }
}
