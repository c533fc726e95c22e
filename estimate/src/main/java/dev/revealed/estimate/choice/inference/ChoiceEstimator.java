package dev.revealed.estimate.choice.inference;

import dev.revealed.estimate.Clock;
import dev.revealed.estimate.Estimate;
import dev.revealed.estimate.Search;
import dev.revealed.estimate.choice.ChoiceProblem;
import dev.revealed.estimate.choice.Clusters;
import dev.revealed.estimate.choice.DataChecks;
import dev.revealed.estimate.choice.FirstStage;
import dev.revealed.estimate.choice.Fit;
import dev.revealed.estimate.choice.Identification;
import dev.revealed.estimate.choice.PanelMethod;
import dev.revealed.estimate.choice.likelihood.NestedFixedPoint;
import dev.revealed.mdp.Reward;
import dev.revealed.mdp.choice.ChoiceModel;
import dev.revealed.mdp.choice.Panel;
import dev.revealed.mdp.rules.ParameterRules;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Vec;
import dev.revealed.numeric.task.TaskRunner;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Estimates a choice model on a panel: the transition law from the moves, the utility by any method, how sure one may be
 * of both, and what is wrong with the data if something is.
 *
 * @param standardErrors for methods that maximise a likelihood; others bring their own, unless it is the bootstrap
 * @param replications of the bootstrap
 * @param restarts whether a search that finds no maximum begins again elsewhere, and by other algorithms
 */
public record ChoiceEstimator(
        PanelMethod method, StandardErrors standardErrors, Replications replications, boolean restarts) {

    /** How many bootstrap replications, and who sees to them. */
    public record Replications(int count, TaskRunner runner) {
        public static Replications inMemory(int count) {
            return new Replications(count, TaskRunner.THREADS);
        }
    }

    public ChoiceEstimator(PanelMethod method) {
        this(method, StandardErrors.OPG);
    }

    public ChoiceEstimator(PanelMethod method, StandardErrors standardErrors) {
        this(method, standardErrors, Replications.inMemory(500));
    }

    public ChoiceEstimator(PanelMethod method, StandardErrors standardErrors, Replications replications) {
        this(method, standardErrors, replications, true);
    }

    /** One search only, wherever it ends. */
    public ChoiceEstimator withoutRestarts() {
        return new ChoiceEstimator(method, standardErrors, replications, false);
    }

    public ChoiceEstimate fit(ChoiceProblem problem, long seed) {
        return fit(problem, RandomStream.of(seed), ProgressListener.NONE);
    }

    public ChoiceEstimate fit(ChoiceProblem problem, RandomStream stream, ProgressListener listener) {
        check(problem, method, standardErrors);
        Clock clock = new Clock();
        FirstStage first = problem.firstStage();
        CheckedSearch search = new CheckedSearch(problem, first, method, stream, listener);
        Fit fit = search.fitIdentified(restarts);
        double cpuSeconds = clock.cpuSeconds();
        double seconds = clock.wallSeconds();
        ChoiceModel model = problem.model();
        boolean joint = fit.kind() == Fit.Kind.FULL_LIKELIHOOD;
        boolean likelihood = fit.kind() != Fit.Kind.OTHER;
        boolean bootstraps = standardErrors == StandardErrors.BOOTSTRAP;
        List<String> names = model.parameters();
        List<String> warnings = new ArrayList<>(fit.warnings());
        DataChecks.Findings findings;
        ChoiceInference inference;
        try {
            findings = model.utility().rules().none()
                    ? findings(problem, first, fit, stream)
                    : new DataChecks.Findings(false, List.of());
            inference = new ChoiceInference(problem, first, fit.theta(), fit.phi(), joint);
        } catch (ArithmeticException unsolved) {
            throw new BadInput(
                    "%s ended at parameters where the model cannot be solved".formatted(method.name()),
                    DataChecks.unchosen(problem)
                            .map(why -> "In the panel " + why + ": find data in which decisions vary.")
                            .orElse("Use nfxp, or other starting values."));
        }
        if (findings.noMaximum()) { // a score says nothing where the likelihood rises without end
            fit.score().ifPresent(score -> warnings.remove(score.warning()));
        }
        warnings.addAll(findings.warnings());
        // Away from the maximum of the likelihood its Hessian need not be positive; outer products always are.
        boolean atMaximum = likelihood && fit.converged();
        double[][] information = inference.information(atMaximum ? standardErrors : StandardErrors.OPG);
        int[] free = inference.free();
        Identification identification = Identification.of(
                ParameterRules.part(information, free),
                CheckedSearch.some(joint ? names : model.utility().names(), free));
        for (int j = 0; j < fit.theta().length; j++) {
            int at = j;
            if (Arrays.stream(free).noneMatch(k -> k == at)) {
                warnings.add("%s is at its bound %s: it has no standard error, and those of the others hold given it"
                        .formatted(names.get(j), fit.theta()[j]));
            }
        }
        if (model.utility().rules().penalised()) {
            warnings.add("parameters have priors: estimates are modes of the posterior, and standard errors count the"
                    + " priors as data");
        }
        // Without a maximum, or with many, there is nothing that more trying could find.
        if (!fit.converged() && !findings.noMaximum() && identification.complete()) {
            warnings.addFirst(fit.status());
        }
        double choice = inference.choiceLogLikelihood();
        Optional<String> worse = DataChecks.worseThanUniform(problem, choice);
        boolean useless = !likelihood && worse.isPresent();
        boolean known = fit.converged() && !findings.noMaximum() && identification.complete() && !useless;
        Optional<Bootstrap.Result> bootstrap =
                known && bootstraps ? Optional.of(bootstrap(problem, fit, stream, listener)) : Optional.empty();
        bootstrap.ifPresent(result -> warnings.addAll(result.warnings()));
        Optional<double[][]> covariance = !known
                ? Optional.empty()
                : bootstraps
                        ? bootstrap.map(result -> result.covariance(fit.theta().length + shown(fit)))
                        : likelihood
                                ? inference.covariance(standardErrors, information)
                                : fit.covariance()
                                        .or(() -> fit.influence().map(own -> ofInfluence(problem, first, fit, own)));
        if (covariance.isEmpty()) {
            warnings.add(
                    findings.noMaximum()
                            ? "no standard errors, since there is no maximum to be sure of"
                            : !identification.complete()
                                    ? "no standard errors: the information is singular along "
                                            + identification.describe()
                                    : !fit.converged() || useless
                                            ? "no standard errors, since the search has not converged"
                                            : "no standard errors: what each individual contributes could not be told apart");
        }
        if (!likelihood && (standardErrors == StandardErrors.HESSIAN || standardErrors == StandardErrors.SANDWICH)) {
            warnings.add(
                    "%s maximises no likelihood, so its standard errors are not %s but from each individual's influence"
                            .formatted(method.name(), standardErrors.words()));
        }
        if (standardErrors == StandardErrors.CLUSTER || !likelihood) {
            DataChecks.fewIndividuals(problem).ifPresent(warnings::add);
        }
        worse.ifPresent(warnings::add);
        boolean moves = model.law().parameters() > 0;
        double transition = inference.transitionLogLikelihood();
        double[][] errors = covariance.orElse(new double[0][]);
        Estimate estimate = new Estimate(
                search.method(),
                Estimate.parameters(names, fit.parameters(), errors),
                errors,
                moves ? choice + transition : choice,
                OptionalDouble.of(choice),
                moves ? OptionalDouble.of(transition) : OptionalDouble.empty(),
                likelihood || bootstraps ? words(problem) : "influence of each individual, both steps",
                findings.noMaximum() ? new double[0] : identification.spectrum(),
                Vec.norm(inference.gradient()),
                ended(fit, findings, identification, useless),
                cpuSeconds,
                seconds,
                warnings,
                Optional.empty(),
                problem.panel().hash());
        return new ChoiceEstimate(estimate, fit, bootstrap, Optional.empty());
    }

    /**
     * What is wrong with the data. A method that maximises no likelihood stops short where the likelihood rises without
     * end; where its estimate gives reason to, a search of the likelihood looks whether it does.
     */
    private static DataChecks.Findings findings(ChoiceProblem problem, FirstStage first, Fit fit, RandomStream stream) {
        DataChecks.Findings here = DataChecks.examine(problem, fit.theta(), fit.phi());
        boolean doubtful = DataChecks.unchosen(problem).isPresent()
                || fit.score().filter(score -> !score.passed()).isPresent();
        if (here.noMaximum() || fit.kind() != Fit.Kind.OTHER || !doubtful) {
            return here;
        }
        try {
            double[] climbed = NestedFixedPoint.standard()
                    .fit(problem.startingAt(), first, stream, ProgressListener.NONE)
                    .theta();
            DataChecks.Findings there = DataChecks.examine(problem, climbed, fit.phi());
            return there.noMaximum() ? there : here;
        } catch (ArithmeticException unsolved) {
            return here;
        }
    }

    /** Refuses what a method or a kind of standard errors does not know of the panel, rather than ignore it. */
    private static void check(ChoiceProblem problem, PanelMethod method, StandardErrors kind) {
        Panel panel = problem.panel();
        problem.refuseHidden();
        if (!method.heedsShocks()) {
            problem.model().needLogit(method.name());
        }
        checkUtility(problem.model().utility(), method);
        BadInput.when(
                panel.weighted() && !method.heedsWeights(),
                "%s does not know weights, and the panel has some".formatted(method.name()),
                "Use nfxp, ml-irl, mpec, npl, ccp, hmss or bbl, or estimate without weights.");
        if (!method.heedsMissing()) { // before gaps, which missing actions leave as well
            panel.needActions(method.name());
        }
        BadInput.when(
                panel.hasGaps() && !method.heedsGaps(),
                "%s needs individuals without gaps, and the panel has some".formatted(method.name()),
                "Use nfxp, ml-irl, mpec, npl or ccp, or give stretches after a gap names of their own.");
        kind.check(panel);
    }

    private static void checkUtility(Reward utility, PanelMethod method) {
        BadInput.when(
                !utility.linear() && !method.heedsNonlinear(),
                "%s needs a utility that is linear in its parameters".formatted(method.name()),
                "Use nfxp or ml-irl, or write the utility as a sum of parameters times known terms.");
        BadInput.when(
                !utility.rules().none() && !method.heedsRules(),
                "%s does not keep to bounds and priors of parameters".formatted(method.name()),
                "Use nfxp with `search` scoring or bhhh, or drop the rules from the model.");
    }

    /** Converged means a maximum, and the only one nearby. */
    private static Search ended(Fit fit, DataChecks.Findings findings, Identification identification, boolean useless) {
        if (!fit.converged()) {
            return fit.search();
        } else if (useless) {
            return fit.search().ended(false, "not converged: the choices are less likely than by chance");
        } else if (findings.noMaximum()) {
            return fit.search().ended(false, "not converged: the likelihood has no maximum");
        } else if (!identification.complete()) {
            return fit.search()
                    .ended(
                            false,
                            "not converged: many parameters are equally likely, along " + identification.describe());
        }
        return fit.search();
    }

    private Bootstrap.Result bootstrap(ChoiceProblem problem, Fit fit, RandomStream stream, ProgressListener listener) {
        Bootstrap bootstrap = Bootstrap.ofIndividuals(problem.startingAt(), method, fit, stream);
        return bootstrap.run(replications.count(), replications.runner(), listener);
    }

    /** What the standard errors are, and whom they are clustered by. */
    private String words(ChoiceProblem problem) {
        return Clusters.named(problem.panel()) ? standardErrors.wordsOfClusters() : standardErrors.words();
    }

    private static int shown(Fit fit) {
        return FirstStage.shown(fit.phi());
    }

    /** Covariance of (theta, phi) from what each individual contributes, with what simulation adds. */
    private static double[][] ofInfluence(ChoiceProblem problem, FirstStage first, Fit fit, double[][] own) {
        int p = fit.theta().length;
        int shown = shown(fit);
        double[][] law = shown == 0 ? new double[own.length][0] : first.influence(problem);
        double[][] both = new double[own.length][];
        Arrays.setAll(both, i -> Vec.joined(own[i], law[i]));
        double[][] covariance = Clusters.of(problem.panel()).covariance(both);
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
