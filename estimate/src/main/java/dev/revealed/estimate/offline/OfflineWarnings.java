package dev.revealed.estimate.offline;

import dev.revealed.mdp.offline.LoggedDynamics;
import dev.revealed.mdp.offline.MoveCounts;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** What the log leaves open, in words. */
final class OfflineWarnings {
    private static final int SHOWN = 5;

    private OfflineWarnings() {}

    static List<String> of(OfflineProblem problem, MoveCounts counts, LoggedDynamics dynamics) {
        List<String> warnings = new ArrayList<>();
        int[] unvisited = dynamics.unvisited();
        int actions = counts.actions();
        if (unvisited.length > 0) {
            warnings.add(
                    ("%d of %d pairs of state and action were never logged: %s. Nothing is known of where they lead; their"
                                    + " law is the prior's, every state alike, and their uncertainty the largest")
                            .formatted(
                                    unvisited.length,
                                    counts.rows(),
                                    list(Arrays.stream(unvisited)
                                            .mapToObj(row -> "(%d, %d)".formatted(row / actions, row % actions))
                                            .toList())));
        }
        int chosen = chosen(problem, unvisited, actions);
        if (chosen > 0) {
            warnings.add(
                    "the demonstrations choose %d of these pairs: the log does not cover the expert".formatted(chosen));
        }
        double[] arrivals = counts.arrivals();
        List<String> ends = IntStream.range(0, counts.states())
                .filter(state -> arrivals[state] > 0
                        && IntStream.range(state * actions, (state + 1) * actions)
                                .allMatch(row -> Arrays.binarySearch(unvisited, row) >= 0))
                .mapToObj(Integer::toString)
                .toList();
        if (!ends.isEmpty()) {
            warnings.add(
                    "states that the log enters and never leaves: %s. If the process ends there, say so with `terminal`"
                            .formatted(list(ends)));
        }
        return warnings;
    }

    private static int chosen(OfflineProblem problem, int[] unvisited, int actions) {
        if (!problem.demonstrations().hasActions()) {
            return 0;
        }
        return (int) problem.demonstrations().trajectories().stream()
                .flatMapToInt(one -> {
                    int[] taken = one.actions();
                    return taken == null
                            ? IntStream.empty()
                            : IntStream.range(0, taken.length).map(t -> one.states()[t] * actions + taken[t]);
                })
                .distinct()
                .filter(row -> Arrays.binarySearch(unvisited, row) >= 0)
                .count();
    }

    private static String list(List<String> items) {
        return items.stream().limit(SHOWN).collect(Collectors.joining(", "))
                + (items.size() > SHOWN ? " and %d more".formatted(items.size() - SHOWN) : "");
    }
}
