package dev.revealed.estimate.choice.counterfactual;

import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.Dense;
import dev.revealed.numeric.Normal;
import dev.revealed.numeric.Parallel;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Vec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/**
 * How the error of an estimate reaches what follows from it. The covariance is written F F', so that estimate + F z with
 * standard normal z is a draw, and the variance of f is by the delta method the sum of squares of its derivatives along the
 * columns of F, each one standard deviation long.
 */
final class Uncertainty {
    /** A difference quotient's reach, in standard deviations: far from rounding, and curvature enters only squared. */
    private static final double STEP = 0.01;

    private static final double SINGULAR = 1e-12;
    private static final double INDEFINITE = 1e-6;
    private static final int ATTEMPTS = 1000;

    /** Numbers kept from all draws together; beyond, only the first few of each draw are. */
    private static final long ROOM = 20_000_000;

    private final double[] estimate;
    private final List<double[]> columns = new ArrayList<>();
    private final Intervals intervals;
    private final List<String> warnings = new ArrayList<>();

    /** Where a quantity may lie; on a bounded range intervals are made in logits. */
    record Range(double min, double max) {
        static final Range REAL = new Range(Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY);

        static Range upTo(double max) {
            return new Range(0, max);
        }

        private boolean bounded() {
            return max < Double.POSITIVE_INFINITY;
        }

        /** Where the difference of two quantities of this range may lie. */
        Range ofDifferences() {
            return bounded() ? new Range(min - max, max - min) : REAL;
        }

        private double end(double value, double error, double reach) {
            if (error == 0 || !bounded()) {
                return value + reach * error;
            }
            double share = (value - min) / (max - min);
            if (!(share > 0 && share < 1)) {
                return value;
            }
            double slope = 1 / (share * (1 - share) * (max - min));
            double odds = share / (1 - share) * Math.exp(reach * error * slope);
            return odds == Double.POSITIVE_INFINITY ? max : min + (max - min) * odds / (1 + odds);
        }
    }

    /** @param rejected draws that were impossible and drawn again */
    record Result(Quantities quantities, int rejected, List<String> warnings) {}

    Uncertainty(double[] estimate, double[][] covariance, Intervals intervals) {
        this.estimate = estimate;
        boolean known = Arrays.stream(covariance).allMatch(Vec::isFinite);
        this.intervals = known ? intervals : new Intervals(intervals.level(), false, 0);
        if (known) {
            factor(covariance);
        } else if (intervals.delta() || intervals.draws() > 0) {
            warnings.add("The covariance of the estimate is not known, so there are no intervals.");
        }
    }

    /** Columns of D V L^(1/2), of the eigenvalues of the correlations D^-1 C D^-1: scales do not matter so. */
    private void factor(double[][] covariance) {
        int p = covariance.length;
        double[] deviation = new double[p];
        Arrays.setAll(deviation, i -> Math.sqrt(Math.max(0, covariance[i][i])));
        int[] uncertain = IntStream.range(0, p).filter(i -> deviation[i] > 0).toArray();
        if (uncertain.length == 0) {
            return;
        }
        double[][] correlation = new double[uncertain.length][uncertain.length];
        for (int i = 0; i < uncertain.length; i++) {
            for (int j = 0; j < uncertain.length; j++) {
                int a = uncertain[i];
                int b = uncertain[j];
                correlation[i][j] = 0.5 * (covariance[a][b] + covariance[b][a]) / (deviation[a] * deviation[b]);
            }
        }
        Dense.Eigen eigen = Dense.symmetricEigen(correlation);
        for (int k = 0; k < uncertain.length; k++) {
            if (eigen.values()[k] > SINGULAR) {
                double[] column = new double[p];
                for (int i = 0; i < uncertain.length; i++) {
                    column[uncertain[i]] =
                            deviation[uncertain[i]] * eigen.vectors()[k][i] * Math.sqrt(eigen.values()[k]);
                }
                columns.add(column);
            }
        }
        if (eigen.values()[0] < -INDEFINITE) {
            warnings.add("The covariance of the estimate is not positive semidefinite: intervals are too narrow.");
        }
    }

    /**
     * @param function what follows from parameters; empty where they are impossible
     * @param ranges where each quantity may lie
     * @param needed how many of the first quantities every draw keeps, however many there are
     */
    Result of(
            Function<double[], Optional<double[]>> function,
            IntFunction<Range> ranges,
            int needed,
            RandomStream stream,
            ProgressListener listener) {
        double[] value = function.apply(estimate)
                .orElseThrow(() -> new BadInput(
                        "the estimated transition probabilities are not probabilities", "Check the result."));
        Optional<Quantities.Spread> delta =
                intervals.delta() ? Optional.of(delta(function, value, ranges, listener)) : Optional.empty();
        AtomicInteger rejected = new AtomicInteger();
        int kept = (long) intervals.draws() * value.length <= ROOM ? value.length : needed;
        Optional<Quantities.Spread> bootstrap = intervals.draws() > 0
                ? Optional.of(bootstrap(function, kept, rejected, stream, listener))
                : Optional.empty();
        List<String> said = new ArrayList<>(warnings);
        if (intervals.draws() > 0 && kept < value.length) {
            said.add("There are too many states to keep every draw of every state: intervals by state are by the delta"
                    + " method alone.");
        }
        if (rejected.get() > 0.05 * intervals.draws()) {
            said.add(
                    ("%d draws gave probabilities outside [0, 1] and were drawn again: some probability is close to 0 or 1"
                                    + " for the size of its error, and the bootstrap's intervals are those of a truncated normal.")
                            .formatted(rejected.get()));
        }
        return new Result(new Quantities(value, delta, bootstrap), rejected.get(), said);
    }

    private Quantities.Spread delta(
            Function<double[], Optional<double[]>> function,
            double[] value,
            IntFunction<Range> ranges,
            ProgressListener listener) {
        int p = columns.size();
        double[][] moved = new double[2 * p][];
        Parallel.tasks(2 * p, "delta method", listener, task -> {
            double[] to = Vec.plus(estimate, task % 2 == 0 ? STEP : -STEP, columns.get(task / 2));
            moved[task] = function.apply(to).orElse(value); // at the edge of what is possible the other side must do
        });
        double[] error = new double[value.length];
        for (int k = 0; k < p; k++) {
            double[] up = moved[2 * k];
            double[] down = moved[2 * k + 1];
            if (up == value && down == value) {
                throw new BadInput(
                        "the estimated transition probabilities lie at the edge of what is possible",
                        "The delta method does not apply there: use the bootstrap.");
            }
            double reach = up == value || down == value ? STEP : 2 * STEP;
            for (int i = 0; i < error.length; i++) {
                double slope = (up[i] - down[i]) / reach;
                error[i] += slope * slope;
            }
        }
        double z = Normal.quantile(0.5 + intervals.level() / 2);
        double[] low = new double[error.length];
        double[] high = new double[error.length];
        for (int i = 0; i < error.length; i++) {
            error[i] = Math.sqrt(error[i]);
            low[i] = ranges.apply(i).end(value[i], error[i], -z);
            high[i] = ranges.apply(i).end(value[i], error[i], z);
        }
        return new Quantities.Spread(error, low, high);
    }

    private Quantities.Spread bootstrap(
            Function<double[], Optional<double[]>> function,
            int kept,
            AtomicInteger rejected,
            RandomStream stream,
            ProgressListener listener) {
        int draws = intervals.draws();
        double[][] drawn = new double[draws][];
        Parallel.tasks(draws, "parametric bootstrap", listener, i -> {
            RandomStream own = stream.at(i);
            for (int attempt = 0; drawn[i] == null; attempt++) {
                Optional<double[]> values = function.apply(draw(own));
                if (values.isPresent()) {
                    drawn[i] = Arrays.copyOf(values.get(), kept);
                } else if (attempt == ATTEMPTS) {
                    throw new BadInput(
                            "hardly any draw of the parameters gives transition probabilities between 0 and 1",
                            "The bootstrap does not apply there: use the delta method.");
                } else {
                    rejected.incrementAndGet();
                }
            }
        });
        double[] error = new double[kept];
        double[] low = new double[kept];
        double[] high = new double[kept];
        double tail = (1 - intervals.level()) / 2;
        Parallel.range(kept, (from, to) -> {
            double[] column = new double[draws];
            for (int j = from; j < to; j++) {
                for (int i = 0; i < draws; i++) {
                    column[i] = drawn[i][j];
                }
                error[j] = Vec.standardError(column) * Math.sqrt(draws);
                Arrays.sort(column);
                low[j] = quantile(column, tail);
                high[j] = quantile(column, 1 - tail);
            }
        });
        return new Quantities.Spread(error, low, high);
    }

    private double[] draw(RandomStream stream) {
        double[] drawn = estimate.clone();
        for (double[] column : columns) {
            Vec.axpy(stream.nextGaussian(), column, drawn);
        }
        return drawn;
    }

    /** Linear between order statistics. */
    private static double quantile(double[] sorted, double share) {
        double at = share * (sorted.length - 1);
        int below = (int) at;
        int above = Math.min(below + 1, sorted.length - 1);
        return sorted[below] + (at - below) * (sorted[above] - sorted[below]);
    }
}
