package dev.revealed.data.panel;

import dev.revealed.data.PanelStructure;
import dev.revealed.data.Place;
import dev.revealed.data.RustBusFiles;
import dev.revealed.data.TableRows;
import dev.revealed.mdp.choice.ChoiceModel;
import dev.revealed.mdp.choice.TransitionLaw;
import dev.revealed.mdp.model.RustBus;
import dev.revealed.numeric.BadInput;
import java.util.BitSet;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Readings of Rust's buses. The place of a reading is the number of bins its mileage reaches into: 0 without any, then 1 for
 * the first bin, and so on. A new engine of no mileage is thus told apart from one in the first bin, as the law's moves
 * need.
 */
public final class BusCoding implements PanelCoding {
    private static final RowRules RULES = new RowRules(1, false, false, new BitSet());

    private final RustBusFiles.Settings settings;
    private final SortedSet<Integer> groups;

    public BusCoding(RustBusFiles.Settings settings) {
        this.settings = settings;
        this.groups = settings.groups();
    }

    @Override
    public int places() {
        return settings.bins() + 1;
    }

    @Override
    public int actions() {
        return 2;
    }

    @Override
    public int state(int place) {
        return Math.max(0, place - 1);
    }

    /** Bins moved from one reading to the next; negative where mileage fell. */
    private int moved(int before, int code) {
        return action(before) == RustBus.REPLACE ? place(code) : state(place(code)) - state(place(before));
    }

    @Override
    public ChoiceModel model(PanelCounts counts) {
        int largest = 0;
        for (int i = 0; i < counts.size(); i++) {
            largest = counts.before(i) == PanelCounts.NONE
                    ? largest
                    : Math.max(largest, moved(counts.before(i), counts.code(i)));
        }
        return RustBus.of(settings.bins(), largest, settings.discount(), settings.cost());
    }

    @Override
    public void move(ChoiceModel model, int before, int code, int[] into) {
        TransitionLaw.Part part = model.law().parts().getFirst();
        into[0] = part.cell().of(state(place(before)), action(before));
        // near the end of the grid fewer moves can be told apart
        into[1] = Math.min(moved(before, code), part.family().outcomes(into[0]) - 1);
    }

    @Override
    public List<String> required() {
        return RustBusFiles.required();
    }

    @Override
    public List<String> optional() {
        return RustBusFiles.optional();
    }

    @Override
    public String hint() {
        return "";
    }

    @Override
    public RowRules rules() {
        return RULES;
    }

    @Override
    public PanelStructure structure() {
        return PanelStructure.PLAIN;
    }

    @Override
    public boolean valid(IndividualRows rows) {
        if (rows.size() > 0 && rows.period(0) != 0) {
            return false;
        }
        for (int k = 1; k < rows.size(); k++) {
            double from = action(rows.code(k - 1)) == RustBus.REPLACE ? 0 : rows.raw(k - 1);
            double driven = rows.raw(k) - from;
            int reported = rows.reported(k);
            if (!(driven >= 0 && driven <= RustBusFiles.MOST_MILES)
                    || (reported >= 0 && reported != moved(rows.code(k - 1), rows.code(k)))) {
                return false;
            }
        }
        return true;
    }

    @Override
    public BadInput wrong(Place place, IndividualRows rows) {
        int n = rows.size();
        double[] miles = new double[n];
        int[] decision = new int[n];
        int[] moved = new int[n];
        for (int i = 0; i < n; i++) {
            miles[i] = rows.raw(i);
            decision[i] = action(rows.code(i));
            moved[i] = rows.reported(i);
        }
        return RustBusFiles.wrong(place, settings, rows.name(), rows.periods(), miles, decision, moved)
                .orElseGet(() -> place.bad(0, "bus %s has wrong readings".formatted(rows.name()), "Correct them."));
    }

    @Override
    public void check(String table, PanelCounts counts, List<? extends Coder> coders) {
        SortedSet<Integer> found = new TreeSet<>();
        coders.forEach(coder -> found.addAll(((RowCoder) coder).found));
        RustBusFiles.checkGroups(table, settings, found);
    }

    @Override
    public Coder coder() {
        return new RowCoder();
    }

    private final class RowCoder implements Coder {
        private final RustBusFiles.Row row = new RustBusFiles.Row(settings);
        private final SortedSet<Integer> found = new TreeSet<>();
        private int lastGroup = -1;
        private boolean wanted;

        @Override
        public int code(TableRows rows) {
            row.read(rows);
            if (row.group() != lastGroup) {
                lastGroup = row.group();
                found.add(lastGroup);
                wanted = groups.contains(lastGroup);
            }
            return wanted
                    ? BusCoding.this.code(RustBusFiles.ceiling(row.miles(), settings.bins()), row.decision())
                    : -1;
        }

        @Override
        public double[] notes() {
            return found.stream().mapToDouble(group -> group).toArray();
        }

        @Override
        public void remember(double[] notes) {
            for (double group : notes) {
                found.add((int) group);
            }
        }

        @Override
        public int period(TableRows rows) {
            return row.period();
        }

        @Override
        public double raw(TableRows rows) {
            return row.miles();
        }

        @Override
        public int reported(TableRows rows) {
            return row.increment();
        }
    }
}
