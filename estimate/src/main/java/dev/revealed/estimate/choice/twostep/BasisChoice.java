package dev.revealed.estimate.choice.twostep;

import dev.revealed.numeric.Dense;
import dev.revealed.numeric.Vec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.IntStream;

/**
 * Chooses among bases by cross-validation over individuals. Temporal differences themselves cannot be compared on held-out
 * individuals: a smoother value has a less noisy next value, so it would win even where it is wrong. What is compared is
 * how well each basis predicts one and the same next value V(s', a') - log P(a'|s') from (s, a). It is that of a pilot
 * estimate; there is a pilot of every shape, since each shape predicts its own values best.
 */
final class BasisChoice {
    /** Moves there should be for each basis function. */
    private static final int MOVES_PER_FUNCTION = 20;

    private static final int MOST_FUNCTIONS = 300;

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

    /** @param lowered the degree in place of the one asked for, where the moves could not carry that */
    record Chosen(ValueBasis basis, OptionalInt lowered) {}

    Chosen among(TdCcp.Basis kind, OptionalInt degree, double[] shock) {
        if (kind == TdCcp.Basis.CELLS) {
            return new Chosen(ValueBasis.cells(), OptionalInt.empty());
        }
        int reach = degree.orElse(MOST_DEGREE);
        List<ValueBasis> candidates = new ArrayList<>();
        for (int d = reach; d >= Math.min(1, reach) && candidates.isEmpty(); d--) {
            for (int own = degree.isPresent() ? d : 1; own <= d; own++) {
                addAffordable(kind, own, degree.isPresent(), candidates);
            }
        }
        if (kind == TdCcp.Basis.AUTO && degree.isEmpty() && affordable(ValueBasis.cells())) {
            candidates.add(ValueBasis.cells());
        }
        if (candidates.isEmpty()) {
            candidates.add(smallest(kind, Math.min(1, reach)));
        }
        OptionalInt lowered = degree.isPresent() && candidates.getFirst().degree() < reach
                ? OptionalInt.of(candidates.getFirst().degree())
                : OptionalInt.empty();
        return new Chosen(best(candidates, shock), lowered);
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

    private boolean affordable(ValueBasis basis) {
        long size = basis.size(panel);
        return size <= most && (double) size * panel.visits().rows() <= MOST_ENTRIES;
    }

    private ValueBasis best(List<ValueBasis> candidates, double[] shock) {
        if (candidates.size() == 1 || panel.size() < 2 * FOLDS) {
            return usual(candidates);
        }
        double[] departures = panel.departures(IntStream.range(0, panel.size()).toArray());
        List<double[][]> functions = new ArrayList<>();
        for (ValueBasis candidate : candidates) {
            functions.add(Orthonormal.of(candidate.at(panel), departures));
        }
        double[] errors = new double[candidates.size()];
        for (ValueBasis pilot : pilots(candidates)) {
            Optional<double[]> next = next(pilot, shock);
            if (next.isPresent()) {
                Vec.axpy(1, errors(functions, next.get()), errors);
            }
        }
        return candidates.get(IntStream.range(0, errors.length)
                .reduce((a, b) -> errors[b] < errors[a] ? b : a)
                .orElse(0));
    }

    /** One of each shape, of the usual degree or the highest before it. */
    private static List<ValueBasis> pilots(List<ValueBasis> candidates) {
        Map<List<Object>, ValueBasis> pilots = new LinkedHashMap<>();
        for (ValueBasis candidate : candidates) {
            if (candidate.shape() != ValueBasis.Shape.CELLS) {
                pilots.merge(
                        List.of(candidate.shape(), candidate.knots()),
                        candidate,
                        (a, b) -> b.degree() <= USUAL_DEGREE ? b : a);
            }
        }
        return List.copyOf(pilots.values());
    }

    /** What is taken where nothing can be compared: the polynomials of degree 3, or the richest before them. */
    private static ValueBasis usual(List<ValueBasis> candidates) {
        ValueBasis usual = candidates.getFirst();
        for (ValueBasis candidate : candidates) {
            if (candidate.shape() == usual.shape() && candidate.degree() <= USUAL_DEGREE) {
                usual = candidate;
            }
        }
        return usual;
    }

    /** What a pilot says arriving at each row is worth; empty where it has no estimate. */
    private Optional<double[]> next(ValueBasis pilot, double[] shock) {
        TemporalDifferences step = new TemporalDifferences(
                panel, pilot.at(panel), shock, IntStream.range(0, panel.size()).toArray());
        return step.maximum().converged() ? Optional.of(step.arrival(step.maximum().theta())) : Optional.empty();
    }

    /** Squared error of each basis on the individuals it was not fitted to, as a multiple of the least. */
    private double[] errors(List<double[][]> functions, double[] next) {
        int rows = next.length;
        double[][] weight = new double[FOLDS][rows];
        double[][] sum = new double[FOLDS][rows];
        double square = 0; // of all next values
        for (int i = 0; i < panel.size(); i++) {
            int[] path = panel.paths()[i];
            for (int t = 0; t + 1 < path.length; t++) {
                weight[i % FOLDS][path[t]]++;
                sum[i % FOLDS][path[t]] += next[path[t + 1]];
                square += next[path[t + 1]] * next[path[t + 1]];
            }
        }
        double[] errors = new double[functions.size()];
        double centring = 0;
        for (int f = 0; f < FOLDS; f++) {
            double[] others = new double[rows];
            double[] otherSums = new double[rows];
            for (int g = 0; g < FOLDS; g++) {
                if (g != f) {
                    Vec.axpy(1, weight[g], others);
                    Vec.axpy(1, sum[g], otherSums);
                }
            }
            double mean = Vec.sum(otherSums) / Math.max(1, Vec.sum(others));
            Vec.axpy(-mean, others, otherSums);
            double[] heldOut = Vec.plus(sum[f], -mean, weight[f]);
            centring -= mean * (Vec.sum(sum[f]) + Vec.sum(heldOut));
            for (int k = 0; k < errors.length; k++) {
                errors[k] += error(functions.get(k), others, otherSums, weight[f], heldOut);
            }
        }
        double all = square + centring; // the error of the prediction zero
        double least = Arrays.stream(errors).min().orElse(0) + all;
        double floor = Math.max(least, NOISELESS * all);
        return Arrays.stream(errors).map(error -> (error + all) / floor).toArray();
    }

    /**
     * Squared error on the held-out moves of the fit to the others, less what it is with the prediction zero. One move's
     * worth of shrinkage keeps a function in check that the others say nothing about.
     */
    private static double error(
            double[][] functions, double[] weight, double[] sum, double[] heldOutWeight, double[] heldOutSum) {
        int k = functions[0].length;
        double[][] gram = new double[k][k];
        double[] target = new double[k];
        for (int row = 0; row < weight.length; row++) {
            if (weight[row] > 0) {
                double[] phi = functions[row];
                for (int l = 0; l < k; l++) {
                    double by = weight[row] * phi[l];
                    double[] to = gram[l];
                    for (int m = 0; m <= l; m++) {
                        to[m] += by * phi[m];
                    }
                }
                Vec.axpy(sum[row], phi, target);
            }
        }
        for (int l = 0; l < k; l++) {
            gram[l][l] += 1;
            for (int m = 0; m < l; m++) {
                gram[m][l] = gram[l][m];
            }
        }
        Optional<double[]> coefficients = Dense.solve(gram, target);
        if (coefficients.isEmpty()) {
            return Double.POSITIVE_INFINITY;
        }
        double error = 0;
        for (int row = 0; row < weight.length; row++) {
            if (heldOutWeight[row] > 0) {
                double fit = Vec.dot(functions[row], coefficients.get());
                error += heldOutWeight[row] * fit * fit - 2 * fit * heldOutSum[row];
            }
        }
        return error;
    }
}
