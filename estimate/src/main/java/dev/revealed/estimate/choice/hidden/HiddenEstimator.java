package dev.revealed.estimate.choice.hidden;

import dev.revealed.estimate.Clock;
import dev.revealed.estimate.Estimate;
import dev.revealed.estimate.Search;
import dev.revealed.estimate.Stationarity;
import dev.revealed.estimate.choice.ChoiceProblem;
import dev.revealed.estimate.choice.Clusters;
import dev.revealed.estimate.choice.DataChecks;
import dev.revealed.estimate.choice.Fit;
import dev.revealed.estimate.choice.Identification;
import dev.revealed.estimate.choice.ScoreSearch;
import dev.revealed.estimate.choice.inference.Bootstrap;
import dev.revealed.estimate.choice.inference.ChoiceEstimate;
import dev.revealed.estimate.choice.inference.ChoiceEstimator;
import dev.revealed.estimate.choice.inference.StandardErrors;
import dev.revealed.mdp.choice.Panel;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.Dense;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Vec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Estimates a model with a hidden variable, with all kinds of standard errors. Choices of an individual depend on each other
 * through its path, so that scores are those of individuals. Utility and law are sought together: there is one step.
 */
public record HiddenEstimator(
        RecursiveIntegration method, StandardErrors standardErrors, ChoiceEstimator.Replications replications) {

    public static HiddenEstimator standard() {
        return new HiddenEstimator(
                RecursiveIntegration.standard(), StandardErrors.OPG, ChoiceEstimator.Replications.inMemory(500));
    }

    public HiddenEstimator with(StandardErrors kind) {
        return new HiddenEstimator(method, kind, replications);
    }

    public ChoiceEstimate fit(ChoiceProblem problem, RandomStream stream, ProgressListener listener) {
        Clock clock = new Clock();
        check(problem);
        Fit fit = method.fit(problem, problem.firstStage(), stream, listener);
        return report(problem, fit, clock, stream, listener);
    }

    /** Refuses what could not be counted, before anything is sought. */
    public void check(ChoiceProblem problem) {
        standardErrors.check(problem.panel());
        BadInput.when(
                !problem.model().utility().rules().none(),
                "recursive does not keep to bounds and priors of parameters",
                "Drop the rules from the model.");
    }

    /** How sure one may be of a fit. */
    public ChoiceEstimate report(
            ChoiceProblem problem, Fit fit, Clock clock, RandomStream stream, ProgressListener listener) {
        double cpuSeconds = clock.cpuSeconds();
        double seconds = clock.wallSeconds();
        Panel panel = problem.panel();
        List<String> names = problem.model().parameters();
        double[] x = fit.parameters();
        PathLikelihood likelihood = RecursiveIntegration.likelihood(problem, x);
        likelihood.at(x, true);
        double value = likelihood.value();
        double moves = likelihood.moves();
        double[][] scores = likelihood.scores();
        double[][] outer = likelihood.outer();
        double[] gradient = likelihood.gradient();
        boolean stationary = Stationarity.of(outer, gradient).reached(panel.decisions());
        boolean ended = fit.converged() && stationary;
        boolean curved = standardErrors != StandardErrors.OPG && standardErrors != StandardErrors.BOOTSTRAP;
        Optional<double[][]> curvature = ended && curved ? hessian(likelihood, x, outer) : Optional.of(outer);
        double[][] information = curvature.orElse(outer);
        Identification identification = Identification.of(information, names);
        boolean converged = ended && identification.complete();
        List<String> warnings = new ArrayList<>();
        String status = converged ? fit.status() : fit.status().replaceFirst("^converged", "not converged");
        if (!identification.complete()) {
            warnings.add("the data do not tell apart " + identification.describe()
                    + ": where the hidden variable has no effect its persistence has none either");
        } else if (!converged) {
            warnings.add(status + "; try other starting values");
        }
        Optional<Bootstrap.Result> bootstrap = converged && standardErrors == StandardErrors.BOOTSTRAP
                ? Optional.of(Bootstrap.ofIndividuals(problem.startingAt(), method.beginningAt(x), fit, stream)
                        .run(replications.count(), replications.runner(), listener))
                : Optional.empty();
        bootstrap.ifPresent(result -> warnings.addAll(result.warnings()));
        Optional<double[][]> covariance = !converged || curvature.isEmpty()
                ? Optional.empty()
                : bootstrap.isPresent()
                        ? bootstrap.map(result -> result.covariance(names.size()))
                        : Dense.inverse(information).map(inverse -> covariance(panel, inverse, scores));
        if (covariance.isEmpty()) {
            warnings.add("no standard errors");
        }
        if (standardErrors == StandardErrors.CLUSTER) {
            DataChecks.fewIndividuals(problem).ifPresent(warnings::add);
        }
        double[][] errors = covariance.orElse(new double[0][]);
        Estimate estimate = new Estimate(
                method.name(),
                Estimate.parameters(names, x, errors),
                errors,
                value,
                OptionalDouble.of(value - moves),
                OptionalDouble.of(moves),
                words(panel),
                identification.spectrum(),
                Vec.norm(gradient),
                new Search(
                        fit.search().iterations(),
                        converged,
                        status,
                        fit.search().kernelPasses() + likelihood.passes()),
                cpuSeconds,
                seconds,
                warnings,
                Optional.empty(),
                panel.hash());
        return new ChoiceEstimate(estimate, fit, bootstrap, Optional.empty());
    }

    /** Empty where parameters beside these have no likelihood. */
    private static Optional<double[][]> hessian(PathLikelihood likelihood, double[] x, double[][] outer) {
        try {
            return Optional.of(ScoreSearch.hessian(likelihood, x, outer));
        } catch (ArithmeticException atTheEnd) {
            return Optional.empty();
        }
    }

    private String words(Panel panel) {
        String words = Clusters.named(panel) ? standardErrors.wordsOfClusters() : standardErrors.words();
        return standardErrors == StandardErrors.OPG ? "outer product of the individuals' scores" : words;
    }

    /** The inverse information, or a sandwich around what individuals or clusters contribute. */
    private double[][] covariance(Panel panel, double[][] inverse, double[][] scores) {
        if (standardErrors == StandardErrors.OPG || standardErrors == StandardErrors.HESSIAN) {
            return inverse;
        }
        double[][] influence = Arrays.stream(scores)
                .map(score -> Dense.multiply(inverse, score))
                .toArray(double[][]::new);
        double[][] covariance = Clusters.of(panel).covariance(influence);
        double correction = Clusters.correction(panel);
        for (double[] row : covariance) {
            Arrays.setAll(row, k -> row[k] * correction);
        }
        return covariance;
    }
}
