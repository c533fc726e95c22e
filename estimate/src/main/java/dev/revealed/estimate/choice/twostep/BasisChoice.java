package dev.revealed.estimate.choice.twostep;

import dev.revealed.numeric.BadInput;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Chooses among bases by cross-validation over individuals. Temporal differences themselves cannot be compared on held-out
 * individuals: a smoother value has a less noisy next value, so it would win even where it is wrong. What is compared is
 * how well each basis predicts one and the same next value V(s', a') - log P(a'|s') from (s, a). It is that of a pilot
 * estimate; there is a pilot of every shape, since each shape predicts its own values best.
 */
final class BasisChoice {
    /** Moves there should be for each basis function. */
    private static final int MOVES_PER_FUNCTION = 20;

    /** Moves there must be from each visited state by each action for cells to be tried. */
    private static final int MOVES_PER_CELL = 30;

    private static final int MOST_FUNCTIONS = 300;

    /** Cells, one for each visited state and action, beyond which they are refused where they were asked for. */
    static final int MOST_CELLS = 2000;

    /** With more rows times functions than this a basis is left out, but for the smallest. */
    private static final double MOST_ENTRIES = 2e7;

    private static final int FOLDS = 5;
    /** A share of the variance of next values below which errors are as good as none. */
    private static final double NOISELESS = 1e-6;

    private static final int KNOTS = 8;
    private static final int MOST_DEGREE = 6;
    /** Degree of the polynomials beside splines. */
    private static final int MOST_TOGETHER = 4;

    private static final int USUAL_DEGREE = 3;

    private final TdPanel panel;
    private final long most;

    BasisChoice(TdPanel panel) {
        this.panel = panel;
        most = Math.min(MOST_FUNCTIONS, panel.moves() / MOVES_PER_FUNCTION);
    }

    /**
     * @param lowered whether the moves could not carry the degree asked for
     * @param others to try where the basis turns out to be wrong: the best of each other family, best first, then higher
     *     degrees of the same; none where the kind was asked for
     */
    record Chosen(ValueBasis basis, boolean lowered, List<ValueBasis> others) {}

    Chosen among(TdCcp.Basis kind, OptionalInt degree, double[] shock) {
        if (kind == TdCcp.Basis.CELLS) {
            checkCells();
            return new Chosen(ValueBasis.cells(), false, List.of());
        }
        int reach = degree.orElse(MOST_DEGREE);
        List<ValueBasis> candidates = new ArrayList<>();
        for (int d = reach; d >= Math.min(1, reach) && candidates.isEmpty(); d--) {
            for (int own = degree.isPresent() ? d : 1; own <= d; own++) {
                addAffordable(kind, own, degree.isPresent(), candidates);
            }
        }
        if (kind == TdCcp.Basis.AUTO && degree.isEmpty() && affordable(ValueBasis.cells()) && everyRowOften()) {
            candidates.add(ValueBasis.cells());
        }
        if (candidates.isEmpty()) {
            candidates.add(smallest(kind, Math.min(1, reach)));
        }
        boolean lowered = degree.isPresent() && candidates.getFirst().degree() < reach;
        List<ValueBasis> ranked = ranked(candidates, shock);
        return new Chosen(
                ranked.getFirst(), lowered, kind == TdCcp.Basis.AUTO ? others(ranked, candidates) : List.of());
    }

    private static List<ValueBasis> others(List<ValueBasis> ranked, List<ValueBasis> candidates) {
        ValueBasis best = ranked.getFirst();
        Map<ValueBasis.Family, ValueBasis> families = new LinkedHashMap<>();
        ranked.forEach(basis -> families.putIfAbsent(basis.family(), basis));
        families.remove(best.family());
        return Stream.concat(
                        families.values().stream(),
                        candidates.stream()
                                .filter(basis ->
                                        basis.family().equals(best.family()) && basis.degree() > best.degree()))
                .toList();
    }

    private void checkCells() {
        int actions = panel.visits().actions();
        if (panel.visits().rows() > MOST_CELLS) {
            throw new BadInput(
                    "the basis of cells is for at most %d visited states with %d actions, and %d states were visited"
                            .formatted(
                                    MOST_CELLS / actions,
                                    actions,
                                    panel.visits().rows() / actions),
                    "Take another `basis`, or give the state variables fewer values.");
        }
    }

    private static ValueBasis smallest(TdCcp.Basis kind, int degree) {
        return switch (kind) {
            case RANKS -> ValueBasis.ranks(degree);
            case SPLINES -> ValueBasis.splines(degree, KNOTS);
            default -> ValueBasis.polynomials(degree);
        };
    }

    private void addAffordable(TdCcp.Basis kind, int degree, boolean given, List<ValueBasis> candidates) {
        boolean all = kind == TdCcp.Basis.AUTO;
        List<ValueBasis> bases = new ArrayList<>();
        if (all || kind == TdCcp.Basis.POLYNOMIALS) {
            bases.add(ValueBasis.polynomials(degree));
        }
        if (all || kind == TdCcp.Basis.RANKS) {
            bases.add(ValueBasis.ranks(degree));
        }
        // Of a single variable the splines are all there is: polynomials only add what variables do together.
        int variables = panel.problem().model().space().variables().size();
        boolean useful = degree <= (variables == 1 ? 1 : MOST_TOGETHER);
        if (all ? useful : kind == TdCcp.Basis.SPLINES && (given || useful)) {
            bases.add(ValueBasis.splines(degree, KNOTS));
            bases.add(ValueBasis.splines(degree, 0));
        }
        bases.stream().filter(this::affordable).forEach(candidates::add);
    }

    /** Whether all that was done in some state was done so often there that its value needs no others. */
    private boolean everyRowOften() {
        double[] departures = panel.all().departures();
        return IntStream.range(0, departures.length)
                .allMatch(
                        row -> panel.logWeight()[row] == Double.NEGATIVE_INFINITY || departures[row] >= MOVES_PER_CELL);
    }

    private boolean affordable(ValueBasis basis) {
        long size = basis.size(panel);
        return size <= most && (double) size * panel.visits().rows() <= MOST_ENTRIES;
    }

    /** The best first. */
    private List<ValueBasis> ranked(List<ValueBasis> candidates, double[] shock) {
        if (candidates.size() == 1 || panel.size() < 2 * FOLDS) {
            return usual(candidates);
        }
        List<double[]> next = new ArrayList<>();
        for (ValueBasis pilot : pilots(candidates)) {
            next(pilot, shock).ifPresent(next::add);
        }
        if (next.isEmpty()) {
            return usual(candidates);
        }
        CrossValidation heldOut = new CrossValidation(panel, next, FOLDS);
        double[] negligible = new double[next.size()];
        Arrays.setAll(negligible, v -> NOISELESS * heldOut.variation(v));
        return ranked(candidates, candidate -> heldOut.errors(candidate.at(panel)), negligible);
    }

    /**
     * The candidates by their sums of relative errors, the least first. A family's higher degrees are left out once two in a row were no
     * better than lower ones of the same family.
     *
     * @param candidates by degree within each family
     * @param heldOut the squared errors of a candidate, one for each predicted value
     * @param negligible errors below these are as good as none
     */
    static List<ValueBasis> ranked(
            List<ValueBasis> candidates, Function<ValueBasis, double[]> heldOut, double[] negligible) {
        double[] least = negligible.clone();
        Arrays.fill(least, Double.POSITIVE_INFINITY);
        Map<ValueBasis, double[]> errors = new LinkedHashMap<>();
        Map<ValueBasis.Family, Degrees> families = new HashMap<>();
        for (ValueBasis candidate : candidates) {
            Degrees degrees = families.computeIfAbsent(candidate.family(), family -> new Degrees(least.length));
            if (degrees.worse < 2) {
                double[] own = heldOut.apply(candidate);
                errors.put(candidate, own);
                degrees.add(own);
                Arrays.setAll(least, v -> Math.min(least[v], own[v]));
            }
        }
        Map<ValueBasis, Double> sums = new LinkedHashMap<>();
        errors.forEach((basis, own) -> {
            double sum = 0;
            for (int v = 0; v < least.length; v++) {
                sum += own[v] / Math.max(least[v], negligible[v]);
            }
            sums.put(basis, sum);
        });
        return sums.entrySet().stream()
                .sorted(Map.Entry.comparingByValue()) // keeps the order of equals
                .map(Map.Entry::getKey)
                .toList();
    }

    /** The errors of one family so far, from the lowest degree on. */
    private static final class Degrees {
        private final double[] least;
        private int worse; // degrees in a row that were better for none of the values

        Degrees(int values) {
            least = new double[values];
            Arrays.fill(least, Double.POSITIVE_INFINITY);
        }

        void add(double[] errors) {
            boolean better = false;
            for (int v = 0; v < least.length; v++) {
                better |= errors[v] < least[v];
                least[v] = Math.min(least[v], errors[v]);
            }
            worse = better ? 0 : worse + 1;
        }
    }

    /** One of each shape, of the usual degree or the highest before it. */
    private static List<ValueBasis> pilots(List<ValueBasis> candidates) {
        Map<ValueBasis.Family, ValueBasis> pilots = new LinkedHashMap<>();
        for (ValueBasis candidate : candidates) {
            if (candidate.shape() != ValueBasis.Shape.CELLS) {
                pilots.merge(candidate.family(), candidate, (a, b) -> b.degree() <= USUAL_DEGREE ? b : a);
            }
        }
        return List.copyOf(pilots.values());
    }

    /** Where nothing can be compared: the polynomials of degree 3, or the richest before them, then the other pilots. */
    private static List<ValueBasis> usual(List<ValueBasis> candidates) {
        ValueBasis usual = candidates.getFirst();
        for (ValueBasis candidate : candidates) {
            if (candidate.shape() == usual.shape() && candidate.degree() <= USUAL_DEGREE) {
                usual = candidate;
            }
        }
        return Stream.concat(Stream.of(usual), pilots(candidates).stream()).toList();
    }

    /** What a pilot says arriving at each row is worth; empty where it has no estimate. */
    private Optional<double[]> next(ValueBasis pilot, double[] shock) {
        TemporalDifferences step = new TemporalDifferences(panel, pilot.at(panel), shock, panel.all());
        return step.maximum().converged()
                ? Optional.of(step.arrival(step.maximum().theta()))
                : Optional.empty();
    }
}
