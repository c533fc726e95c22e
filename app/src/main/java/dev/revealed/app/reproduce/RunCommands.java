package dev.revealed.app.reproduce;

import dev.revealed.studies.tables.Stage;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Commands of finished runs, as somebody types them to make the same runs again. */
final class RunCommands {
    /** Options that change nothing in what a run makes. */
    private static final Set<String> ELSEWHERE = Set.of("--out", "--threads");

    private static final String SEED = "--seed";

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

    /** One command for runs that differ in the seed alone; that of the first run where they differ in more. */
    static String again(List<List<String>> commands) {
        if (commands.stream().allMatch(List::isEmpty)) {
            return "";
        }
        Set<List<String>> kinds = new LinkedHashSet<>();
        List<String> seeds = new ArrayList<>();
        for (List<String> command : commands) {
            List<String> words = new ArrayList<>();
            for (int i = 0; i < command.size(); i++) {
                String word = command.get(i);
                if (word.equals(SEED) && i + 1 < command.size()) {
                    seeds.add(command.get(i + 1));
                    i++;
                } else if (ELSEWHERE.contains(word)) {
                    i++;
                } else {
                    words.add(word);
                }
            }
            kinds.add(words);
        }
        List<String> words = new ArrayList<>(kinds.iterator().next());
        boolean together = kinds.size() == 1 && seeds.size() == commands.size();
        if (together && seeds.size() > 1) {
            words.addAll(List.of("--seeds", String.join(",", seeds)));
        } else if (!seeds.isEmpty()) {
            words.addAll(List.of(SEED, seeds.getFirst()));
        }
        return "./revealed " + String.join(" ", words);
    }
}
