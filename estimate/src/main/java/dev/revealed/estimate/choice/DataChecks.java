package dev.revealed.estimate.choice;

import dev.revealed.estimate.Directions;
import dev.revealed.mdp.choice.ChoiceModel;
import dev.revealed.numeric.Vec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** What is wrong with a panel for the model it is to decide, in words. */
public final class DataChecks {
    /** Fewer individuals than this say little of how individuals vary. */
    private static final int FEW = 10;

    /** More derivatives would not fit in memory. */
    private static final long MOST_DERIVATIVES = 200_000_000;

    /** More products of them would take longer than most estimates. */
    private static final long MOST_PRODUCTS = 2_000_000_000;

    /** Rises of the log-odds along a direction at which the likelihood must still be growing. */
    private static final double[] AWAY = {0.25, 1, 4, 16};

    private static final int ROUNDS = 20;

    private DataChecks() {}

    /**
     * @param noMaximum whether the likelihood has no maximum: estimates then only show where the search stopped, and there
     *     are no standard errors
     */
    public record Findings(boolean noMaximum, List<String> warnings) {}

    /**
     * Examines the data at given parameters: those estimated, or zeros beforehand. Identification is decided where the
     * choices follow these parameters, so that the estimates are the better place to look from.
     */
    public static Findings examine(ChoiceProblem problem, double[] theta, double[] phi) {
        ChoiceModel model = problem.model();
        List<String> warnings = new ArrayList<>();
        double[] counts = problem.choiceCounts();
        if (tooMany(theta, counts)) {
            actions(model, counts).ifPresent(warnings::add);
            warnings.add("which parameters the data decide was not examined: there are too many");
            return new Findings(false, List.copyOf(warnings));
        }
        RowScores scores = new RowScores(model, counts, phi, false);
        scores.solve(theta);
        double[][] columns = scores.scores(theta);
        Optional<String> unidentified = unidentified(model, counts, columns, available(model));
        Optional<double[]> direction = noMaximum(scores, model, counts, theta);
        // The columns are now those where the direction was found.
        direction
                .map(d -> runaway(model, counts, columns, d))
                .or(() -> actions(model, counts))
                .ifPresent(warnings::add);
        unidentified.ifPresent(warnings::add);
        return new Findings(direction.isPresent(), List.copyOf(warnings));
    }

    /** Whether the likelihood rises without end from these parameters; cheaper than {@link #examine}. */
    public static boolean noMaximum(ChoiceProblem problem, double[] theta, double[] phi) {
        double[] counts = problem.choiceCounts();
        return !tooMany(theta, counts)
                && noMaximum(new RowScores(problem.model(), counts, phi, false), problem.model(), counts, theta)
                        .isPresent();
    }

    /**
     * A parameter for each direction of a linear utility that no data identify, such as a constant in every action's utility:
     * with these held, no search can run off along it. Empty where all is identified, or too large to examine.
     */
    public static List<Integer> undecided(ChoiceProblem problem, double[] phi) {
        ChoiceModel model = problem.model();
        double[] start = problem.startingAt().start();
        double[] counts = problem.choiceCounts();
        List<Integer> undecided = new ArrayList<>();
        if (!model.utility().linear() || !model.utility().rules().none() || tooMany(start, counts)) {
            return undecided;
        }
        RowScores scores = new RowScores(model, counts, phi, false);
        try {
            scores.solve(start);
        } catch (ArithmeticException unsolved) {
            return undecided;
        }
        List<double[]> left = new ArrayList<>(
                everywhere(model, scores.scores(start), available(model)).weights());
        while (!left.isEmpty()) {
            double[] direction = left.removeFirst();
            int largest = 0;
            for (int j = 1; j < direction.length; j++) {
                largest = Math.abs(direction[j]) > Math.abs(direction[largest]) ? j : largest;
            }
            undecided.add(largest);
            int pivot = largest;
            left.replaceAll(other -> Vec.plus(other, -other[pivot] / direction[pivot], direction));
        }
        return undecided;
    }

    private static boolean tooMany(double[] theta, double[] counts) {
        long derivatives = (long) theta.length * counts.length;
        return derivatives > MOST_DERIVATIVES || derivatives * theta.length > MOST_PRODUCTS;
    }

    /** That the choices are less likely than if every available action were as likely as every other. */
    public static Optional<String> worseThanUniform(ChoiceProblem problem, double logLikelihood) {
        double uniform = uniformLogLikelihood(problem);
        return logLikelihood >= uniform - 1e-9 * (1 + Math.abs(uniform))
                ? Optional.empty()
                : Optional.of(String.format(
                        Locale.ROOT,
                        "the choices are less likely (log-likelihood %.1f) than if every available action were chosen equally"
                                + " often (%.1f): do not use these estimates",
                        logLikelihood,
                        uniform));
    }

    /** The log-likelihood of the choices if every available action were as likely as every other. */
    public static double uniformLogLikelihood(ChoiceProblem problem) {
        ChoiceModel model = problem.model();
        double[] counts = problem.choiceCounts();
        boolean[] available = available(model);
        int actions = model.actions().size();
        double uniform = 0;
        for (int begin = 0; begin < counts.length; begin += actions) {
            double visits = 0;
            int choices = 0;
            for (int row = begin; row < begin + actions; row++) {
                visits += counts[row];
                choices += available[row] ? 1 : 0;
            }
            uniform -= visits > 0 ? visits * Math.log(choices) : 0;
        }
        return uniform;
    }

    /** That standard errors which let individuals differ rest on few of them. */
    public static Optional<String> fewIndividuals(ChoiceProblem problem) {
        long n = Math.round(Clusters.count(problem.panel()));
        return n >= FEW
                ? Optional.empty()
                : Optional.of(
                        "there %s only %d individual%s: standard errors clustered by individual, and bootstraps of individuals, are too small with so few"
                                .formatted(n == 1 ? "is" : "are", n, n == 1 ? "" : "s"));
    }

    /**
     * A direction along which the likelihood rises without end. In a dynamic model the log-odds are not linear in the
     * parameters, so what separates near theta must be seen to do so further away; where it does not, the search goes on
     * from the best place along it.
     */
    private static Optional<double[]> noMaximum(RowScores scores, ChoiceModel model, double[] counts, double[] theta) {
        boolean[] available = available(model);
        double[] at = theta;
        for (int round = 0; round < ROUNDS; round++) {
            try {
                double before = scores.solve(at);
                Optional<double[]> direction = new Separation(
                                scores.scores(at),
                                counts,
                                available,
                                model.actions().size())
                        .direction();
                if (direction.isEmpty() || model.discount() == 0) {
                    return direction;
                }
                double best = 0;
                boolean rises = true;
                for (int k = 0; k < AWAY.length && rises; k++) {
                    double there = scores.solve(Vec.plus(at, AWAY[k], direction.get()));
                    rises = there >= before - 1e-9 * (1 + Math.abs(before));
                    best = rises ? AWAY[k] : best;
                    before = rises ? there : before;
                }
                if (rises) {
                    return direction;
                }
                if (best == 0) {
                    return Optional.empty();
                }
                at = Vec.plus(at, best, direction.get());
            } catch (ArithmeticException unsolved) {
                return Optional.empty();
            }
        }
        return Optional.empty();
    }

    private static boolean[] available(ChoiceModel model) {
        boolean[] available = new boolean[model.utility().rows()];
        for (int row = 0; row < available.length; row++) {
            available[row] = model.cost().logWeight(row) != Double.NEGATIVE_INFINITY;
        }
        return available;
    }

    private static String runaway(ChoiceModel model, double[] counts, double[][] columns, double[] direction) {
        double[] weight = new double[direction.length];
        int actions = model.actions().size();
        double[] visits = ChoiceProblem.visits(counts, actions);
        for (int j = 0; j < weight.length; j++) {
            double spread = 0;
            for (int row = 0; row < counts.length; row++) {
                spread += visits[row / actions] > 0 ? columns[j][row] * columns[j][row] : 0;
            }
            weight[j] = Math.abs(direction[j]) * Math.sqrt(spread);
        }
        return ("%s, so that the likelihood has no maximum: it rises without end as parameters run off (%s). The estimates"
                        + " only show where the search stopped; fix or drop a parameter, or find data in which decisions vary")
                .formatted(
                        actions(model, counts)
                                .orElse("the utility tells apart perfectly what was chosen and what was not"),
                        Directions.limits(direction, weight, model.utility().names()));
    }

    /** That some action is never chosen, or always, in words. */
    public static Optional<String> unchosen(ChoiceProblem problem) {
        return actions(problem.model(), problem.choiceCounts());
    }

    private static Optional<String> actions(ChoiceModel model, double[] counts) {
        int actions = model.actions().size();
        double[] chosen = new double[actions];
        for (int row = 0; row < counts.length; row++) {
            chosen[row % actions] += counts[row];
        }
        List<String> never = new ArrayList<>();
        String always = "";
        for (int a = 0; a < actions; a++) {
            if (chosen[a] == 0) {
                never.add("'" + model.actions().get(a) + "'");
            } else {
                always = model.actions().get(a);
            }
        }
        if (never.isEmpty() || actions == 1) {
            return Optional.empty();
        }
        return Optional.of(
                never.size() == actions - 1
                        ? "the decisions do not vary: every one of them is '" + always + "'"
                        : "nobody ever chooses " + String.join(" or ", never));
    }

    /** Directions with no effect on any choice, or on none in the states the panel visits. */
    private static Optional<String> unidentified(
            ChoiceModel model, double[] counts, double[][] columns, boolean[] available) {
        int actions = model.actions().size();
        double[] visits = ChoiceProblem.visits(counts, actions);
        List<String> names = model.utility().names();
        Identification always = everywhere(model, columns, available);
        if (!always.complete()) {
            return Optional.of(
                    "%d of %d directions of the utility are not identified by any data, since no choice depends on them: %s. Drop or fix a parameter"
                            .formatted(always.flat().size(), names.size(), always.describe()));
        }
        Identification here = Identification.of(information(columns, available, visits, actions), names);
        return here.complete()
                ? Optional.empty()
                : Optional.of(
                        "%d of %d directions of the utility are not identified by this panel, since no choice in the states it visits depends on them: %s. Drop or fix a parameter, or find data from other states"
                                .formatted(here.flat().size(), names.size(), here.describe()));
    }

    /** What choices in all states would tell. */
    private static Identification everywhere(ChoiceModel model, double[][] columns, boolean[] available) {
        double[] once = new double[model.states()];
        Arrays.fill(once, 1);
        return Identification.of(
                information(columns, available, once, model.actions().size()),
                model.utility().names());
    }

    /** What the choices tell with so many visits to each state, were all available actions equally likely. */
    private static double[][] information(double[][] columns, boolean[] available, double[] visits, int actions) {
        int p = columns.length;
        double[][] information = new double[p][p];
        for (int s = 0; s < visits.length; s++) {
            double[] mean = new double[p];
            int choices = 0;
            for (int row = s * actions; visits[s] > 0 && row < (s + 1) * actions; row++) {
                if (available[row]) {
                    choices++;
                    Vec.axpy(1, Observations.at(columns, row), mean);
                }
            }
            for (int row = s * actions; choices > 0 && row < (s + 1) * actions; row++) {
                if (available[row]) {
                    double[] z = Observations.at(columns, row);
                    for (int j = 0; j < p; j++) {
                        z[j] -= mean[j] / choices;
                    }
                    Observations.addOuter(visits[s] / choices, z, information);
                }
            }
        }
        return information;
    }
}
