package dev.revealed.estimate.choice.inference;

import dev.revealed.estimate.Search;
import dev.revealed.estimate.choice.ChoiceProblem;
import dev.revealed.estimate.choice.FirstStage;
import dev.revealed.estimate.choice.Fit;
import dev.revealed.estimate.choice.Observations;
import dev.revealed.estimate.choice.PanelMethod;
import dev.revealed.estimate.choice.RowScores;
import dev.revealed.mdp.choice.ChoiceModel;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.numeric.RandomStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The likelihood-ratio test: the model is fitted once more with the parameters held to the hypothesis. The likelihood is
 * that of choices and moves together, of which the moves cancel where the transition law was estimated beforehand.
 *
 * @param theta parameters of the utility that satisfy the hypothesis, all of them
 * @param phi parameters of the law that go with them
 */
public record LikelihoodRatio(
        TestResult test, double[] theta, double[] phi, double logLikelihood, double restrictedLogLikelihood) {

    /** How far below zero rounding may take a ratio that is zero. */
    private static final double ROUNDING = 1e-6;

    /**
     * @param fit what the same method found without the hypothesis
     * @param hypothesis on the parameters of the utility, with or without those of the law behind them
     */
    public static LikelihoodRatio test(
            ChoiceProblem problem,
            PanelMethod method,
            Fit fit,
            Hypothesis hypothesis,
            RandomStream stream,
            ProgressListener listener) {
        if (fit.kind() == Fit.Kind.OTHER) {
            throw new BadInput(
                    "a likelihood-ratio test needs maximum likelihood, which %s is not".formatted(method.name()),
                    "Use a Wald test, or estimate by nfxp, ml-irl, npl or mpec.");
        }
        ChoiceModel model = problem.model();
        BadInput.when(
                !model.utility().rules().none(),
                "a likelihood-ratio test does not hold with bounds or priors of parameters",
                "Use the Wald test, or drop the rules from the model.");
        Hypothesis own = hypothesis.onFirst(model.utility().parameters());
        RestrictedReward utility = new RestrictedReward(model.utility(), own);
        ChoiceProblem restricted = new ChoiceProblem(model.withUtility(utility), problem.panel());
        FirstStage first = problem.firstStage();
        boolean nothingLeft = utility.parameters() == 0 && Arrays.equals(fit.phi(), first.phi());
        Fit held = nothingLeft
                ? Fit.likelihood(
                        new double[0], first.phi(), new Search(0, true, "the hypothesis leaves nothing to estimate", 0))
                : new CheckedSearch(restricted, first, method, stream, listener).fit(true);
        double[] theta = utility.theta(held.theta());
        double with = logLikelihood(problem, first, theta, held.phi());
        double without = logLikelihood(problem, first, fit.theta(), fit.phi());
        List<String> warnings = new ArrayList<>();
        if (!fit.converged()) {
            warnings.add("the fit without the hypothesis did not converge: " + fit.status());
        }
        if (!held.converged()) {
            warnings.add("the fit under the hypothesis did not converge: " + held.status());
        }
        double statistic = 2 * (without - with);
        if (statistic < -ROUNDING) {
            warnings.add(
                    "the likelihood is larger by %.3g under the hypothesis: %s has not found the maximum without it; try other starting values or another method"
                            .formatted(with - without, method.name()));
        }
        return new LikelihoodRatio(
                TestResult.of("likelihood ratio", hypothesis, Math.max(0, statistic), warnings),
                theta,
                held.phi(),
                without,
                with);
    }

    private static double logLikelihood(ChoiceProblem problem, FirstStage first, double[] theta, double[] phi) {
        ChoiceModel model = problem.model();
        RowScores solved = new RowScores(model, problem.choiceCounts(), phi, false);
        return solved.solve(theta)
                + Observations.of(model.law(), problem.panel()).unseenLogLikelihood(model.law(), solved)
                + FirstStage.logLikelihood(model.law(), first.moves(), phi);
    }
}
