package dev.revealed.estimate.choice;

import dev.revealed.estimate.Clock;
import dev.revealed.estimate.Estimate;
import dev.revealed.mdp.choice.ChoiceModel;
import dev.revealed.numeric.Dense;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Vec;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Estimates a choice model on a panel: the transition law from the moves, the utility by any method, and how sure one may
 * be of both.
 *
 * @param standardErrors for methods that maximise a likelihood; others bring their own
 */
public record ChoiceEstimator(PanelMethod method, StandardErrors standardErrors) {

    public ChoiceEstimator(PanelMethod method) {
        this(method, StandardErrors.OPG);
    }

    public Estimate fit(ChoiceProblem problem, long seed) {
        return fit(problem, RandomStream.of(seed), ProgressListener.NONE);
    }

    public Estimate fit(ChoiceProblem problem, RandomStream stream, ProgressListener listener) {
        Clock clock = new Clock();
        FirstStage first = problem.firstStage();
        Fit fit = method.fit(problem, first, stream, listener);
        return report(problem, first, fit, clock);
    }

    private Estimate report(ChoiceProblem problem, FirstStage first, Fit fit, Clock clock) {
        double cpuSeconds = clock.cpuSeconds();
        double seconds = clock.wallSeconds();
        boolean joint = fit.phi() != first.phi();
        ChoiceInference inference = new ChoiceInference(problem, first, fit.theta(), fit.phi(), joint);
        List<String> warnings = new ArrayList<>(fit.warnings());
        if (!fit.converged()) {
            warnings.addFirst(fit.status());
        }
        double[][] information = inference.information(standardErrors);
        Dense.Eigen spectrum = ChoiceInference.spectrum(information);
        Optional<double[][]> covariance = fit.influence().isPresent()
                ? Optional.of(ofInfluence(problem, first, fit))
                : inference.covariance(standardErrors, information);
        if (covariance.isEmpty()) {
            warnings.add("no standard errors: the information matrix is singular, so some direction of the parameters"
                    + " leaves no trace in the choices");
        }
        List<String> names = new ArrayList<>(problem.model().utility().names());
        names.addAll(problem.model().law().names());
        double[] values = new double[names.size()];
        System.arraycopy(fit.theta(), 0, values, 0, fit.theta().length);
        System.arraycopy(fit.phi(), 0, values, fit.theta().length, fit.phi().length);
        double choice = inference.choiceLogLikelihood();
        double transition = inference.transitionLogLikelihood();
        ChoiceModel model = problem.model();
        return new Estimate(
                method.name(),
                parameters(names, values, covariance),
                covariance.orElse(new double[0][]),
                model.law().parameters() > 0 ? choice + transition : choice,
                OptionalDouble.of(choice),
                model.law().parameters() > 0 ? OptionalDouble.of(transition) : OptionalDouble.empty(),
                fit.influence().isPresent() ? "influence of each individual, both steps" : standardErrors.words(),
                spectrum.values(),
                Vec.norm(inference.gradient()),
                fit.iterations(),
                fit.converged(),
                fit.status(),
                fit.kernelPasses(),
                cpuSeconds,
                seconds,
                List.copyOf(warnings),
                fit.trace(),
                Optional.empty(),
                problem.panel().choices().hash());
    }

    private static List<Estimate.Parameter> parameters(
            List<String> names, double[] values, Optional<double[][]> covariance) {
        List<Estimate.Parameter> parameters = new ArrayList<>();
        for (int j = 0; j < values.length; j++) {
            double variance = covariance.isEmpty() || j >= covariance.get().length
                    ? Double.NaN
                    : covariance.get()[j][j];
            parameters.add(new Estimate.Parameter(
                    names.get(j),
                    values[j],
                    variance >= 0 ? OptionalDouble.of(Math.sqrt(variance)) : OptionalDouble.empty()));
        }
        return List.copyOf(parameters);
    }

    /** Covariance of (theta, phi) from what each individual contributes, with what simulation adds. */
    private static double[][] ofInfluence(ChoiceProblem problem, FirstStage first, Fit fit) {
        double[][] own = fit.influence().orElseThrow();
        int p = fit.theta().length;
        int shown = fit.phi().length <= ChoiceInference.MOST_LAW_PARAMETERS ? fit.phi().length : 0;
        double[][] law = shown == 0 ? new double[own.length][0] : ChoiceInference.lawInfluence(problem, first);
        double[][] covariance = new double[p + shown][p + shown];
        for (int i = 0; i < own.length; i++) {
            double[] both = java.util.Arrays.copyOf(own[i], p + shown);
            System.arraycopy(law[i], 0, both, p, shown);
            Observations.addOuter(1, both, covariance);
        }
        fit.simulation().ifPresent(extra -> {
            for (int j = 0; j < p; j++) {
                Vec.axpy(1, extra[j], covariance[j]);
            }
        });
        return covariance;
    }
}
