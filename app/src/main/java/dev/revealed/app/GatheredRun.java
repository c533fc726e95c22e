package dev.revealed.app;

import dev.revealed.numeric.BadInput;
import dev.revealed.runs.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A finished run that learnt from demonstrations, or from a reward recovered from them, as its folder tells it.
 *
 * @param command that made it
 * @param settings every one of them, by name
 */
public record GatheredRun(Path folder, List<String> command, Map<String, Object> settings, Trained result) {
    /**
     * The runs under a folder, by their names; those that were begun and did not end are named and nothing else.
     *
     * @param judged what {@code reward} said of rewards
     */
    public record Found(List<GatheredRun> finished, List<Path> unfinished, List<RewardView.Result> judged) {}

    public static Found under(Path top) {
        if (!Files.isDirectory(top)) {
            throw new BadInput("there is no folder " + top, "Name one that holds run folders of 'imitate'.");
        }
        List<Path> folders;
        try (Stream<Path> all = Files.walk(top)) {
            folders = all.filter(Files::isDirectory).sorted().toList();
        } catch (IOException | UncheckedIOException e) {
            throw new BadInput("%s cannot be read (%s)".formatted(top, e), "Check who may read it.");
        }
        List<GatheredRun> finished = new ArrayList<>();
        List<Path> unfinished = new ArrayList<>();
        List<RewardView.Result> judged = new ArrayList<>();
        for (Path folder : folders) {
            Path told = folder.resolve(BaseCommand.SPEC);
            Path result = folder.resolve(Outcome.RESULT);
            if (Files.exists(told)) {
                BaseCommand.Spec spec = spec(told);
                Optional<Class<?>> kind = kind(spec);
                if (kind.isPresent() && !Files.exists(result)) {
                    unfinished.add(folder);
                } else if (kind.isPresent() && kind.get() == RewardView.Result.class) {
                    judged.add(judged(result));
                } else if (kind.isPresent()) {
                    finished.add(new GatheredRun(
                            folder,
                            spec.provenance().command(),
                            spec.settings(),
                            result(result, kind.get().asSubclass(Trained.class))));
                }
            } else if (Files.exists(result)) {
                throw new BadInput(
                        "%s has no %s beside it, so nobody knows which command made it"
                                .formatted(result, BaseCommand.SPEC),
                        "Keep both files of a run, or take the folder away.");
            }
        }
        return new Found(finished, unfinished, judged);
    }

    /** What the result of a command is; nothing for commands of other kinds, and for those that made many runs. */
    private static Optional<Class<?>> kind(BaseCommand.Spec spec) {
        Map<String, Object> settings = spec.settings();
        if (settings.containsKey("seeds") || settings.containsKey("runs")) {
            return Optional.empty(); // each of them has a folder of its own
        }
        return switch (spec.provenance().command().getFirst()) {
            case "imitate" ->
                Optional.of("bc".equals(settings.get("method")) ? CloningResult.class : ImitationResult.class);
            case "reward" -> Optional.of(RewardView.Result.class);
            case "expert" -> settings.containsKey("reward") ? Optional.of(ExpertResult.class) : Optional.empty();
            default -> Optional.empty();
        };
    }

    private static BaseCommand.Spec spec(Path file) {
        BaseCommand.Spec spec = read(file, BaseCommand.Spec.class);
        if (spec.provenance() == null
                || spec.settings() == null
                || spec.provenance().command().isEmpty()) {
            throw new BadInput(
                    file + " does not tell which command made the folder",
                    "It is damaged, or no file of ours: take the folder away.");
        }
        return spec;
    }

    private static Trained result(Path file, Class<? extends Trained> kind) {
        Trained result = read(file, kind);
        String missing = result.task() == null
                ? "task"
                : result.curve() == null ? "curve" : !Double.isFinite(result.meanReturn()) ? "meanReturn" : "";
        if (missing.isEmpty()
                && result instanceof ImitationResult made
                && (made.marks() == null || made.marks().size() != made.curve().size())) {
            missing = "marks for every test";
        }
        if (!missing.isEmpty()) {
            throw new BadInput(
                    "%s has no %s".formatted(file, missing), "It is damaged: make the run again, or take it away.");
        }
        return result;
    }

    private static RewardView.Result judged(Path file) {
        RewardView.Result result = read(file, RewardView.Result.class);
        if (result.inputs() == null
                || result.along() == null
                || result.along().stream()
                        .anyMatch(each -> each == null || each.name() == null || each.from() == null)) {
            throw new BadInput(
                    file + " does not tell what the reward is of and along what it was judged",
                    "It is damaged: judge the reward again, or take the folder away.");
        }
        return result;
    }

    private static <T> T read(Path file, Class<T> type) {
        try {
            return Json.read(Files.readString(file), type);
        } catch (BadInput e) {
            throw new BadInput(
                    "%s: %s".formatted(file, e.problem()), "It is damaged: make the run again, or take it away.");
        } catch (IOException e) {
            throw new BadInput(
                    "%s cannot be read (%s)".formatted(file, e), "It is damaged: make the run again, or take it away.");
        }
    }
}
