package dev.revealed.app.estimate;

import dev.revealed.app.Main;
import dev.revealed.app.Words;
import dev.revealed.data.ProcessData;
import dev.revealed.data.ProcessFiles;
import dev.revealed.data.TransitionLog;
import dev.revealed.estimate.offline.CautionChoice;
import dev.revealed.estimate.offline.OfflineProblem;
import dev.revealed.mdp.offline.LoggedDynamics;
import dev.revealed.mdp.offline.MoveCounts;
import dev.revealed.numeric.BadInput;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of a process whose transition law is not known, but was seen at work. */
final class OfflineOptions {
    static final String HEADING = "Offline";

    static final String UNSEEN_MOVE =
            "The log has no such move. Add the demonstrations to the log (--transitions once more, with"
                    + " their file), or take --dynamics smoothed, under which every move is possible.";

    /** Bootstrap samples unless the user says otherwise. */
    static final int DRAWS = 200;

    private static final String AUTO = "auto";

    @Option(
            names = "--transitions",
            paramLabel = "FILE",
            description = "A log of moves (state, action, next state) instead of --mdp: CSV with state,action,next, or "
                    + "NPZ, or a file of trajectories with actions; may be repeated. The transition law is estimated "
                    + "from it. Rewards in it are ignored.")
    List<Path> transitions = new ArrayList<>();

    @Option(
            names = "--states",
            paramLabel = "N",
            description = "With --transitions, number of states (default: one more than the largest in the log).")
    @Nullable
    Integer states;

    @Option(
            names = "--actions",
            paramLabel = "N",
            description = "With --transitions, number of actions (default: one more than the largest in the log).")
    @Nullable
    Integer actions;

    @Option(
            names = "--terminal",
            split = ",",
            paramLabel = "STATE",
            description = "With --transitions, states where the process ends: they lead to themselves.")
    int @Nullable [] terminal;

    @Option(
            names = "--dynamics",
            paramLabel = "LAW",
            description =
                    "With --transitions, ${COMPLETION-CANDIDATES}: shares of the counts, or with --prior added (default:"
                            + " counts).")
    LoggedDynamics.Law dynamics = LoggedDynamics.Law.COUNTS;

    @Option(
            names = "--prior",
            paramLabel = "X",
            description =
                    "With --transitions, weight in moves of the Dirichlet prior of each state and action, spread evenly over"
                            + " all states (default: 1).")
    double prior = 1;

    @Option(
            names = "--caution",
            paramLabel = "X|auto",
            description =
                    "With --transitions, penalty on moves that the log leaves uncertain: the agent maximises r - X U. auto"
                            + " chooses by the likelihood of held-out trajectories (default: auto).")
    String caution = AUTO;

    /** A log that was read. */
    record Read(ProcessData data, OfflineProblem.Log log) {}

    boolean given() {
        return !transitions.isEmpty();
    }

    /** The process that the log suggests, and the log. */
    Read read(ProcessOptions files, @Nullable Path trajectories) {
        BadInput.when(
                files.given(),
                "both a kernel (--mdp) and a log of moves (--transitions) are given",
                "Keep one: the kernel where the transition law is known, the log where it is to be estimated.");
        double weight = BadInput.positive("--prior", prior);
        List<Path> existing = transitions.stream().map(Main::existing).toList();
        List<TransitionLog> logs = existing.stream().map(TransitionLog::read).toList();
        int count = size(
                "--states",
                states,
                logs.stream().mapToInt(TransitionLog::states).max().orElse(0));
        int width = size(
                "--actions",
                actions,
                logs.stream().mapToInt(TransitionLog::actions).max().orElse(0));
        MoveCounts all = MoveCounts.none(count, width);
        MoveCounts others = all; // without the demonstrations
        boolean demonstrationsToo = false;
        for (int i = 0; i < logs.size(); i++) {
            MoveCounts own = logs.get(i).counts(count, width);
            boolean isDemonstrations = trajectories != null && same(existing.get(i), Main.existing(trajectories));
            Path log = existing.get(i);
            BadInput.when(
                    existing.subList(0, i).stream().anyMatch(other -> same(log, other)),
                    "%s is given twice as --transitions".formatted(log),
                    "Name each file of the log once.");
            all = all.plus(own);
            others = isDemonstrations ? others : others.plus(own);
            demonstrationsToo |= isDemonstrations;
        }
        Set<Integer> ends =
                terminal == null ? Set.of() : Arrays.stream(terminal).boxed().collect(Collectors.toSet());
        for (int end : ends) {
            BadInput.when(
                    end < 0 || end >= count,
                    "--terminal is %d, outside 0..%d".formatted(end, count - 1),
                    "Name states of the process; --states says how many there are.");
        }
        LoggedDynamics estimated = LoggedDynamics.of(all, dynamics, weight, ends);
        return new Read(
                ProcessFiles.read(estimated.kernel(), existing.getFirst(), files.besides()),
                new OfflineProblem.Log(others, demonstrationsToo, dynamics, weight, ends));
    }

    private static int size(String option, @Nullable Integer given, int needed) {
        if (given == null) {
            return needed;
        }
        BadInput.when(
                given < needed,
                "%s is %d, but the log numbers them up to %d".formatted(option, given, needed - 1),
                "Give at least %d, or leave it out.".formatted(needed));
        return given;
    }

    private static boolean same(Path one, Path other) {
        try {
            return Files.isSameFile(one, other);
        } catch (IOException e) {
            return false;
        }
    }

    /** How the caution is chosen, where it is. */
    Optional<CautionChoice> choice() {
        return caution.equals(AUTO) ? Optional.of(CautionChoice.STANDARD) : Optional.empty();
    }

    /** The caution as typed; 0 until it is chosen. */
    double caution() {
        if (caution.equals(AUTO)) {
            return 0;
        }
        try {
            return BadInput.notNegative("--caution", Double.parseDouble(caution));
        } catch (NumberFormatException e) {
            throw Words.unknown(
                    "--caution is '%s'".formatted(caution),
                    caution,
                    List.of(AUTO, "0", "1", "or another number from 0"));
        }
    }
}
