package dev.revealed.data;

import dev.revealed.data.npz.NpyArray;
import dev.revealed.data.npz.Npz;
import dev.revealed.mdp.InformationCost;
import dev.revealed.mdp.Kernel;
import dev.revealed.mdp.LinearReward;
import dev.revealed.mdp.Mdp;
import dev.revealed.numeric.BadInput;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Decision processes in CSV and NPZ files, as docs/guide/formats.md describes them. */
public final class ProcessFiles {
    private static final List<String> KERNEL = List.of("state", "action", "next", "probability");
    private static final List<String> FEATURES = List.of("state", "feature", "value");
    private static final List<String> ACTION = List.of("action");
    private static final List<String> START = List.of("state", "probability");
    private static final List<String> REFERENCE = List.of("state", "action", "probability");
    private static final List<String> SCALE = List.of("state", "scale");
    private static final List<String> TRUTH = List.of("state", "action", "reward");
    private static final List<String> ARRAYS =
            List.of(("kernel_state kernel_action kernel_next kernel_probability feature_state"
                            + " feature_action feature_index feature_value feature_names discount start reference reward shock_scale")
                    .split(" "));

    private ProcessFiles() {}

    /**
     * Reads a process. What is given as an argument goes before what an NPZ file holds.
     *
     * @param mdpFile a CSV file of transitions, or an NPZ file that holds everything
     * @param features CSV file of reward features
     * @param start CSV file of the start distribution
     * @param reference CSV file of the reference policy
     * @param discount needed where the file has none
     */
    public static ProcessData read(
            Path mdpFile,
            Optional<Path> features,
            Optional<Path> start,
            Optional<Path> reference,
            OptionalDouble discount) {
        return read(mdpFile, new Besides(features, start, reference, Optional.empty(), discount));
    }

    /** The same with everything that files may say. */
    public static ProcessData read(Path mdpFile, Besides besides) {
        Npz npz = isNpz(mdpFile) ? Npz.read(mdpFile).only(ARRAYS) : null;
        Kernel kernel = (npz == null ? kernelCsv(mdpFile) : kernelNpz(npz)).kernel();
        return read(kernel, npz, mdpFile, besides);
    }

    /**
     * What is known of a process besides its transition law, by file.
     *
     * @param shockScale CSV file of the scale of the shocks in each state
     */
    public record Besides(
            Optional<Path> features,
            Optional<Path> start,
            Optional<Path> reference,
            Optional<Path> shockScale,
            OptionalDouble discount) {}

    /**
     * A process whose transition law does not come from a file of probabilities.
     *
     * @param source where the law came from, for messages
     */
    public static ProcessData read(Kernel kernel, Path source, Besides besides) {
        return read(kernel, null, source, besides);
    }

    private static ProcessData read(Kernel kernel, @Nullable Npz npz, Path mdpFile, Besides besides) {
        Optional<Path> start = besides.start;
        Optional<Path> reference = besides.reference;
        int states = kernel.states();
        int actions = kernel.actions();

        Mdp uniform = uniformStart(kernel, npz, mdpFile, besides.discount);
        Optional<double[]> startGiven =
                start.map(file -> probabilities(file, START, states, 1)).or(() -> shaped(npz, "start", states));
        Mdp mdp = BadInput.placed(
                start.orElse(mdpFile).toString(),
                () -> startGiven.map(uniform::withStart).orElse(uniform));
        Optional<double[]> pi0 = reference
                .map(file -> probabilities(file, REFERENCE, states, actions))
                .or(() -> shaped(npz, "reference", states, actions));
        BadInput.placed( // it is checked when the cost is made
                reference.orElse(mdpFile).toString(), () -> pi0.map(rows -> InformationCost.of(1, actions, rows)));
        Optional<LinearReward> reward = besides.features
                .map(ProcessFiles::featuresCsv)
                .or(() -> featuresNpz(npz))
                .map(entries -> entries.reward(states, actions));
        Optional<double[]> scale =
                besides.shockScale.map(file -> scales(file, states)).or(() -> shaped(npz, "shock_scale", states));
        BadInput.placed(
                besides.shockScale.orElse(mdpFile).toString(), () -> scale.map(InformationCost.STANDARD::scaled));
        return new ProcessData(mdp, startGiven.isPresent(), reward, pi0, trueReward(npz, states, actions), scale);
    }

    /** The scale of each state; 1 where none is given. */
    private static double[] scales(Path file, int states) {
        double[] scales = new double[states];
        boolean[] given = new boolean[states];
        Arrays.fill(scales, 1);
        try (Csv csv = Csv.open(file, SCALE, List.of())) {
            while (csv.next()) {
                int state = index(csv, 0, "state", states);
                if (given[state]) {
                    throw csv.bad("state " + state + " is given again", "Give each scale once.");
                }
                given[state] = true;
                scales[state] = csv.number(1);
                if (!(scales[state] > 0)) {
                    throw csv.bad(
                            "scale is " + scales[state], "Scales are positive; 1 leaves the temperature as it is.");
                }
            }
        }
        return scales;
    }

    static boolean isNpz(Path file) {
        return file.toString().toLowerCase(Locale.ROOT).endsWith(".npz");
    }

    private static Mdp uniformStart(Kernel kernel, @Nullable Npz npz, Path file, OptionalDouble discount) {
        if (discount.isPresent()) {
            return Mdp.uniformStart(kernel, discount.getAsDouble());
        }
        if (npz == null || !npz.has("discount")) {
            throw new BadInput(file + ": the discount is not known", "Give it, for example `discount` 0.95.");
        }
        double[] value = npz.numbers("discount");
        npz.badWhen(
                value.length != 1,
                "discount",
                "%d values where one is needed".formatted(value.length),
                "Give a scalar.");
        return npz.of("discount", array -> Mdp.uniformStart(kernel, value[0]));
    }

    // ---- CSV in

    private static KernelEntries kernelCsv(Path file) {
        Ints state = new Ints();
        Ints action = new Ints();
        Ints next = new Ints();
        Doubles probability = new Doubles();
        Ints line = new Ints();
        try (Csv csv = Csv.open(file, KERNEL, List.of())) {
            while (csv.next()) {
                state.add(csv.index(0));
                action.add(csv.index(1));
                next.add(csv.index(2));
                probability.add(csv.number(3));
                line.add(csv.line());
            }
        }
        Place place = Place.lines(file, line.toArray());
        return new KernelEntries(place, state.toArray(), action.toArray(), next.toArray(), probability.toArray());
    }

    private static FeatureEntries featuresCsv(Path file) {
        Names names = new Names();
        Ints state = new Ints();
        Ints action = new Ints();
        Ints feature = new Ints();
        Doubles value = new Doubles();
        Ints line = new Ints();
        boolean actions;
        try (Csv csv = Csv.open(file, FEATURES, ACTION)) {
            actions = csv.has(3);
            while (csv.next()) {
                state.add(csv.index(0));
                feature.add(names.number(csv, 1));
                value.add(csv.number(2));
                if (actions) {
                    action.add(csv.index(3));
                }
                line.add(csv.line());
            }
        }
        Place place = Place.lines(file, line.toArray());
        int[] actionOrNone = actions ? action.toArray() : null;
        return new FeatureEntries(
                place, names.inOrder(), state.toArray(), actionOrNone, feature.toArray(), value.toArray());
    }

    /** Probabilities of states, or of the actions in each state; zero where none is given. */
    private static double[] probabilities(Path file, List<String> columns, int states, int actions) {
        double[] given = new double[states * actions];
        Arrays.fill(given, Double.NaN);
        try (Csv csv = Csv.open(file, columns, List.of())) {
            while (csv.next()) {
                int state = index(csv, 0, "state", states);
                int action = columns == START ? 0 : index(csv, 1, "action", actions);
                String what = "state " + state + (columns == START ? "" : ", action " + action);
                give(csv, given, state * actions + action, csv.number(columns.size() - 1), what);
            }
        }
        return Arrays.stream(given).map(x -> Double.isNaN(x) ? 0 : x).toArray();
    }

    private static int index(Csv csv, int column, String field, int limit) {
        int index = csv.index(column);
        if (index >= limit) {
            throw csv.bad(
                    "%s is %d, outside 0..%d".formatted(field, index, limit - 1),
                    "The kernel has no such " + field + ".");
        }
        return index;
    }

    private static void give(Csv csv, double[] values, int at, double probability, String what) {
        if (!Double.isNaN(values[at])) {
            throw csv.bad(what + " is given again", "Give each probability once.");
        }
        if (!(probability >= 0 && probability <= 1 + Kernel.ROW_SUM_TOLERANCE)) {
            throw csv.bad("probability is " + probability, "Probabilities lie between 0 and 1.");
        }
        values[at] = probability;
    }

    // ---- NPZ in

    private static KernelEntries kernelNpz(Npz npz) {
        int[] state = npz.indices("kernel_state");
        double[] probability = npz.numbers("kernel_probability");
        sameLength(npz, "kernel_state", "kernel_action", "kernel_next", "kernel_probability");
        int[] action = npz.indices("kernel_action");
        return new KernelEntries(Place.entries(npz.file()), state, action, npz.indices("kernel_next"), probability);
    }

    private static Optional<FeatureEntries> featuresNpz(@Nullable Npz npz) {
        if (npz == null || npz.names().stream().noneMatch(name -> name.startsWith("feature_"))) {
            return Optional.empty();
        }
        int[] index = npz.indices("feature_index");
        boolean actions = npz.has("feature_action");
        sameLength(npz, "feature_state", "feature_index", "feature_value");
        if (actions) {
            sameLength(npz, "feature_state", "feature_action");
        }
        List<String> names = npz.has("feature_names")
                ? npz.of("feature_names", NpyArray::strings)
                : IntStream.rangeClosed(0, Arrays.stream(index).max().orElse(-1))
                        .mapToObj(j -> "feature" + j)
                        .toList();
        int[] state = npz.indices("feature_state");
        int[] action = actions ? npz.indices("feature_action") : null;
        double[] value = npz.numbers("feature_value");
        return Optional.of(new FeatureEntries(Place.entries(npz.file()), names, state, action, index, value));
    }

    private static void sameLength(Npz npz, String first, String... others) {
        int length = npz.array(first).size();
        for (String other : others) {
            int found = npz.array(other).size();
            BadInput.when(
                    found != length,
                    "%s: %s has %d values and %s has %d".formatted(npz.file(), first, length, other, found),
                    "They describe the same entries and need the same length.");
        }
    }

    /** An optional array of finite numbers that must have the given shape. */
    private static Optional<double[]> shaped(@Nullable Npz npz, String name, int... shape) {
        if (npz == null || !npz.has(name)) {
            return Optional.empty();
        }
        double[] values = npz.numbers(name);
        int[] found = npz.array(name).shape();
        npz.badWhen(
                !Arrays.equals(shape, found),
                name,
                "the shape is %s where the kernel needs %s".formatted(Arrays.toString(found), Arrays.toString(shape)),
                "Give one number per state, or per state and action.");
        for (int i = 0; i < values.length; i++) {
            if (!Double.isFinite(values[i])) {
                throw npz.bad(name, "entry %d is %s".formatted(i, values[i]), "Give finite numbers.");
            }
        }
        return Optional.of(values);
    }

    private static Optional<double[]> trueReward(@Nullable Npz npz, int states, int actions) {
        if (npz == null || !npz.has("reward") || npz.array("reward").shape().length != 1) {
            return shaped(npz, "reward", states, actions);
        }
        return shaped(npz, "reward", states)
                .map(perState -> IntStream.range(0, states * actions)
                        .mapToDouble(row -> perState[row / actions])
                        .toArray());
    }

    // ---- out

    /**
     * Writes kernel.csv and, as far as they are known, features.csv, start.csv, reference.csv, shock-scale.csv and
     * truth.csv (the true reward). The discount has no place in them: whoever reads them gives it.
     *
     * @return the files written
     */
    public static List<Path> writeCsv(Path folder, ProcessData data) {
        Mdp mdp = data.mdp();
        List<Path> written = new ArrayList<>();
        KernelEntries kernel = KernelEntries.of(mdp.kernel(), Place.entries(folder));
        written.add(table(
                folder.resolve("kernel.csv"),
                KERNEL,
                kernel.state().length,
                i -> List.of(kernel.state()[i], kernel.action()[i], kernel.next()[i], kernel.probability()[i])));
        data.features()
                .map(reward -> FeatureEntries.of(reward, mdp.states(), mdp.actions(), Place.entries(folder)))
                .ifPresent(entries -> written.add(writeFeatures(folder.resolve("features.csv"), entries)));
        if (data.startGiven()) {
            Path start = folder.resolve("start.csv");
            written.add(table(start, START, mdp.states(), s -> List.of(s, mdp.start()[s])));
        }
        data.reference().ifPresent(pi0 -> written.add(writeRows(folder.resolve("reference.csv"), REFERENCE, mdp, pi0)));
        data.shockScale()
                .ifPresent(scale -> written.add(
                        table(folder.resolve("shock-scale.csv"), SCALE, mdp.states(), s -> List.of(s, scale[s]))));
        data.trueReward().ifPresent(r -> written.add(writeRows(folder.resolve("truth.csv"), TRUTH, mdp, r)));
        return written;
    }

    private static Path writeFeatures(Path file, FeatureEntries entries) {
        int[] action = entries.action();
        List<String> columns = action == null ? FEATURES : List.of("state", "action", "feature", "value");
        return table(file, columns, entries.state().length, i -> {
            String name = entries.names().get(entries.feature()[i]);
            return action == null
                    ? List.of(entries.state()[i], name, entries.value()[i])
                    : List.of(entries.state()[i], action[i], name, entries.value()[i]);
        });
    }

    private static Path writeRows(Path file, List<String> columns, Mdp mdp, double[] values) {
        int actions = mdp.actions();
        return table(file, columns, values.length, i -> List.of(i / actions, i % actions, values[i]));
    }

    private static Path table(Path file, List<String> columns, int rows, IntFunction<List<?>> cells) {
        CsvOut.write(
                file, columns, out -> IntStream.range(0, rows).mapToObj(cells).forEach(out::row));
        return file;
    }

    /** Writes everything into one NPZ file. */
    public static void writeNpz(Path file, ProcessData data) {
        Mdp mdp = data.mdp();
        int states = mdp.states();
        int actions = mdp.actions();
        Map<String, NpyArray> arrays = new LinkedHashMap<>();
        KernelEntries kernel = KernelEntries.of(mdp.kernel(), Place.entries(file));
        arrays.put("kernel_state", NpyArray.of(kernel.state()));
        arrays.put("kernel_action", NpyArray.of(kernel.action()));
        arrays.put("kernel_next", NpyArray.of(kernel.next()));
        arrays.put("kernel_probability", NpyArray.of(kernel.probability()));
        data.features().ifPresent(reward -> {
            FeatureEntries entries = FeatureEntries.of(reward, states, actions, Place.entries(file));
            arrays.put("feature_state", NpyArray.of(entries.state()));
            int[] action = entries.action();
            if (action != null) {
                arrays.put("feature_action", NpyArray.of(action));
            }
            arrays.put("feature_index", NpyArray.of(entries.feature()));
            arrays.put("feature_value", NpyArray.of(entries.value()));
            arrays.put("feature_names", NpyArray.of(entries.names()));
        });
        arrays.put("discount", NpyArray.scalar(mdp.discount()));
        if (data.startGiven()) {
            arrays.put("start", NpyArray.of(mdp.start()));
        }
        data.reference()
                .ifPresent(pi0 -> arrays.put("reference", new NpyArray.Floats(new int[] {states, actions}, pi0)));
        data.shockScale().ifPresent(scale -> arrays.put("shock_scale", NpyArray.of(scale)));
        data.trueReward().ifPresent(r -> arrays.put("reward", new NpyArray.Floats(new int[] {states, actions}, r)));
        Npz.write(file, arrays);
    }
}
