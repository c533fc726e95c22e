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
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * A finished run that learnt from demonstrations, or from a reward recovered from them, as its folder has it.
 *
 * @param folder where it lies, or would lie if its archive were unpacked
 * @param spec the command that made it and every setting
 * @param curve its evaluations and, where its metrics were kept, its training returns
 */
public record GatheredRun(Path folder, RunSpec spec, TrainingResult result, RunCurve curve) {
    private static final String REMEDY = "It is damaged: make the run again, or take it away.";
    private static final String PACKED = ".zip";

    /**
     * The runs under a folder, by their names; an archive counts as the folder of its name, also within another. Those that were
     * started and did not end are only named.
     *
     * @param judged what {@code reward} said of rewards
     */
    public record Found(List<GatheredRun> finished, List<Path> unfinished, List<RewardReport> judged) {}

    public static Found under(Path top) {
        if (!Files.isDirectory(top)) {
            throw new BadInput("there is no folder " + top, "Name one that holds run folders of 'imitate'.");
        }
        Found found = new Found(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
        gather(top, top, found);
        Path packed =
                top.resolveSibling(top.getFileName() + PACKED); // the rest of the folder, where some runs are packed
        if (Files.isRegularFile(packed)) {
            unpack(packed, packed, found);
        }
        return found;
    }

    /** @param named the path of {@code top} that messages show */
    private static void gather(Path top, Path named, Found found) {
        for (Path path : all(top, named)) {
            Path called = named.resolve(top.relativize(path).toString());
            if (Files.isDirectory(path)) {
                add(path, called, found);
            } else if (path.toString().endsWith(PACKED)) {
                unpack(path, called, found);
            }
        }
    }

    /**
     * Refuses a run that was found twice.
     *
     * @param own what sets a run apart from the others of its row
     * @param row that they are in, in words
     */
    public static void requireOnce(List<GatheredRun> runs, Function<GatheredRun, Object> own, String row) {
        Map<Object, Path> places = new HashMap<>();
        for (GatheredRun run : runs) {
            Path same = places.put(own.apply(run), run.folder);
            if (same != null) {
                throw new BadInput(
                        "%s and %s are the same run: %s with seed %d"
                                .formatted(same, run.folder, row, run.result.seed()),
                        "Take one of them away.");
            }
        }
    }

    private static List<Path> all(Path top, Path named) {
        try (Stream<Path> all = Files.walk(top)) {
            return all.sorted().toList();
        } catch (IOException | UncheckedIOException e) {
            throw new BadInput("%s cannot be read (%s)".formatted(named, BadInput.reason(e)), "Check its permissions.");
        }
    }

    private static void unpack(Path archive, Path named, Found found) {
        String name = String.valueOf(named.getFileName());
        Path folder = named.resolveSibling(name.substring(0, name.length() - PACKED.length()));
        try (FileSystem packed = FileSystems.newFileSystem(archive)) {
            gather(packed.getPath("/"), folder, found);
        } catch (IOException e) {
            throw new BadInput("%s is no archive of runs (%s)".formatted(named, BadInput.reason(e)), REMEDY);
        } catch (BadInput e) {
            throw new BadInput("in %s: %s".formatted(named, e.problem()), e.remedy());
        }
    }

    /** @param named the path that messages show */
    private static void add(Path folder, Path named, Found found) {
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
        String command = spec.verb();
        if (!counts(command, spec.settings())) {
            return;
        }
        if (!finished) {
            found.unfinished.add(named);
        } else if (command.equals("reward")) {
            found.judged.add(judged(folder.resolve(RunFiles.RESULT)));
        } else {
            TrainingResult result = TrainingResult.read(folder);
            found.finished.add(new GatheredRun(named, spec, result, RunCurve.of(result, folder)));
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
