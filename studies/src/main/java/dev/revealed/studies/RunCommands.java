package dev.revealed.studies;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Commands of finished runs, as somebody types them to make the same runs again. */
public final class RunCommands {
    /** Options that change nothing in what a run makes. */
    private static final Set<String> ELSEWHERE = Set.of("--out", "--threads");

    private static final String SEED = "--seed";

    private RunCommands() {}

    /** One command for runs that differ in the seed alone; that of the first run where they differ in more. */
    public static String again(List<List<String>> commands) {
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
