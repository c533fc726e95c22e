package dev.revealed.data;

import dev.revealed.data.npz.Npz;
import dev.revealed.mdp.offline.MoveCounts;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.ProgressListener;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A log of moves as read from a CSV or NPZ file: state, action, next state. Rewards in it are never looked at. A file of
 * trajectories with actions is a log too. docs/guide/formats.md describes both.
 */
public record TransitionLog(Place place, int[] state, int[] action, int[] next) {
    private static final List<String> MOVES = List.of("state", "action", "next");
    private static final List<String> IGNORED = List.of("reward");
    private static final List<String> TRAJECTORY = List.of("trajectory");

    /** One mistyped number must not promise billions of states. */
    private static final int MOST_STATES = 1_000_000;

    private static final int MOST_ACTIONS = 10_000;

    public static TransitionLog read(Path file) {
        TransitionLog log = ProcessFiles.isNpz(file) ? npz(Npz.read(file)) : csv(file);
        BadInput.when(log.state.length == 0, file + ": there are no moves", "Give at least one row.");
        return log;
    }

    private static TransitionLog csv(Path file) {
        try (Csv header = Csv.amongOthers(file, List.of(), TRAJECTORY, "", ProgressListener.NONE)) {
            if (header.has(0)) {
                return of(Trajectories.rows(file));
            }
        }
        Ints state = new Ints();
        Ints action = new Ints();
        Ints next = new Ints();
        Ints line = new Ints();
        try (Csv csv = Csv.open(file, MOVES, IGNORED)) {
            while (csv.next()) {
                state.add(csv.index(0));
                action.add(csv.index(1));
                next.add(csv.index(2));
                line.add(csv.line());
            }
        }
        return new TransitionLog(Place.lines(file, line.toArray()), state.toArray(), action.toArray(), next.toArray());
    }

    private static TransitionLog npz(Npz npz) {
        if (npz.has("states")) {
            return of(Trajectories.rows(npz.file()));
        }
        Npz log = npz.only(Stream.concat(MOVES.stream(), IGNORED.stream()).toList());
        int[] state = log.indices("state");
        int[] action = log.indices("action");
        int[] next = log.indices("next");
        for (String name : List.of("action", "next")) {
            int found = log.array(name).size();
            log.badWhen(
                    found != state.length,
                    name,
                    "%d values where state has %d".formatted(found, state.length),
                    "Give one of each for every move.");
        }
        return new TransitionLog(Place.entries(npz.file()), state, action, next);
    }

    private static TransitionLog of(TrajectoryRows rows) {
        BadInput.when(
                !rows.hasActions(),
                rows.place().file() + ": the trajectories hold no actions",
                "A log needs the action of every move.");
        int[] successor = rows.successors();
        int[] moves = IntStream.range(0, successor.length)
                .filter(i -> successor[i] >= 0)
                .toArray();
        Place place = new Place(
                rows.place().file(),
                rows.place().unit(),
                i -> rows.place().number().apply(moves[i]));
        return new TransitionLog(
                place,
                Arrays.stream(moves).map(i -> rows.state()[i]).toArray(),
                Arrays.stream(moves).map(i -> rows.action()[i]).toArray(),
                Arrays.stream(moves).map(i -> rows.state()[successor[i]]).toArray());
    }

    /** As many states as the largest index needs. */
    public int states() {
        int row = 0;
        for (int i = 1; i < state.length; i++) {
            row = Math.max(state[i], next[i]) > Math.max(state[row], next[row]) ? i : row;
        }
        int largest = Math.max(state[row], next[row]);
        place.index(
                row,
                largest == next[row] ? "next" : "state",
                largest,
                MOST_STATES,
                "A log has at most a million states.");
        return largest + 1;
    }

    /** As many actions as the largest index needs. */
    public int actions() {
        int row = 0;
        for (int i = 1; i < action.length; i++) {
            row = action[i] > action[row] ? i : row;
        }
        place.index(row, "action", action[row], MOST_ACTIONS, "A log has at most ten thousand actions.");
        return action[row] + 1;
    }

    /** How often each move was made, in a process of that size. */
    public MoveCounts counts(int states, int actions) {
        for (int i = 0; i < state.length; i++) {
            place.index(i, "state", state[i], states, "Number states from 0, or give more `states`.");
            place.index(i, "action", action[i], actions, "Number actions from 0, or give more `actions`.");
            place.index(i, "next", next[i], states, "Number states from 0, or give more `states`.");
        }
        return MoveCounts.of(states, actions, state, action, next);
    }
}
