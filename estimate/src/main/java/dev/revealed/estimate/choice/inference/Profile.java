package dev.revealed.estimate.choice.inference;

import dev.revealed.estimate.choice.ChoiceProblem;
import dev.revealed.estimate.choice.FirstStage;
import dev.revealed.estimate.choice.Fit;
import dev.revealed.estimate.choice.PanelMethod;
import dev.revealed.mdp.Likelihood;
import dev.revealed.mdp.choice.ChoiceModel;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.stats.ChiSquared;
import dev.revealed.numeric.task.TaskList;
import dev.revealed.numeric.task.TaskRunner;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.function.Supplier;

/**
 * The likelihood of the choices along the values of one parameter, or of the discount, where all others are chosen anew for
 * each value. Values whose likelihood ratio to the best does not reject them are an interval that needs no standard error.
 *
 * @param points in the order of their values
 * @param low end of the interval, the smallest value that is not rejected at 5 %
 * @param high its other end
 * @param flat whether no value is rejected, so that the data tell nothing of the parameter in this range
 */
public record Profile(String parameter, List<Point> points, double best, double low, double high, boolean flat) {
    private static final double REJECTED = 0.05;

    /** @param converged whether the others were found */
    public record Point(double value, double logLikelihood, boolean converged) {}

    /** A profile that is asked for: the likelihood at each value is a task of its own. */
    public record Request(String parameter, double[] values, IntFunction<Point> at) {}

    /** Along discounts. */
    public static Request ofDiscount(ChoiceProblem problem, PanelMethod method, double[] values, RandomStream stream) {
        FirstStage first = problem.firstStage();
        return new Request("discount", values, i -> {
            double[] start = problem.startGiven() && i > 0 ? problem.start() : new double[0];
            ChoiceModel model = problem.model().withDiscount(BadInput.discount(values[i]));
            return point(new ChoiceProblem(model, problem.panel(), start), method, first, values[i], stream.at(i));
        });
    }

    private static Point point(
            ChoiceProblem problem, PanelMethod method, FirstStage first, double value, RandomStream stream) {
        try {
            Fit fit = new CheckedSearch(problem, first, method, stream, ProgressListener.NONE).fit(true);
            double[] logPolicy = problem.model().solve(fit.theta(), fit.phi()).logPolicy();
            return new Point(value, Likelihood.weightedSum(problem.choiceCounts(), logPolicy), fit.converged());
        } catch (ArithmeticException unsolved) {
            return new Point(value, Double.NaN, false);
        }
    }

    /** Along a parameter of the utility, given the fit without restrictions. */
    public static Request of(
            ChoiceProblem problem,
            PanelMethod method,
            Fit fit,
            String parameter,
            double[] values,
            RandomStream stream) {
        List<String> names = problem.model().utility().names();
        FirstStage first = problem.firstStage();
        double moves = FirstStage.logLikelihood(problem.model().law(), first.moves(), fit.phi());
        return new Request(parameter, values, i -> {
            Hypothesis fixed = Hypothesis.parse(String.format(Locale.ROOT, "%s = %.17g", parameter, values[i]), names);
            LikelihoodRatio ratio =
                    LikelihoodRatio.test(problem, method, fit, fixed, stream.at(i), ProgressListener.NONE);
            boolean converged = ratio.test().warnings().isEmpty();
            return new Point(values[i], ratio.restrictedLogLikelihood() - moves, converged);
        });
    }

    /**
     * The profiles that are asked for, all their values in one list of tasks.
     *
     * @param inputs what they depend on, see {@link TaskList}
     */
    public static List<Profile> of(
            List<Request> requests, String inputs, TaskRunner runner, ProgressListener listener) {
        List<Supplier<Point>> tasks = new ArrayList<>();
        for (Request request : requests) {
            for (int i = 0; i < request.values.length; i++) {
                int value = i;
                tasks.add(() -> request.at.apply(value));
            }
        }
        List<Point> points = runner.run(
                new TaskList<>(
                        "profile",
                        inputs,
                        Point.class,
                        tasks.size(),
                        k -> tasks.get(k).get()),
                listener);
        List<Profile> profiles = new ArrayList<>();
        int from = 0;
        for (Request request : requests) {
            profiles.add(of(request.parameter, points.subList(from, from + request.values.length)));
            from += request.values.length;
        }
        return profiles;
    }

    private static Profile of(String parameter, List<Point> points) {
        Optional<Point> best = points.stream()
                .filter(Point::converged)
                .reduce((one, other) -> one.logLikelihood >= other.logLikelihood ? one : other);
        if (best.isEmpty()) {
            throw new BadInput(
                    "no value of %s has a likelihood with a maximum".formatted(parameter),
                    "Try other values, or look at the estimate without a profile.");
        }
        double[] kept = points.stream()
                .filter(Point::converged)
                .filter(point ->
                        ChiSquared.upperTail(2 * (best.get().logLikelihood - point.logLikelihood), 1) >= REJECTED)
                .mapToDouble(Point::value)
                .toArray();
        return new Profile(
                parameter,
                List.copyOf(points),
                best.get().value,
                Arrays.stream(kept).min().orElse(Double.NaN),
                Arrays.stream(kept).max().orElse(Double.NaN),
                kept.length == points.stream().filter(Point::converged).count());
    }

    /** What to say of it. */
    public String describe() {
        double first = points.getFirst().value;
        double last = points.getLast().value;
        return flat
                ? "The likelihood is flat in %s between %s and %s: the data do not tell it, so fix it at a value that is known."
                        .formatted(parameter, plain(first), plain(last))
                : "Profile of %s: largest at %s; not rejected at 5 %% from %s%s to %s%s."
                        .formatted(
                                parameter,
                                plain(best),
                                plain(low),
                                low <= first ? " (the first value)" : "",
                                plain(high),
                                high >= last ? " (the last value)" : "");
    }

    private static String plain(double value) {
        return String.format(Locale.ROOT, "%.6g", value)
                .replaceFirst("(\\.\\d*?)0+$", "$1")
                .replaceFirst("\\.$", "");
    }
}
