package dev.revealed.data;

import dev.revealed.mdp.Trajectory;
import dev.revealed.mdp.choice.ChoiceModel;
import dev.revealed.mdp.choice.Panel;
import dev.revealed.mdp.choice.StateSpace;
import dev.revealed.mdp.choice.TransitionLaw;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.Buckets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The rows of a panel's file, as numbers of the model, and the individuals they make. */
final class PanelRows {
    private final PanelColumns columns;
    private final PanelStructure structure;
    private final ChoiceModel model;
    private final Place place;
    private final int[] state;
    private final int[] chosen; // -1 where blank
    private final int[] period;
    private final PanelStructure.Reader more;
    private final boolean[] aggregate; // by part of the law
    private final Map<Integer, Panel.CommonMoves> common = new TreeMap<>(); // by period
    private final List<int[]> periods = new ArrayList<>(); // of the decisions of each individual
    private int holes;
    private int dropped;
    private int unseen;
    private int links;

    PanelRows(
            PanelColumns columns,
            ChoiceModel model,
            Place place,
            int[] state,
            int[] chosen,
            int[] period,
            PanelStructure.Reader more) {
        this.columns = columns;
        this.structure = columns.structure();
        this.model = model;
        this.place = place;
        this.state = state;
        this.chosen = chosen;
        this.period = period;
        this.more = more;
        List<StateSpace.Variable> variables = model.space().variables();
        aggregate = new boolean[variables.size()];
        for (int v = 0; v < aggregate.length; v++) {
            aggregate[v] = structure.aggregate().contains(variables.get(v).name());
        }
    }

    Panel panel(List<String> names, Buckets rows) {
        for (int v = 0; v < aggregate.length; v++) {
            if (aggregate[v]) {
                checkCommon(v);
            }
        }
        List<Panel.Individual> individuals = new ArrayList<>();
        for (int i = 0; i < names.size(); i++) {
            int begin = rows.start()[i];
            int end = untilEnd(rows.row(), begin, rows.start()[i + 1]);
            checkMissing(rows.row(), begin, end, names.get(i));
            individual(names.get(i), rows.row(), begin, end).ifPresent(individuals::add);
        }
        BadInput.when(
                individuals.isEmpty(),
                "%s: no %s has a decision that counts".formatted(place.file(), columns.individual()),
                columns.skip() == 0
                        ? "Give at least one."
                        : "The first %d of each are skipped; give more.".formatted(columns.skip()));
        return new Panel(weighted(individuals), structure.kind(), structure.covariates(), List.copyOf(common.values()));
    }

    /** Sampling weights as multiples of their mean: only their ratios matter. */
    private List<Panel.Individual> weighted(List<Panel.Individual> all) {
        if (structure.kind() == Panel.Weights.FREQUENCY) {
            return all;
        }
        double mean =
                all.stream().mapToDouble(Panel.Individual::weight).average().orElse(1);
        return all.stream().map(one -> one.weighing(one.weight() / mean)).toList();
    }

    /** The periods of the decisions that count, by individual. */
    List<int[]> periods() {
        return periods;
    }

    /** What there is to say of the rows. */
    PanelNotes notes() {
        return new PanelNotes(structure, links, holes, dropped, unseen);
    }

    /** Refuses a variable that is said to be the same for all and is not. */
    private void checkCommon(int v) {
        StateSpace space = model.space();
        Map<Integer, Integer> first = new HashMap<>(); // the first row of each period
        for (int row = 0; row < state.length; row++) {
            Integer other = first.putIfAbsent(period[row], row);
            if (other != null && space.coordinate(state[row], v) != space.coordinate(state[other], v)) {
                throw place.bad(
                        row,
                        "%s is %s in period %d, and %s on %s"
                                .formatted(
                                        space.variables().get(v).name(),
                                        Place.plain(space.value(state[row], v)),
                                        period[row],
                                        Place.plain(space.value(state[other], v)),
                                        place.list(other)),
                        "An aggregate variable is the same for everybody in a period; take it out of aggregate.");
            }
        }
    }

    /** What comes after the end of the process does not count. */
    private int untilEnd(int[] order, int begin, int end) {
        int k = begin;
        while (k < end && !model.law().ended(state[order[k]])) {
            k++;
        }
        return Math.min(k + 1, end);
    }

    private void checkMissing(int[] order, int begin, int end, String name) {
        for (int k = begin; k < end - 1; k++) {
            if (chosen[order[k]] < 0 && structure.missing() == PanelStructure.Missing.REFUSED) {
                throw place.bad(
                        order[k],
                        "%s is blank, and this is not the last row of %s %s"
                                .formatted(columns.action(), columns.individual(), name),
                        "Only a last row may be without: it tells where the last decision led. A model that says missing:"
                                + " dropped under data: leaves out such rows, and missing: integrated sums over what may"
                                + " have been done.");
            }
        }
    }

    /** Whether a row tells where the decision of the one before it led. */
    private boolean follows(int[] order, int k, int begin) {
        return k > begin && chosen[order[k - 1]] >= 0 && period[order[k]] - period[order[k - 1]] == 1;
    }

    private Optional<Panel.Individual> individual(String name, int[] order, int begin, int end) {
        List<Integer> kept = new ArrayList<>(); // places in the order
        List<int[]> pairs = new ArrayList<>(); // states before and after missing actions
        int decisions = 0;
        for (int k = begin + columns.skip(); k < end; k++) {
            if (k > begin) {
                links++;
                holes += period[order[k]] - period[order[k - 1]] == 1 ? 0 : 1;
            }
            boolean led = k == end - 1 && follows(order, k, begin) && k > begin + columns.skip();
            if (chosen[order[k]] >= 0 || led) {
                kept.add(k);
                decisions += chosen[order[k]] >= 0 ? 1 : 0;
            } else if (structure.missing() == PanelStructure.Missing.INTEGRATED
                    && k + 1 < end
                    && period[order[k + 1]] - period[order[k]] == 1) {
                pairs.add(unseen(order, k, begin));
            } else if (structure.missing() != PanelStructure.Missing.INTEGRATED
                    || !arrives(order, k, begin + columns.skip(), end)) {
                dropped++;
            }
        }
        if (decisions == 0) {
            dropped += pairs.size();
            return Optional.empty();
        }
        unseen += pairs.size();
        int n = kept.size();
        int[] states = new int[n];
        int[] actions = new int[decisions];
        int parts = model.law().parts().size();
        int[][] cells = new int[parts][n];
        int[][] outcomes = new int[parts][n];
        for (int t = 0; t < n; t++) {
            int k = kept.get(t);
            int row = order[k];
            states[t] = state[row];
            if (t < decisions) {
                actions[t] = chosen[row];
            }
            for (int v = 0; v < parts; v++) {
                cells[v][t] = -1;
                boolean hidden = columns.states().get(v) instanceof PanelColumns.Hidden;
                if (!hidden && follows(order, k, begin)) {
                    int before = order[k - 1];
                    int cell = model.law().parts().get(v).cell().of(state[before], chosen[before]);
                    outcomes[v][t] = outcome(v, before, row);
                    cells[v][t] = aggregate[v] ? Panel.COMMON : cell;
                    if (aggregate[v]) {
                        addCommon(v, row, cell, outcomes[v][t]);
                    }
                }
            }
        }
        periods.add(
                kept.stream().limit(decisions).mapToInt(k -> period[order[k]]).toArray());
        int row = order[begin];
        for (int k = begin + 1; k < end; k++) {
            checkAlike(name, row, order[k]);
        }
        return Optional.of(new Panel.Individual(
                name,
                new Trajectory(states, actions),
                cells,
                outcomes,
                weight(row),
                more.cluster(row),
                more.covariates(row),
                pairs.toArray(int[][]::new)));
    }

    /** Whether a row is the last of an individual and tells where the decision before it led, whose action is missing too. */
    private boolean arrives(int[] order, int k, int begin, int end) {
        return k == end - 1 && k > begin && period[order[k]] - period[order[k - 1]] == 1;
    }

    /** The states before and after a missing action, and the moves that led to the state before it. */
    private int[] unseen(int[] order, int k, int begin) {
        int parts = model.law().parts().size();
        int[] all = new int[2 + 2 * parts];
        all[0] = state[order[k]];
        all[1] = state[order[k + 1]];
        for (int v = 0; v < parts; v++) {
            boolean known = follows(order, k, begin) && !(columns.states().get(v) instanceof PanelColumns.Hidden);
            int before = order[Math.max(k - 1, begin)];
            all[2 + 2 * v] = known ? model.law().parts().get(v).cell().of(state[before], chosen[before]) : -1;
            all[3 + 2 * v] = known ? outcome(v, before, order[k]) : -1;
        }
        return all;
    }

    /** A move of an aggregate variable, which counts once however many individuals saw it. */
    private void addCommon(int v, int row, int cell, int outcome) {
        Panel.CommonMoves moves = common.computeIfAbsent(period[row], p -> {
            int[] none = new int[aggregate.length];
            Arrays.fill(none, -1);
            return new Panel.CommonMoves(none, new int[aggregate.length]);
        });
        if (moves.cells()[v] >= 0 && moves.cells()[v] != cell) {
            throw place.bad(
                    row,
                    "the move of the aggregate variable %s depends on what differs between individuals"
                            .formatted(model.space().variables().get(v).name()),
                    "Its law may depend on aggregate variables alone; take it out of aggregate otherwise.");
        }
        moves.cells()[v] = cell;
        moves.outcomes()[v] = outcome;
    }

    private double weight(int row) {
        double weight = more.weight(row);
        String column = structure.weight().orElse("");
        if (!(weight > 0)) {
            throw place.bad(
                    row,
                    "%s is %s".formatted(column, Place.plain(weight)),
                    "Weights are positive; leave out rows that do not count.");
        }
        boolean frequency = structure.weight().isPresent() && structure.kind() == Panel.Weights.FREQUENCY;
        if (frequency && (weight != Math.rint(weight) || weight > 1e9)) {
            throw place.bad(
                    row,
                    "%s is %s, no whole number".formatted(column, Place.plain(weight)),
                    "Frequencies count individuals; other weights are kind: sampling.");
        }
        return weight;
    }

    /** Refuses what changes over an individual's periods though it belongs to the individual. */
    private void checkAlike(String name, int row, int other) {
        String differs = more.weight(row) != more.weight(other)
                ? structure.weight().orElse("")
                : !more.cluster(row).equals(more.cluster(other))
                        ? structure.cluster().orElse("")
                        : "";
        double[] own = more.covariates(row);
        double[] others = more.covariates(other);
        for (int c = 0; c < own.length; c++) {
            differs = own[c] != others[c] ? structure.covariates().get(c) : differs;
        }
        if (!differs.isEmpty()) {
            throw place.bad(
                    other,
                    "%s of %s %s differs from that on %s"
                            .formatted(differs, columns.individual(), name, place.list(row)),
                    "Weights, clusters and covariates belong to an individual: repeat the same in each of its rows.");
        }
    }

    private int outcome(int v, int before, int now) {
        TransitionLaw law = model.law();
        int from = state[before];
        int a = chosen[before];
        int outcome = law.outcome(v, from, a, state[now]);
        if (outcome < 0) {
            BadInput impossible =
                    law.impossible(v, from, model.actions().get(a), state[now], " (%s)".formatted(place.list(before)));
            throw place.bad(now, impossible.problem(), impossible.remedy());
        }
        return outcome;
    }
}
