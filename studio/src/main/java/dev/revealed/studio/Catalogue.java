package dev.revealed.studio;

import dev.revealed.numeric.BadInput;
import dev.revealed.runs.Checkpoints;
import dev.revealed.runs.Json;
import dev.revealed.runs.MetricsReader;
import dev.revealed.runs.Provenance;
import dev.revealed.runs.RunFiles;
import dev.revealed.runs.RunSearch;
import dev.revealed.runs.RunSpec;
import dev.revealed.runs.RunState;
import dev.revealed.settings.Item;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The runs under the folders that the user named. Whoever asks for a run names it by an id from here, never by a path. */
final class Catalogue {
    private static final int MOST = 20_000;
    private static final int ID_BYTES = 8;
    private static final String FINISHED = Item.text(RunState.Kind.FINISHED);

    /** Settings that say nothing of what a run learns: runs that differ in these alone are one setting. */
    private static final Set<String> APART = Set.of(
            "seed",
            "out",
            "json",
            "resume",
            "threads",
            "at-once",
            "seeds",
            "help",
            "checkpoint-every",
            "keep-checkpoints");

    private final List<Path> roots;
    private final Map<Path, Known> known = new ConcurrentHashMap<>();
    private volatile Map<String, Run> byId = Map.of();
    private volatile List<Run> unfinished = List.of();

    Catalogue(List<Path> roots) {
        this.roots = List.copyOf(roots);
    }

    /** A run folder; {@code name} is its path below the folder that the user named. */
    record Run(String id, String name, Path folder) {}

    /** What was read of a folder when its files had these times. */
    private record Known(long changed, Summary summary, Map<String, Object> settings) {}

    /**
     * A line of the list.
     *
     * @param setting what the run has in common with those that differ in the seed alone: the key of their settings
     * @param why what failed, or could not be read
     * @param value the return of the last evaluation, or the log-likelihood
     * @param can what can be looked at: curve, policy, reward, choice
     */
    record Summary(
            String id,
            String name,
            String command,
            String method,
            String task,
            long seed,
            String state,
            Optional<String> why,
            String version,
            Optional<String> commit,
            long changed,
            String setting,
            @Nullable Double value,
            @Nullable Double share,
            List<String> can) {}

    /** The list, and the settings that its lines refer to. */
    record Listing(List<String> folders, List<Summary> runs, Map<String, Map<String, Object>> settings) {}

    /**
     * Everything of a run but its curve.
     *
     * @param ghost whether the demonstrations that it imitates can be shown
     * @param path as it would be typed where the page was started
     */
    record Detail(
            Summary run,
            RunSpec spec,
            Map<String, Object> result,
            List<String> files,
            List<String> policies,
            boolean ghost,
            String path) {}

    /** The runs that there are now. */
    Listing list() {
        Map<String, Run> found = new LinkedHashMap<>();
        for (Path root : roots) {
            String top = roots.size() == 1 ? "" : root.getFileName() + "/";
            for (Path folder : Files.isDirectory(root) ? RunSearch.under(root, MOST) : List.<Path>of()) {
                String below = real(root).relativize(folder).toString();
                Run run = new Run(
                        id(folder), below.isEmpty() ? String.valueOf(folder.getFileName()) : top + below, folder);
                found.put(run.id, run);
            }
        }
        byId = found;
        Map<String, Map<String, Object>> settings = new TreeMap<>();
        List<Summary> runs = new ArrayList<>();
        List<Run> growing = new ArrayList<>();
        for (Run run : found.values()) {
            Known read = known(run);
            runs.add(read.summary);
            settings.putIfAbsent(read.summary.setting, read.settings);
            if (!read.summary.state.equals(FINISHED)) {
                growing.add(run);
            }
        }
        unfinished = growing;
        known.keySet().retainAll(found.values().stream().map(Run::folder).collect(Collectors.toSet()));
        return new Listing(roots.stream().map(Path::toString).toList(), runs, settings);
    }

    /** The run of that id. */
    Optional<Run> run(String id) {
        if (byId.isEmpty()) {
            list();
        }
        return Optional.ofNullable(byId.get(id));
    }

    /** Those whose curves could grow when the list was last made. */
    List<Run> unfinished() {
        return unfinished;
    }

    /** The folders beside a run's that recovered a reward in the same way, itself among them. */
    List<Path> likeRewards(Run run) {
        String setting = known(run).summary.setting;
        return byId.values().stream()
                .filter(other -> Objects.equals(other.folder.getParent(), run.folder.getParent()))
                .filter(other -> isFile(other.folder.resolve(RunFiles.REWARD)))
                .filter(other -> known(other).summary.setting.equals(setting))
                .map(Run::folder)
                .toList();
    }

    Detail detail(Run run) {
        RunSpec spec = spec(run.folder);
        return new Detail(
                known(run).summary,
                spec,
                result(run.folder),
                files(run.folder),
                policies(run.folder),
                Playback.hasGhost(spec),
                path(run.folder));
    }

    private static String path(Path folder) {
        Path here = real(Path.of(""));
        return folder.startsWith(here) ? here.relativize(folder).toString() : folder.toString();
    }

    private Known known(Run run) {
        RunState state = RunState.of(run.folder);
        long changed = Stream.of(RunFiles.RESULT, RunFiles.METRICS, RunFiles.SPEC)
                .mapToLong(name -> run.folder.resolve(name).toFile().lastModified())
                .max()
                .orElse(0);
        Known before = known.get(run.folder);
        if (before != null && before.changed == changed && before.summary.state.equals(Item.text(state.kind()))) {
            return before;
        }
        RunSpec spec = spec(run.folder);
        Known now = new Known(changed, read(run, spec, state, changed), setting(spec));
        if (now.summary.why.equals(state.why())) { // else something could not be read, and is tried again
            known.put(run.folder, now);
        }
        return now;
    }

    private static Summary read(Run run, RunSpec spec, RunState state, long changed) {
        Map<String, Object> result = result(run.folder);
        Map<String, Double> last = Map.of();
        Optional<String> why = state.why();
        try {
            last = MetricsReader.last(run.folder);
        } catch (BadInput e) { // the other runs are shown all the same
            why = why.or(() -> Optional.of(e.problem()));
        }
        Map<String, Object> settings = spec.settings();
        List<String> command = spec.provenance().command();
        return new Summary(
                run.id,
                run.name,
                command.isEmpty() ? "" : command.getFirst(),
                Item.text(result.getOrDefault("method", settings.getOrDefault("method", ""))),
                Item.text(
                        settings.getOrDefault("task", result.getOrDefault("task", settings.getOrDefault("model", "")))),
                spec.provenance().seed(),
                Item.text(state.kind()),
                why,
                spec.provenance().version(),
                spec.provenance().commit(),
                changed,
                key(command, setting(spec)),
                value(result, last),
                result.get("ratio") instanceof Number ratio ? (Double) ratio.doubleValue() : null,
                can(run.folder, result, last));
    }

    private static @Nullable Double value(Map<String, Object> result, Map<String, Double> last) {
        return Curves.value(result).or(() -> Curves.value(last)).orElse(null);
    }

    private static List<String> can(Path folder, Map<String, Object> result, Map<String, Double> last) {
        List<String> can = new ArrayList<>();
        if (!last.isEmpty() || result.get("curve") instanceof List) {
            can.add("curve");
        }
        if (!policies(folder).isEmpty()) {
            can.add("policy");
        }
        if (isFile(folder.resolve(RunFiles.REWARD))) {
            can.add("reward");
        }
        if (result.get("choice") instanceof Map) {
            can.add("choice");
        }
        return can;
    }

    /** The policies of a run, by the names of their files; a run without any that has checkpoints has the last one's. */
    static List<String> policies(Path folder) {
        List<String> found = new ArrayList<>(Stream.of(RunFiles.POLICY, RunFiles.CHOSEN, RunFiles.BEST)
                .filter(name -> isFile(folder.resolve(name)))
                .toList());
        if (!found.contains(RunFiles.POLICY) && hasCheckpoint(folder)) {
            found.addFirst(RunFiles.CHECKPOINT);
        }
        return found;
    }

    private static boolean hasCheckpoint(Path folder) {
        try {
            return Files.isDirectory(folder.resolve(RunFiles.CHECKPOINT)) && Checkpoints.latestStep(folder) > 0;
        } catch (BadInput e) {
            return false;
        }
    }

    private static RunSpec spec(Path folder) {
        try {
            return RunSpec.read(folder);
        } catch (BadInput e) {
            return RunSpec.of(Provenance.of(0, List.of("?")), Map.of("problem", e.problem()));
        }
    }

    private static Map<String, Object> setting(RunSpec spec) {
        Map<String, Object> settings = new TreeMap<>(spec.settings());
        settings.keySet().removeAll(APART);
        return settings;
    }

    private static String key(List<String> command, Map<String, Object> settings) {
        return hash((command.isEmpty() ? "" : command.getFirst()) + Json.line(settings));
    }

    private static Map<String, Object> result(Path folder) {
        Map<String, Object> fields = new LinkedHashMap<>();
        Path file = folder.resolve(RunFiles.RESULT);
        if (isFile(file)) {
            try {
                Map<?, ?> read = Json.read(Files.readString(file), Map.class);
                read.forEach((name, value) -> fields.put(String.valueOf(name), value));
            } catch (IOException | UncheckedIOException | BadInput e) {
                fields.put("problem", "%s cannot be read (%s)".formatted(RunFiles.RESULT, e.getMessage()));
            }
        }
        return fields;
    }

    /** The files of a run, of which any can be asked for by its name. */
    private static List<String> files(Path folder) {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(Catalogue::isFile)
                    .map(file -> Objects.requireNonNull(file.getFileName()).toString())
                    .filter(name -> !name.startsWith("."))
                    .sorted()
                    .toList();
        } catch (IOException | UncheckedIOException e) {
            return List.of();
        }
    }

    /** A file of a run, where it has one of that name. */
    static Optional<Path> file(Run run, String name) {
        return files(run.folder).contains(name) ? Optional.of(run.folder.resolve(name)) : Optional.empty();
    }

    private static boolean isFile(Path file) {
        return Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS);
    }

    private static Path real(Path root) {
        try {
            return root.toRealPath();
        } catch (IOException e) {
            return root.toAbsolutePath();
        }
    }

    /** The id of a run folder, which is the same whenever and from wherever it is looked at. */
    static String id(Path folder) {
        return hash(real(folder).toString());
    }

    private static String hash(String text) {
        try {
            byte[] all = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(all, 0, ID_BYTES);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e); // every Java has it
        }
    }
}
