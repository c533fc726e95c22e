package dev.revealed.app.reproduce;

import dev.revealed.app.Words;
import dev.revealed.studies.tables.Stage;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Commands of finished runs, as somebody types them to make the same runs again. */
final class RunCommands {
    /** Options that change nothing in what a run makes. */
    private static final Set<String> ELSEWHERE = Set.of("--out", "--threads");

    private static final String SEED = "--seed";

    /** Commands that have {@code --seeds}. */
    private static final Set<String> MANY = Set.of("imitate", "expert");

    private RunCommands() {}

    /** What a stage's command is given, without where to and on which device; the file of its runs comes in by name. */
    static List<String> words(Stage stage, String runsFile) {
        List<String> words = new ArrayList<>(List.of(stage.verb()));
        words.addAll(options(stage.options()));
        if (!stage.runs().isEmpty()) {
            words.addAll(List.of("--runs", runsFile));
        }
        return words;
    }

    /** The file of a stage's runs: a line of options for each. */
    static String lines(Stage stage) {
        return stage.runs().stream()
                .map(run -> String.join(" ", options(run)) + "\n")
                .collect(Collectors.joining());
    }

    private static List<String> options(Map<String, String> values) {
        List<String> words = new ArrayList<>();
        values.forEach(
                (name, value) -> words.addAll(value.isEmpty() ? List.of("--" + name) : List.of("--" + name, value)));
        return words;
    }

    /** A row of a table with a command that makes runs of it again. */
    record Line<R>(R row, String command) {}

    /** The commands that make all runs of each row again. */
    static <R> List<Line<R>> lines(List<R> rows, Function<R, List<List<String>>> commands) {
        return rows.stream()
                .flatMap(row -> again(commands.apply(row)).stream().map(command -> new Line<>(row, command)))
                .toList();
    }

    /** The commands that make these runs again: one for runs that differ in the seed alone, where it can make many. */
    static List<String> again(List<List<String>> commands) {
        Map<List<String>, List<String>> kinds =
                new LinkedHashMap<>(); // seeds by all other words; empty for the default
        for (List<String> command : commands) {
            List<String> words = new ArrayList<>();
            String seed = "";
            for (int i = 0; i < command.size(); i++) {
                String word = command.get(i);
                if (word.equals(SEED) && i + 1 < command.size()) {
                    seed = command.get(++i);
                } else if (ELSEWHERE.contains(word)) {
                    i++;
                } else {
                    words.add(word);
                }
            }
            if (!words.isEmpty()) {
                kinds.computeIfAbsent(words, none -> new ArrayList<>()).add(seed);
            }
        }
        List<String> all = new ArrayList<>();
        kinds.forEach((words, seeds) -> {
            if (seeds.size() > 1 && !seeds.contains("") && MANY.contains(words.getFirst())) {
                all.add(typed(words, "--seeds", String.join(",", seeds)));
            } else {
                seeds.forEach(seed -> all.add(seed.isEmpty() ? typed(words) : typed(words, SEED, seed)));
            }
        });
        return all;
    }

    private static String typed(List<String> words, String... more) {
        return Words.typed(Stream.concat(words.stream(), Stream.of(more)).toList());
    }
}
