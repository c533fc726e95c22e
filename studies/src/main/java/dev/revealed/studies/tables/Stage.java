package dev.revealed.studies.tables;

import dev.revealed.imitate.BehaviourCloning;
import dev.revealed.numeric.BadInput;
import dev.revealed.runs.Json;
import dev.revealed.runs.RunFiles;
import dev.revealed.runs.RunSpec;
import dev.revealed.train.RunBatch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * A command that a table needs: a single one, or one that makes many runs.
 *
 * @param folder of its results, within that of the table
 * @param verb the command's name
 * @param options of the command, or of all its runs, by name; switches have no value
 * @param runs options of each run; empty where it is a single command
 */
public record Stage(String folder, String verb, Map<String, String> options, List<Map<String, String>> runs) {
    private static final Set<String> TRAIN = Set.of("imitate", "expert", "worldmodel");

    /** How far a stage has come. */
    public enum State {
        MISSING,
        INTERRUPTED,
        FINISHED
    }

    public Stage {
        options = new LinkedHashMap<>(options);
        runs = List.copyOf(runs);
    }

    /** A single command. */
    public static Stage of(String folder, String verb, Map<String, String> options) {
        return new Stage(folder, verb, options, List.of());
    }

    /** Options in their order. */
    public static Map<String, String> options(String... namesAndValues) {
        Map<String, String> options = new LinkedHashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            options.put(namesAndValues[i], namesAndValues[i + 1]);
        }
        return options;
    }

    /** Whether it trains, and so goes on where it was interrupted. */
    public boolean trains() {
        return TRAIN.contains(verb);
    }

    /** Whether it may train on a GPU: cloning does not. */
    public boolean onDevice() {
        return trains() && runs.stream().noneMatch(run -> BehaviourCloning.NAME.equals(run.get("method")));
    }

    /** How many runs it has. */
    public int size() {
        return Math.max(1, runs.size());
    }

    /** By what its folder holds; runs that failed leave it interrupted. */
    public State state(Path top) {
        Path own = top.resolve(folder);
        if (!RunSpec.isIn(own)) {
            return State.MISSING;
        }
        Path result = own.resolve(RunFiles.RESULT);
        try {
            boolean failed = Files.exists(result)
                    && !runs.isEmpty()
                    && Json.read(Files.readString(result), Map.class).get("failed") instanceof Integer count
                    && count > 0;
            return Files.exists(result) && !failed ? State.FINISHED : State.INTERRUPTED;
        } catch (IOException e) {
            throw new BadInput(
                    "%s cannot be read (%s)".formatted(result, BadInput.reason(e)), "Check its permissions.");
        }
    }

    /** The folder of a run, within that of the table: as a command that makes many runs names them, each of one seed. */
    public String member(int i) {
        Map<String, String> all = new LinkedHashMap<>(options);
        all.putAll(runs.get(i));
        String task = Objects.requireNonNull(all.get("task"), "a run has a task");
        String seed = Objects.requireNonNull(all.get("seed"), "a run has a seed");
        return folder + "/" + RunBatch.name(i + 1, runs.size(), task, seed);
    }
}
