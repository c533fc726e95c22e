package dev.revealed.estimate.choice;

import dev.revealed.estimate.Clock;
import dev.revealed.estimate.Estimate;
import dev.revealed.mdp.choice.ChoiceModel;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Vec;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;

/**
 * Estimates a choice model on a panel: the transition law from the moves, the utility by any method, how sure one may be
 * of both, and what is wrong with the data if something is.
 *
 * @param standardErrors for methods that maximise a likelihood; others bring their own, unless it is the bootstrap
 * @param replications of the bootstrap
 */
public record ChoiceEstimator(PanelMethod method, StandardErrors standardErrors, Replications replications) {

    /** How many bootstrap replications, and where they are kept, given what they depend on in a few letters. */
    public record Replications(int count, Function<String, Bootstrap.Store> store) {
        public static Replications inMemory(int count) {
            return new Replications(count, fingerprint -> Bootstrap.Store.inMemory());
        }
    }

    public ChoiceEstimator(PanelMethod method) {
        this(method, StandardErrors.OPG);
    }

    public ChoiceEstimator(PanelMethod method, StandardErrors standardErrors) {
        this(method, standardErrors, Replications.inMemory(500));
    }

    public Estimate fit(ChoiceProblem problem, long seed) {
        return fit(problem, RandomStream.of(seed), ProgressListener.NONE);
    }

    public Estimate fit(ChoiceProblem problem, RandomStream stream, ProgressListener listener) {
        Clock clock = new Clock();
        FirstStage first = problem.firstStage();
        Fit fit = method.fit(problem, first, stream, listener);
        double cpuSeconds = clock.cpuSeconds();
        double seconds = clock.wallSeconds();
        ChoiceModel model = problem.model();
        boolean joint = fit.kind() == Fit.Kind.FULL_LIKELIHOOD;
        boolean likelihood = fit.kind() != Fit.Kind.OTHER;
        List<String> names = new ArrayList<>(model.utility().names());
        names.addAll(model.law().names());
        List<String> warnings = new ArrayList<>(fit.warnings());
        DataChecks.Findings findings = DataChecks.examine(problem, fit.theta(), fit.phi());
        if (!fit.converged() && !findings.noMaximum()) { // else there is nothing that more trying could find
            warnings.addFirst(fit.status());
        }
        warnings.addAll(findings.warnings());
        ChoiceInference inference = new ChoiceInference(problem, first, fit.theta(), fit.phi(), joint);
        // Away from the maximum of the likelihood its Hessian need not be positive; outer products always are.
        double[][] information = inference.information(likelihood ? standardErrors : StandardErrors.OPG);
        Identification identification =
                Identification.of(information, joint ? names : model.utility().names());
        Optional<double[][]> covariance = findings.noMaximum() || !identification.complete()
                ? Optional.empty()
                : standardErrors == StandardErrors.BOOTSTRAP
                        ? Optional.of(bootstrap(problem, fit, stream, listener, warnings))
                        : likelihood
                                ? inference.covariance(standardErrors, information)
                                : fit.influence().map(own -> ofInfluence(problem, first, fit, own));
        if (covariance.isEmpty()) {
            warnings.add(
                    findings.noMaximum()
                            ? "no standard errors, since there is no maximum to be sure of"
                            : identification.complete()
                                    ? "no standard errors: what each individual contributes could not be told apart"
                                    : "no standard errors: the information is singular along "
                                            + identification.describe());
        }
        if (!likelihood && (standardErrors == StandardErrors.HESSIAN || standardErrors == StandardErrors.SANDWICH)) {
            warnings.add(
                    "%s maximises no likelihood, so its standard errors are not %s but from each individual's influence"
                            .formatted(method.name(), standardErrors.words()));
        }
        if (standardErrors == StandardErrors.CLUSTER || !likelihood) {
            DataChecks.fewIndividuals(problem).ifPresent(warnings::add);
        }
        double[] values = new double[names.size()];
        System.arraycopy(fit.theta(), 0, values, 0, fit.theta().length);
        System.arraycopy(fit.phi(), 0, values, fit.theta().length, fit.phi().length);
        double choice = inference.choiceLogLikelihood();
        double transition = inference.transitionLogLikelihood();
        return new Estimate(
                method.name(),
                parameters(names, values, covariance),
                covariance.orElse(new double[0][]),
                model.law().parameters() > 0 ? choice + transition : choice,
                OptionalDouble.of(choice),
                model.law().parameters() > 0 ? OptionalDouble.of(transition) : OptionalDouble.empty(),
                !likelihood && standardErrors != StandardErrors.BOOTSTRAP
                        ? "influence of each individual, both steps"
                        : standardErrors.words(),
                findings.noMaximum() ? new double[0] : identification.spectrum(),
                Vec.norm(inference.gradient()),
                fit.iterations(),
                fit.converged() && !findings.noMaximum(),
                fit.status(),
                fit.kernelPasses(),
                cpuSeconds,
                seconds,
                List.copyOf(warnings),
                fit.trace(),
                Optional.empty(),
                problem.panel().choices().hash());
    }

    private double[][] bootstrap(
            ChoiceProblem problem, Fit fit, RandomStream stream, ProgressListener listener, List<String> warnings) {
        Bootstrap bootstrap = Bootstrap.ofIndividuals(problem, method, fit, stream);
        Bootstrap.Result result =
                bootstrap.run(replications.count(), replications.store().apply(bootstrap.fingerprint()), listener);
        warnings.addAll(result.warnings());
        int p = fit.theta().length;
        int q = fit.phi().length;
        return result.covariance(q <= ChoiceInference.MOST_LAW_PARAMETERS ? p + q : p);
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
    private static double[][] ofInfluence(ChoiceProblem problem, FirstStage first, Fit fit, double[][] own) {
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
                for (int k = 0; k < p; k++) {
                    covariance[j][k] += extra[j][k];
                }
            }
        });
        return covariance;
    }
}
