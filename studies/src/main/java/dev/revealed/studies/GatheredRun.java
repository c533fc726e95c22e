package dev.revealed.studies;

import dev.revealed.numeric.BadInput;
import dev.revealed.runs.Json;
import dev.revealed.runs.RunFiles;
import dev.revealed.runs.RunSpec;
import dev.revealed.settings.Item;
import dev.revealed.studies.evaluation.RunCurve;
import dev.revealed.train.RewardReport;
import dev.revealed.train.TrainingResult;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A finished run that learnt from demonstrations, or from a reward recovered from them, as its folder has it.
 *
 * @param spec the command that made it and every setting
 */
public record GatheredRun(Path folder, RunSpec spec, TrainingResult result) {
    private static final String REMEDY = "It is damaged: make the run again, or take it away.";

    /**
     * The runs under a folder, by their names; those that were started and did not end are only named.
     *
     * @param judged what {@code reward} said of rewards
     */
    public record Found(List<GatheredRun> finished, List<Path> unfinished, List<RewardReport> judged) {}

    /** Its evaluations and, where its metrics were kept, its training returns. */
    RunCurve curve() {
        return RunCurve.of(result, folder);
    }

    public static Found under(Path top) {
        if (!Files.isDirectory(top)) {
            throw new BadInput("there is no folder " + top, "Name one that holds run folders of 'imitate'.");
        }
        List<Path> folders;
        try (Stream<Path> all = Files.walk(top)) {
            folders = all.filter(Files::isDirectory).sorted().toList();
        } catch (IOException | UncheckedIOException e) {
            throw new BadInput("%s cannot be read (%s)".formatted(top, BadInput.reason(e)), "Check its permissions.");
        }
        Found found = new Found(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
        folders.forEach(folder -> add(folder, found));
        return found;
    }

    private static void add(Path folder, Found found) {
        boolean finished = Files.exists(folder.resolve(RunFiles.RESULT));
        if (!RunSpec.isIn(folder)) {
            if (finished) {
                throw new BadInput(
                        "%s has no %s beside it, so nobody knows which command made it"
                                .formatted(folder.resolve(RunFiles.RESULT), RunFiles.SPEC),
                        "Keep both files of a run, or take the folder away.");
            }
            return;
        }
        RunSpec spec = RunSpec.read(folder);
        String command = spec.provenance().command().getFirst();
        if (!counts(command, spec.settings())) {
            return;
        }
        if (!finished) {
            found.unfinished.add(folder);
        } else if (command.equals("reward")) {
            found.judged.add(judged(folder.resolve(RunFiles.RESULT)));
        } else {
            found.finished.add(new GatheredRun(folder, spec, TrainingResult.read(folder)));
        }
    }

    /** Whether a command is of a kind that counts; one that made many runs is not, since each has a folder of its own. */
    private static boolean counts(String command, Map<String, Object> settings) {
        if (settings.containsKey("seeds") || settings.containsKey("runs")) {
            return false;
        }
        return switch (command) {
            case "imitate", "reward" -> true;
            case "expert" -> !Item.text(settings.getOrDefault("reward", "")).isEmpty();
            default -> false;
        };
    }

    private static RewardReport judged(Path file) {
        RewardReport report;
        try {
            report = Json.read(Files.readString(file), RewardReport.class);
        } catch (BadInput | IOException e) {
            throw new BadInput(
                    "%s: %s".formatted(file, e instanceof BadInput bad ? bad.problem() : BadInput.reason(e)), REMEDY);
        }
        if (report.inputs() == null
                || report.along() == null
                || report.along().stream()
                        .anyMatch(each -> each == null || each.name() == null || each.from() == null)) {
            throw new BadInput(file + " does not say what the reward is of and along what it was judged", REMEDY);
        }
        return report;
    }
}
