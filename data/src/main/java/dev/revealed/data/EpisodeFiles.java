package dev.revealed.data;

import dev.revealed.data.npz.NpyArray;
import dev.revealed.data.npz.Npz;
import dev.revealed.mdp.Episode;
import dev.revealed.mdp.Episode.Ending;
import dev.revealed.mdp.Episodes;
import dev.revealed.mdp.Simulator;
import dev.revealed.numeric.BadInput;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Episodes on simulators in NPZ files and in HDF5 files as Minari or D4RL have them, and NPZ files of the package imitation, as docs/guide/formats.md describes them. */
public final class EpisodeFiles {
    /** The name of the task, which a file may give: an array of one text, or an attribute. */
    static final String TASK = "task";

    private static final List<String> ARRAYS =
            List.of("observations", "actions", "rewards", "terminations", "lengths", TASK);

    /** The file that {@code record} writes into its folder. */
    public static final String RECORDED = "demonstrations.npz";

    private EpisodeFiles() {}

    /** The demonstrations in a folder of {@code record}; another name as it is. */
    public static Path in(Path folderOrFile) {
        Path inside = folderOrFile.resolve(RECORDED);
        boolean named = !folderOrFile.toString().isEmpty();
        return named && Files.isRegularFile(inside) ? inside : folderOrFile;
    }

    private enum Form {
        NPZ,
        HDF5;

        static Form of(Path file) {
            String name = file.toString().toLowerCase(Locale.ROOT);
            if (name.endsWith(".npz")) {
                return NPZ;
            } else if (name.endsWith(".hdf5") || name.endsWith(".h5")) {
                return HDF5;
            }
            throw new BadInput(
                    "%s: demonstrations do not have this ending".formatted(file),
                    "Name a file that ends with .npz or .hdf5.");
        }
    }

    /** Reads episodes and checks them against the simulator they are meant for. */
    public static Episodes read(Path file, Simulator.Space space) {
        Episodes episodes = read(file);
        return BadInput.placed(file.toString(), () -> {
            episodes.check(space);
            return episodes;
        });
    }

    public static Episodes read(Path file) {
        return read(file, true);
    }

    /** Reads a log without its rewards, which may be anything, even no numbers. */
    public static Episodes readUnrewarded(Path file) {
        return read(file, false);
    }

    /** Reads such a log and checks it against the simulator it is meant for; a log of another task is refused. */
    public static Episodes readUnrewarded(Path file, Simulator.Space space) {
        Episodes log = readUnrewarded(file);
        String task = taskOf(file).orElse(space.name());
        return BadInput.placed(file.toString(), () -> {
            BadInput.when(
                    !task.equals(space.name()),
                    "the log is of %s, and the task is %s".formatted(task, space.name()),
                    "Name a log of %s, or choose `task` %s.".formatted(space.name(), task));
            log.check(space);
            return log;
        });
    }

    private static Episodes read(Path file, boolean rewarded) {
        return switch (Form.of(file)) {
            case NPZ -> {
                Npz npz = Npz.read(file, ImitationFiles.UNREAD);
                yield ImitationFiles.is(npz) ? ImitationFiles.read(npz, rewarded) : npz(npz.only(ARRAYS), rewarded);
            }
            case HDF5 -> MinariFiles.read(file, rewarded);
        };
    }

    /**
     * Writes a long log: D4RL's layout, one array per quantity for all episodes together.
     *
     * @param task that it was recorded on; empty where that is not known
     */
    public static void writeLog(Path file, Episodes episodes, String task) {
        BadInput.when(
                Form.of(file) != Form.HDF5, file + " is not a name for a log", "Name a file that ends with .hdf5.");
        FlatLogs.write(file, episodes, task);
    }

    /** The task that episodes were recorded on, where the file names it. */
    public static Optional<String> taskOf(Path file) {
        return switch (Form.of(file)) {
            case NPZ -> {
                Npz npz = Npz.read(file, ImitationFiles.UNREAD);
                yield npz.has(TASK) ? npz.array(TASK).strings().stream().findFirst() : Optional.empty();
            }
            case HDF5 -> MinariFiles.taskOf(file);
        };
    }

    public static void write(Path file, Episodes episodes) {
        write(file, episodes, "");
    }

    /** @param task that they were recorded on; empty where that is not known */
    public static void write(Path file, Episodes episodes, String task) {
        switch (Form.of(file)) {
            case NPZ -> writeNpz(file, episodes, task);
            case HDF5 -> MinariFiles.write(file, episodes, task);
        }
    }

    private static Episodes npz(Npz npz, boolean rewarded) {
        int[] shape = npz.array("observations").shape();
        npz.badWhen(
                shape.length != 3 || shape[0] < 1 || shape[1] < 2 || shape[2] < 1,
                "observations",
                "the shape is " + Arrays.toString(shape),
                "Give n trajectories x (T+1) observations x columns.");
        int n = shape[0];
        int most = shape[1] - 1;
        int columns = shape[2];
        float[] observations = floats(npz, "observations");
        NpyArray acted = optional(npz, "actions", shape, 3);
        float @Nullable [] actions = acted == null ? null : floats(npz, "actions");
        int width = acted == null ? 0 : acted.shape()[2];
        double @Nullable [] rewards = rewarded ? numbers(optional(npz, "rewards", shape, 2)) : null;
        double @Nullable [] terminations = numbers(optional(npz, "terminations", shape, 2));
        int[] lengths = lengths(npz, n, most);
        List<Episode> episodes = new ArrayList<>();
        for (int i = 0; i < n; i++) {
            int steps = lengths[i];
            try {
                int from = i * most;
                episodes.add(new Episode(
                        steps,
                        slice(observations, i * (most + 1) * columns, (steps + 1) * columns),
                        actions == null ? null : slice(actions, from * width, steps * width),
                        rewards == null ? null : Arrays.copyOfRange(rewards, from, from + steps),
                        ending(terminations == null ? null : Arrays.copyOfRange(terminations, from, from + steps))));
            } catch (BadInput e) {
                throw e.in("%s, trajectory %d".formatted(npz.file(), i));
            }
        }
        return new Episodes(episodes);
    }

    /** An array with one entry per step, if it is there. */
    private static @Nullable NpyArray optional(Npz npz, String name, int[] observations, int dimensions) {
        if (!npz.has(name)) {
            return null;
        }
        npz.numbers(name); // refuses text
        int[] shape = npz.array(name).shape();
        npz.badWhen(
                shape.length != dimensions || shape[0] != observations[0] || shape[1] != observations[1] - 1,
                name,
                "the shape is %s where observations have %s"
                        .formatted(Arrays.toString(shape), Arrays.toString(observations)),
                "For n x (T+1) observations give n x T %s%s; the observation after the last step belongs to them."
                        .formatted(name, dimensions == 3 ? " x columns" : ""));
        return npz.array(name);
    }

    private static double @Nullable [] numbers(@Nullable NpyArray array) {
        return array == null ? null : array.numbers();
    }

    private static int[] lengths(Npz npz, int n, int most) {
        if (!npz.has("lengths")) {
            return IntStream.generate(() -> most).limit(n).toArray();
        }
        int[] lengths = npz.indices("lengths");
        npz.badWhen(
                lengths.length != n,
                "lengths",
                "it has %d entries for %d trajectories".formatted(lengths.length, n),
                "Give one each.");
        for (int i = 0; i < n; i++) {
            if (lengths[i] < 1 || lengths[i] > most) {
                throw npz.bad(
                        "lengths",
                        "trajectory %d has %d steps, outside 1..%d".formatted(i, lengths[i], most),
                        "Count the steps: one less than the observations.");
            }
        }
        return lengths;
    }

    private static float[] slice(float[] values, int from, int count) {
        return Arrays.copyOfRange(values, from, from + count);
    }

    private static float[] floats(Npz npz, String name) {
        return npz.array(name) instanceof NpyArray.Singles singles ? singles.values() : singles(npz.numbers(name));
    }

    static float[] singles(double[] numbers) {
        float[] values = new float[numbers.length];
        for (int i = 0; i < values.length; i++) {
            values[i] = (float) numbers[i];
        }
        return values;
    }

    /** What marks of termination, one per step, say of the last. */
    static Ending ending(double @Nullable [] terminations) {
        if (terminations == null) {
            return Ending.UNKNOWN;
        }
        int last = terminations.length - 1;
        for (int t = 0; t <= last; t++) {
            if (terminations[t] != 0 && terminations[t] != 1) {
                throw new BadInput(
                        "terminations are %s at step %d".formatted(terminations[t], t), "Give true or false.");
            }
            if (terminations[t] == 1 && t < last) {
                throw new BadInput(
                        "terminations say that it ended at step %d, but it has %d steps".formatted(t, last + 1),
                        "Cut the trajectory after that step; lengths give how long each one is.");
            }
        }
        return terminations[last] == 1 ? Ending.TERMINATED : Ending.TRUNCATED;
    }

    private static void writeNpz(Path file, Episodes episodes, String task) {
        List<Episode> all = episodes.all();
        int n = all.size();
        int most = all.stream().mapToInt(Episode::length).max().orElseThrow();
        int d = episodes.observationSize();
        int m = episodes.actionSize();
        float[] observations = padded(new int[] {n, most + 1, d});
        float[] actions = padded(new int[] {n, most, m});
        double[] rewards = new double[n * most];
        Arrays.fill(rewards, Double.NaN);
        long[] terminations = new long[n * most];
        int[] lengths = new int[n];
        for (int i = 0; i < n; i++) {
            Episode e = all.get(i);
            lengths[i] = e.length();
            System.arraycopy(e.observations(), 0, observations, i * (most + 1) * d, e.observations().length);
            if (e.actions() != null) {
                System.arraycopy(e.actions(), 0, actions, i * most * m, e.actions().length);
            }
            if (e.rewards() != null) {
                System.arraycopy(e.rewards(), 0, rewards, i * most, e.length());
            }
            terminations[i * most + e.length() - 1] = e.ending() == Ending.TERMINATED ? 1 : 0;
        }
        Map<String, NpyArray> arrays = new LinkedHashMap<>();
        arrays.put("observations", new NpyArray.Singles(new int[] {n, most + 1, d}, observations));
        if (episodes.hasActions()) {
            arrays.put("actions", new NpyArray.Singles(new int[] {n, most, m}, actions));
        }
        if (episodes.hasRewards()) {
            arrays.put("rewards", new NpyArray.Floats(new int[] {n, most}, rewards));
        }
        if (all.stream().noneMatch(e -> e.ending() == Ending.UNKNOWN)) {
            arrays.put("terminations", new NpyArray.Integers(new int[] {n, most}, terminations));
        }
        if (all.stream().anyMatch(e -> e.length() < most)) {
            arrays.put("lengths", NpyArray.of(lengths));
        }
        if (!task.isEmpty()) {
            arrays.put(TASK, NpyArray.of(List.of(task)));
        }
        Npz.write(file, arrays);
    }

    /** NaN beyond the end of a trajectory, so that nobody takes padding for data. */
    private static float[] padded(int[] shape) {
        float[] values = new float[NpyArray.size(shape)];
        Arrays.fill(values, Float.NaN);
        return values;
    }
}
