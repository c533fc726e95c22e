package dev.revealed.estimate.offline;

import dev.revealed.estimate.Estimator;
import dev.revealed.estimate.ExactLikelihood;
import dev.revealed.estimate.Problem;
import dev.revealed.mdp.Demonstrations;
import dev.revealed.mdp.Trajectory;
import dev.revealed.mdp.offline.LoggedDynamics;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Vec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Chooses how much uncertainty is penalised, without looking at any reward: by the likelihood of choices in trajectories
 * that were held out. Takes the smallest caution that does not do worse than the best one by more than a standard error, so
 * that a penalty is paid only where the data ask for one. A candidate with which some part of the demonstrations has no
 * maximum of the likelihood is left out.
 *
 * @param candidates in ascending order
 * @param folds parts of the demonstrations, each held out in turn
 */
public record CautionChoice(List<Double> candidates, int folds) {
    public static final CautionChoice STANDARD = new CautionChoice(List.of(0.0, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0), 5);

    public CautionChoice {
        candidates = List.copyOf(candidates);
        BadInput.when(candidates.isEmpty(), "there is no caution to choose from", "Give at least one.");
        BadInput.when(folds < 2, "%d folds".formatted(folds), "Give at least 2.");
    }

    /**
     * How one candidate did.
     *
     * @param heldOutLogLikelihood of all decisions, each when its trajectory was held out
     * @param shortfall how much less that is than the best candidate's
     * @param standardError of the shortfall, over trajectories
     */
    public record Score(double caution, double heldOutLogLikelihood, double shortfall, double standardError) {}

    /** The caution taken, and how each candidate did. */
    public record Chosen(double caution, List<Score> scores) {}

    public Chosen choose(OfflineProblem problem, Estimator estimator, RandomStream stream, ProgressListener listener) {
        int n = problem.demonstrations().size();
        BadInput.when(
                n < 2 || !problem.demonstrations().hasActions(),
                n < 2
                        ? "a single trajectory leaves none to hold out, by which the caution is chosen"
                        : "the demonstrations hold no actions, by whose likelihood the caution is chosen",
                "Give a number, for example `caution` 0.");
        List<Integer> order = new ArrayList<>(IntStream.range(0, n).boxed().toList());
        Collections.shuffle(order, stream.named("folds"));
        int parts = Math.min(folds, n);
        double[][] likelihood = new double[candidates.size()][n];
        @Nullable RuntimeException failure = null;
        for (int fold = 0; fold < parts; fold++) {
            List<Integer> heldOut = order.subList(fold * n / parts, (fold + 1) * n / parts);
            Set<Integer> aside = Set.copyOf(heldOut);
            List<Trajectory> kept = IntStream.range(0, n)
                    .filter(i -> !aside.contains(i))
                    .mapToObj(problem.demonstrations().trajectories()::get)
                    .toList();
            OfflineProblem training = problem.withDemonstrations(new Demonstrations(kept));
            LoggedDynamics dynamics = training.dynamics();
            for (int c = 0; c < likelihood.length; c++) {
                if (likelihood[c][order.getFirst()] == Double.NEGATIVE_INFINITY) {
                    continue;
                }
                listener.progress("caution", (long) fold * likelihood.length + c, (long) parts * likelihood.length);
                Problem fitted = training.withCaution(candidates.get(c)).problem(dynamics);
                double[] logPolicy;
                try {
                    logPolicy = logPolicy(fitted, estimator, stream.named("search"));
                } catch (BadInput | ArithmeticException e) { // no maximum: this caution is out
                    failure = failure == null ? e : failure;
                    Arrays.fill(likelihood[c], Double.NEGATIVE_INFINITY);
                    continue;
                }
                for (int i : heldOut) {
                    Trajectory one = problem.demonstrations().trajectories().get(i);
                    likelihood[c][i] = logLikelihood(one, fitted.mdp().actions(), logPolicy);
                }
            }
        }
        if (failure != null && Arrays.stream(likelihood).allMatch(each -> each[0] == Double.NEGATIVE_INFINITY)) {
            throw failure;
        }
        return choose(likelihood);
    }

    private static double logLikelihood(Trajectory one, int actions, double[] logPolicy) {
        int[] chosen = one.actions();
        double sum = 0;
        for (int t = 0; chosen != null && t < chosen.length; t++) {
            sum += logPolicy[one.states()[t] * actions + chosen[t]];
        }
        return sum;
    }

    private static double[] logPolicy(Problem problem, Estimator estimator, RandomStream stream) {
        double[] theta = estimator.fit(problem, stream, ProgressListener.NONE).theta();
        ExactLikelihood exact = new ExactLikelihood(problem, problem.process());
        exact.value(theta);
        return exact.policy().logPolicy();
    }

    /** @param likelihood {@code [candidate][trajectory]} */
    private Chosen choose(double[][] likelihood) {
        int best = 0;
        for (int c = 1; c < likelihood.length; c++) {
            best = Vec.sum(likelihood[c]) > Vec.sum(likelihood[best]) ? c : best;
        }
        List<Score> scores = new ArrayList<>();
        double caution = Double.NaN;
        for (int c = 0; c < likelihood.length; c++) {
            if (likelihood[c][0] == Double.NEGATIVE_INFINITY) {
                continue;
            }
            double[] missed = Vec.plus(likelihood[best], -1, likelihood[c]);
            double shortfall = Vec.sum(missed);
            double error = missed.length * Vec.standardError(missed);
            scores.add(new Score(candidates.get(c), Vec.sum(likelihood[c]), shortfall, error));
            if (Double.isNaN(caution) && shortfall <= error) {
                caution = candidates.get(c);
            }
        }
        return new Chosen(caution, scores);
    }
}
