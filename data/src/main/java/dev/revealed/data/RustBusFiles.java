package dev.revealed.data;

import dev.revealed.mdp.Trajectory;
import dev.revealed.mdp.choice.ChoiceModel;
import dev.revealed.mdp.choice.Panel;
import dev.revealed.mdp.choice.TransitionFamily;
import dev.revealed.mdp.choice.TransitionLaw;
import dev.revealed.mdp.model.RustBus;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.Buckets;
import dev.revealed.numeric.Closest;
import dev.revealed.numeric.ProgressListener;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Rust's bus data as monthly readings in a CSV file, as docs/guide/formats.md describes it. */
public final class RustBusFiles {
    /** More than a bus can drive in a month, day and night. */
    public static final double MOST_MILES = 30_000;

    private static final List<String> REQUIRED = List.of("bus_id", "group", "period", "mileage", "decision");
    private static final List<String> OPTIONAL =
            List.of("year", "month", "odometer", "state90", "increment90", "state175", "increment175");
    private static final int BUS = 0;
    private static final int GROUP = 1;
    private static final int PERIOD = 2;
    private static final int MILEAGE = 3;
    private static final int DECISION = 4;
    private static final int YEAR = 5;
    private static final int MONTH = 6;
    private static final int ODOMETER = 7;
    private static final int[] BINNINGS = {90, 175};
    private static final int[] STATE = {8, 10}; // for each of the binnings
    private static final int[] INCREMENT = {9, 11};

    private RustBusFiles() {}

    /**
     * What to make of the readings.
     *
     * @param groups the bus groups to use
     * @param bins number of mileage bins on 450,000 miles
     */
    public record Settings(SortedSet<Integer> groups, int bins, double discount, RustBus.Cost cost) {
        private static final int MOST_BINS = 45_000;
        private static final String GROUPS = "1-4";
        private static final List<String> KEYS = List.of("groups", "bins", "discount", "cost");

        public Settings {
            groups = new TreeSet<>(groups);
            BadInput.when(
                    bins < 2 || bins > MOST_BINS,
                    "bins is %d".formatted(bins),
                    "Choose from 2 to %d; Rust's are 90 and 175.".formatted(MOST_BINS));
            BadInput.discount(discount);
        }

        /** Rust's groups 1-4 on 90 bins, with linear cost and discount 0.9999: the last rows of his Table IX. */
        public static Settings standard() {
            return of(Map.of());
        }

        /** From texts such as {@code groups=1-3}; what is not set is as in {@link #standard}. */
        public static Settings of(Map<String, String> set) {
            for (String key : set.keySet()) {
                Closest.place("unknown setting '%s' of the bus model".formatted(key), key, KEYS, "The settings are");
            }
            return new Settings(
                    groups(set.getOrDefault("groups", GROUPS)),
                    (int) number("bins", set.getOrDefault("bins", "90"), true),
                    number("discount", set.getOrDefault("discount", "0.9999"), false),
                    cost(set.getOrDefault("cost", RustBus.Cost.LINEAR.toString())));
        }

        private static SortedSet<Integer> groups(String text) {
            SortedSet<Integer> groups = new TreeSet<>();
            for (String range : text.split(",", -1)) {
                String[] ends = range.strip().split("-", -1);
                try {
                    int first = Integer.parseInt(ends[0].strip());
                    int last = Integer.parseInt(ends[ends.length - 1].strip());
                    if (ends.length <= 2 && first <= last && last < 1000) {
                        for (int group = first; group <= last; group++) {
                            groups.add(group);
                        }
                        continue;
                    }
                } catch (NumberFormatException e) {
                    // told below, in our words
                }
                throw new BadInput("groups is '%s'".formatted(text), "Write for example 1-4, or 4, or 1,3.");
            }
            return groups;
        }

        private static double number(String key, String text, boolean whole) {
            try {
                return whole ? Integer.parseInt(text.strip()) : Double.parseDouble(text.strip());
            } catch (NumberFormatException e) {
                throw new BadInput(
                        "%s is '%s'".formatted(key, text), whole ? "Give a whole number." : "Give a number.");
            }
        }

        private static RustBus.Cost cost(String text) {
            Closest.place("cost is '%s'".formatted(text), text.strip(), RustBus.costs(), "The costs are");
            return RustBus.Cost.valueOf(text.strip().toUpperCase(Locale.ROOT));
        }

        @Override
        public SortedSet<Integer> groups() {
            return new TreeSet<>(groups);
        }

        /** {@code (0, 5000], (5000, 10000], ...} in words, for messages. */
        private String edges() {
            String h = "%.6g".formatted(RustBus.MILES / bins).replaceFirst("\\.?0+$", "");
            return "Bins are closed on the right: a mileage of up to %s is in bin 0.".formatted(h);
        }
    }

    private static BadInput twoGroups(TableRows csv, int group, int before) {
        return csv.bad(
                "group is %d, but bus %s was in group %d before".formatted(group, csv.text(BUS), before),
                "A bus belongs to one group; perhaps two buses share a name.");
    }

    /** One reading of a bus, checked. */
    public static final class Row {
        private final Settings settings;
        private long bus = Long.MIN_VALUE;
        private int group = -1;
        private int period;
        private double miles;
        private int decision;
        private int increment;

        public Row(Settings settings) {
            this.settings = settings;
        }

        /** Reads the current row of a table. */
        public void read(TableRows csv) {
            long key = csv.key(BUS);
            int before = key == bus ? group : -1;
            bus = key;
            group = csv.index(GROUP);
            if (before >= 0 && group != before) {
                throw twoGroups(csv, group, before);
            }
            period = csv.index(PERIOD);
            miles = csv.number(MILEAGE);
            if (!(miles >= 0 && miles <= RustBus.MILES)) {
                throw csv.bad(
                        "mileage is %s, outside 0..%s".formatted(Place.plain(miles), Place.plain(RustBus.MILES)),
                        "Mileage counts from the last replacement, in miles.");
            }
            decision = csv.index(DECISION);
            if (decision > 1) {
                throw csv.bad("decision is %d".formatted(decision), "Write 0 for keep or 1 for replace.");
            }
            unused(csv);
            increment = -1;
            for (int i = 0; i < BINNINGS.length; i++) {
                increment = Math.max(increment, binned(csv, i, period, miles));
            }
        }

        public int group() {
            return group;
        }

        public int period() {
            return period;
        }

        public double miles() {
            return miles;
        }

        public int decision() {
            return decision;
        }

        /** Bins moved since the reading before, as the file says for our bins; -1 where it does not. */
        public int increment() {
            return increment;
        }

        /** Columns that the model does not need must still make sense. */
        private static void unused(TableRows csv) {
            if (csv.has(YEAR)) {
                csv.index(YEAR);
            }
            if (csv.has(MONTH)) {
                int month = csv.index(MONTH);
                if (month < 1 || month > 12) {
                    throw csv.bad("month is %d".formatted(month), "Months count from 1 to 12.");
                }
            }
            if (csv.has(ODOMETER) && csv.number(ODOMETER) < 0) {
                throw csv.bad("odometer is %s".formatted(Place.plain(csv.number(ODOMETER))), "It is never negative.");
            }
        }

        /** Checks what the file says of a reading's bin; returns the increment, where it is one of our bins, else -1. */
        private int binned(TableRows csv, int binning, int t, double miles) {
            boolean ours = BINNINGS[binning] == settings.bins();
            if (csv.has(STATE[binning])) {
                int state = csv.index(STATE[binning]);
                int right = Math.max(0, ceiling(miles, BINNINGS[binning]) - 1);
                if (state != right) {
                    throw csv.bad(
                            "state%d is %d, but a mileage of %s is in bin %d"
                                    .formatted(BINNINGS[binning], state, Place.plain(miles), right),
                            "Bins are closed on the right, %s miles wide and counted from 0. Correct the column, or leave it out."
                                    .formatted(Place.plain(RustBus.MILES / BINNINGS[binning])));
                }
            }
            if (!csv.has(INCREMENT[binning])) {
                return -1;
            }
            if (t == 0) {
                if (!csv.blank(INCREMENT[binning])) {
                    throw csv.bad(
                            "increment%d is given in period 0".formatted(BINNINGS[binning]),
                            "Leave it blank: nothing was read before.");
                }
                return -1;
            }
            int moved = csv.index(INCREMENT[binning]);
            return ours ? moved : -1;
        }
    }

    /** Bins from 0 miles up to a mileage: exact for whole miles, whatever the number of bins. */
    public static int ceiling(double miles, int bins) {
        return (int) Math.ceil(miles * bins / RustBus.MILES);
    }

    /** Names of the columns that a table must have, and of those that it may have. */
    public static List<String> required() {
        return REQUIRED;
    }

    public static List<String> optional() {
        return OPTIONAL;
    }

    /** Refuses a table that lacks a wanted group. */
    public static void checkGroups(String file, Settings settings, SortedSet<Integer> found) {
        for (int group : settings.groups()) {
            if (!found.contains(group)) {
                String groups = found.stream().map(String::valueOf).collect(Collectors.joining(","));
                throw new BadInput(
                        "%s: there is no group %d".formatted(file, group),
                        "The groups in the file are %s: `set` groups=%s.".formatted(groups, groups));
            }
        }
    }

    /** What is wrong with the readings of a bus, by the order of periods; empty where nothing is. */
    public static Optional<BadInput> wrong(
            Place place, Settings settings, String name, int[] period, double[] miles, int[] decision, int[] moved) {
        Reading one = new Reading(Path.of(place.file()), settings);
        for (int i = 0; i < period.length; i++) {
            one.bus.add(0);
            one.period.add(period[i]);
            one.mileage.add(miles[i]);
            one.decision.add(decision[i]);
            one.increment.add(moved[i]);
        }
        try {
            one.data(place, List.of(name));
        } catch (BadInput e) {
            return Optional.of(e);
        }
        return Optional.empty();
    }

    /** Reads the readings once, row by row; any order of rows will do. */
    public static ChoiceData read(Path csv, Settings settings, ProgressListener listener) {
        return new Reading(csv, settings).read(listener).data();
    }

    /** The readings of the chosen groups, as they come in. */
    private static final class Reading {
        private final Path file;
        private final Settings settings;
        private final SortedSet<Integer> wanted;
        private final SortedSet<Integer> found = new TreeSet<>();
        private final Names buses = new Names();
        private final Ints groupOf = new Ints();
        private final Ints bus = new Ints(); // of each row, as all that follow
        private final Ints period = new Ints();
        private final Doubles mileage = new Doubles();
        private final Ints decision = new Ints();
        private final Ints increment = new Ints(); // as the file says, where it says for our bins; else -1
        private final Ints line = new Ints();
        private final Row row;
        private List<String> unused = List.of();

        Reading(Path file, Settings settings) {
            this.file = file;
            this.settings = settings;
            this.wanted = settings.groups();
            this.row = new Row(settings);
        }

        Reading read(ProgressListener listener) {
            try (Csv csv = Csv.amongOthers(file, REQUIRED, OPTIONAL, "", listener)) {
                unused = csv.others();
                while (csv.next()) {
                    row(csv);
                }
            }
            BadInput.when(
                    buses.size() == 0, file + ": there are no rows below the header", "Give at least two per bus.");
            checkGroups(file.toString(), settings, found);
            return this;
        }

        private void row(Csv csv) {
            int b = buses.number(csv, BUS);
            row.read(csv);
            if (b == groupOf.size()) {
                groupOf.add(row.group);
                found.add(row.group);
            } else if (groupOf.get(b) != row.group) {
                throw twoGroups(csv, row.group, groupOf.get(b));
            }
            if (wanted.contains(row.group)) {
                bus.add(b);
                period.add(row.period);
                mileage.add(row.miles);
                decision.add(row.decision);
                increment.add(row.increment);
                line.add(csv.line());
            }
        }

        private int ceiling(double miles) {
            return RustBusFiles.ceiling(miles, settings.bins());
        }

        private int state(double miles) {
            return Math.max(0, ceiling(miles) - 1);
        }

        ChoiceData data() {
            return data(Place.lines(file, line.toArray()), buses.inOrder());
        }

        ChoiceData data(Place place, List<String> names) {
            Buckets rows = Periods.inOrder(place, "bus", names, bus.toArray(), period.toArray());
            int[] order = rows.row();
            int[] moved = new int[order.length]; // bins moved into each reading, in order
            int largest = 0;
            for (int b = 0; b < names.size(); b++) {
                for (int k = rows.start()[b]; k < rows.start()[b + 1]; k++) {
                    if (k == rows.start()[b]) {
                        first(place, order[k], names.get(b));
                    } else {
                        moved[k] = moved(place, order[k - 1], order[k]);
                        largest = Math.max(largest, moved[k]);
                    }
                }
            }
            ChoiceModel model = RustBus.of(settings.bins(), largest, settings.discount(), settings.cost());
            List<Panel.Individual> individuals = new ArrayList<>();
            for (int b = 0; b < names.size(); b++) {
                if (rows.start()[b + 1] - rows.start()[b] > 1) { // one reading alone carries no likelihood
                    individuals.add(
                            individual(names.get(b), model.law(), order, moved, rows.start()[b], rows.start()[b + 1]));
                }
            }
            BadInput.when(
                    individuals.isEmpty(),
                    file + ": no bus has a reading after period 0",
                    "Give at least two: the first only gives the bus's initial state.");
            return new ChoiceData(model, new Panel(individuals), unused, List.of());
        }

        private void first(Place place, int row, String name) {
            if (period.get(row) != 0) {
                throw place.bad(
                        row,
                        "period is %d, and bus %s has no period 0".formatted(period.get(row), name),
                        "Periods count from 0, the first reading, which carries no likelihood.");
            }
        }

        private int moved(Place place, int before, int now) {
            boolean replaced = decision.get(before) == RustBus.REPLACE;
            double from = replaced ? 0 : mileage.get(before);
            double to = mileage.get(now);
            if (to < from) {
                throw place.bad(
                        now,
                        "mileage is %s, down from %s (%s) without a replacement"
                                .formatted(Place.plain(to), Place.plain(from), place.list(before)),
                        "Mileage falls only after decision 1; write it in the month of the replacement.");
            }
            if (to - from > MOST_MILES) {
                String since = replaced ? "after the replacement" : "(" + place.list(before) + ")";
                throw place.bad(
                        now,
                        "mileage is %s, up from %s %s in a month".formatted(Place.plain(to), Place.plain(from), since),
                        "No bus drives more than %s miles in a month; mileage counts from the last replacement."
                                .formatted(Place.plain(MOST_MILES)));
            }
            int bins = replaced ? ceiling(to) : state(to) - state(from);
            if (increment.get(now) >= 0 && increment.get(now) != bins) {
                throw place.bad(
                        now,
                        "increment%d is %d, but the mileage moved by %d bins"
                                .formatted(settings.bins(), increment.get(now), bins),
                        settings.edges() + " Correct the column, or leave it out.");
            }
            return bins;
        }

        private Panel.Individual individual(
                String name, TransitionLaw law, int[] order, int[] moved, int begin, int end) {
            TransitionLaw.Part part = law.parts().getFirst();
            TransitionFamily family = part.family();
            int n = end - begin - 1;
            int[] states = new int[n];
            int[] actions = new int[n];
            int[] cells = new int[n];
            int[] outcomes = new int[n];
            for (int t = 0; t < n; t++) {
                int before = order[begin + t];
                int now = order[begin + t + 1];
                states[t] = state(mileage.get(now));
                actions[t] = decision.get(now);
                cells[t] = part.cell().of(state(mileage.get(before)), decision.get(before));
                // near the end of the grid fewer moves can be told apart
                outcomes[t] = Math.min(moved[begin + t + 1], family.outcomes(cells[t]) - 1);
            }
            return new Panel.Individual(
                    name, new Trajectory(states, actions), new int[][] {cells}, new int[][] {outcomes});
        }
    }
}
