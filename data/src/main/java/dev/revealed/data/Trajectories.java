package dev.revealed.data;

import dev.revealed.data.npz.NpyArray;
import dev.revealed.data.npz.Npz;
import dev.revealed.mdp.Demonstrations;
import dev.revealed.mdp.Mdp;
import dev.revealed.mdp.Trajectory;
import dev.revealed.numeric.BadInput;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** Observed trajectories in CSV and NPZ files, as docs/guide/formats.md describes them. */
public final class Trajectories {
    private static final List<String> COLUMNS = List.of("trajectory", "time", "state");
    private static final List<String> ACTION = List.of("action");
    private static final List<String> ARRAYS = List.of("states", "actions");

    private Trajectories() {}

    /** Reads trajectories and checks every state, action and move against the process. */
    public static Demonstrations read(Path file, Mdp mdp) {
        return read(file, mdp, Demonstrations.IMPOSSIBLE);
    }

    /**
     * The same.
     *
     * @param remedy what to do about a move that has probability 0 in the process
     */
    public static Demonstrations read(Path file, Mdp mdp, String remedy) {
        return rows(file).check(mdp, remedy);
    }

    static TrajectoryRows rows(Path file) {
        return ProcessFiles.isNpz(file) ? npz(Npz.read(file).only(ARRAYS)) : csv(file);
    }

    private static TrajectoryRows csv(Path file) {
        Names names = new Names();
        Ints trajectory = new Ints();
        Ints state = new Ints();
        Ints action = new Ints();
        Ints line = new Ints();
        Ints length = new Ints(); // rows of each trajectory so far, which is also the time that must come next
        boolean hasActions;
        try (Csv csv = Csv.open(file, COLUMNS, ACTION)) {
            hasActions = csv.has(3);
            while (csv.next()) {
                int t = names.number(csv, 0);
                if (t == length.size()) {
                    length.add(0);
                }
                int time = csv.index(1);
                if (time != length.get(t)) {
                    throw csv.bad(
                            "time is %d where trajectory '%s' is at %d".formatted(time, csv.text(0), length.get(t)),
                            time < length.get(t)
                                    ? "Each time must occur once; perhaps two trajectories share a name, or rows need sorting"
                                            + " by time."
                                    : "Times count 0, 1, 2, ... without gaps, sorted within each trajectory.");
                }
                length.set(t, time + 1);
                trajectory.add(t);
                state.add(csv.index(2));
                action.add(!hasActions || csv.blank(3) ? -1 : csv.index(3));
                line.add(csv.line());
            }
        }
        Place place = Place.lines(file, line.toArray());
        return new TrajectoryRows(
                place, names.inOrder(), trajectory.toArray(), state.toArray(), action.toArray(), hasActions);
    }

    private static TrajectoryRows npz(Npz npz) {
        int[] state = npz.indices("states");
        int[] shape = npz.array("states").shape();
        npz.badWhen(
                shape.length != 2, "states", "the shape is " + Arrays.toString(shape), "Give one row per trajectory.");
        int n = shape[0];
        int width = shape[1];
        boolean hasActions = npz.has("actions");
        int[] action = new int[state.length];
        Arrays.fill(action, -1);
        if (hasActions) {
            int[] given = npz.indices("actions");
            int[] found = npz.array("actions").shape();
            npz.badWhen(
                    found.length != 2 || found[0] != n || (found[1] != width && found[1] != width - 1),
                    "actions",
                    "the shape is %s where states have %s".formatted(Arrays.toString(found), Arrays.toString(shape)),
                    "Give one action per decision: n x T actions for n x (T+1) states.");
            for (int t = 0; t < n; t++) {
                System.arraycopy(given, t * found[1], action, t * width, found[1]);
            }
        }
        Place place = new Place(npz.file().toString(), "states", i -> "[%d, %d]".formatted(i / width, i % width));
        List<String> names = IntStream.range(0, n).mapToObj(Integer::toString).toList();
        int[] trajectory = IntStream.range(0, state.length).map(i -> i / width).toArray();
        return new TrajectoryRows(place, names, trajectory, state, action, hasActions);
    }

    /** Writes trajectories, named 0, 1, 2, ...; as NPZ where the name ends so, which needs equal lengths. */
    public static void write(Path file, Demonstrations demonstrations) {
        if (ProcessFiles.isNpz(file)) {
            writeNpz(file, demonstrations);
        } else {
            writeCsv(file, demonstrations);
        }
    }

    private static void writeCsv(Path file, Demonstrations demonstrations) {
        List<String> columns = demonstrations.hasActions() ? List.of("trajectory", "time", "state", "action") : COLUMNS;
        CsvOut.write(file, columns, out -> {
            for (int i = 0; i < demonstrations.size(); i++) {
                Trajectory t = demonstrations.trajectories().get(i);
                int[] actions = t.actions();
                for (int time = 0; time < t.states().length; time++) {
                    List<Object> cells = new ArrayList<>(List.of(i, time, t.states()[time]));
                    if (actions != null) {
                        cells.add(time < actions.length ? actions[time] : "");
                    }
                    out.row(cells);
                }
            }
        });
    }

    private static void writeNpz(Path file, Demonstrations demonstrations) {
        List<Trajectory> all = demonstrations.trajectories();
        Trajectory first = all.getFirst();
        int n = all.size();
        int width = first.states().length;
        BadInput.when(
                all.stream().anyMatch(t -> t.states().length != width || t.length() != first.length()),
                file + ": trajectories of different lengths do not fit one array",
                "Write them as CSV.");
        Map<String, NpyArray> arrays = new LinkedHashMap<>();
        int[] states = all.stream().flatMapToInt(t -> Arrays.stream(t.states())).toArray();
        arrays.put("states", NpyArray.matrix(states, n, width));
        if (demonstrations.hasActions()) {
            int[] actions = all.stream()
                    .map(Trajectory::actions)
                    .flatMapToInt(a -> a == null ? IntStream.empty() : Arrays.stream(a))
                    .toArray();
            arrays.put("actions", NpyArray.matrix(actions, n, first.length()));
        }
        Npz.write(file, arrays);
    }
}
