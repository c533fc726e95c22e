package dev.revealed.estimate.choice.mixed;

import dev.revealed.estimate.Clock;
import dev.revealed.estimate.Estimate;
import dev.revealed.estimate.choice.ChoiceProblem;
import dev.revealed.estimate.choice.Clusters;
import dev.revealed.estimate.choice.DataChecks;
import dev.revealed.estimate.choice.DifferencedHessian;
import dev.revealed.estimate.choice.FirstStage;
import dev.revealed.estimate.choice.Fit;
import dev.revealed.estimate.choice.Identification;
import dev.revealed.estimate.choice.Observations;
import dev.revealed.estimate.choice.inference.Bootstrap;
import dev.revealed.estimate.choice.inference.ChoiceEstimate;
import dev.revealed.estimate.choice.inference.ChoiceEstimator;
import dev.revealed.estimate.choice.inference.StandardErrors;
import dev.revealed.estimate.choice.types.TypesEstimator;
import dev.revealed.mdp.choice.ChoiceModel;
import dev.revealed.mdp.choice.Panel;
import dev.revealed.mdp.rules.ParameterRules;
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
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Estimates a model whose individuals differ, with all kinds of standard errors. The transition law is that of all, and
 * comes from the moves beforehand; its error is part of the errors of the rest.
 *
 * @param standardErrors outer products and sandwiches are sums over individuals or clusters: choices of one individual
 *     depend on each other through what is not seen of it
 */
public record MixedEstimator(
        Population population,
        StandardErrors standardErrors,
        ChoiceEstimator.Replications replications,
        int starts,
        int iterations) {

    /** A discount is told apart from its neighbours where its standard error is below this. */
    private static final double FLAT = 0.25;

    /** As near to 0 or 1 the logit scale, on which a discount is sought, is flat whatever the data. */
    private static final double END = 0.01;

    private static final double TOLERANCE = 1e-9;

    public static MixedEstimator of(Population population) {
        return new MixedEstimator(population, StandardErrors.OPG, ChoiceEstimator.Replications.inMemory(500), 3, 100);
    }

    public MixedEstimator with(StandardErrors kind) {
        return new MixedEstimator(population, kind, replications, starts, iterations);
    }

    public ChoiceEstimate fit(ChoiceProblem problem, long seed) {
        return fit(problem, RandomStream.of(seed), ProgressListener.NONE);
    }

    public ChoiceEstimate fit(ChoiceProblem problem, RandomStream stream, ProgressListener listener) {
        check(problem);
        Clock clock = new Clock();
        FirstStage first = problem.firstStage();
        MixedMethod method = method(startOfTypes(problem, stream, listener));
        Fit fit = method.fit(problem, first, stream, listener);
        return new Report(problem, first, method(fit.theta()), fit, clock).estimate(stream, listener);
    }

    private MixedMethod method(double[] start) {
        return new MixedMethod(population, start, starts, iterations, TOLERANCE);
    }

    /** Types begin where EM ends, which knows many starts. */
    private double[] startOfTypes(ChoiceProblem problem, RandomStream stream, ProgressListener listener) {
        boolean plain = population.types() > 1
                && population.interactions().isEmpty()
                && !population.discount()
                && problem.model().isLogit();
        return plain
                ? TypesEstimator.of(population.types(), population.specific().toArray(String[]::new))
                        .fit(problem.withPanel(equal(problem.panel())), stream, listener)
                        .fit()
                        .theta()
                : new double[0];
    }

    private static Panel equal(Panel panel) {
        return panel.weighted()
                ? panel.with(
                        panel.individuals().stream().map(one -> one.weighing(1)).toList())
                : panel;
    }

    private void check(ChoiceProblem problem) {
        Panel panel = problem.panel();
        problem.refuseHidden();
        panel.needActions("An estimator of individuals who differ");
        BadInput.when(
                !problem.model().utility().rules().none(),
                "individuals that differ, and estimated discounts, do not go with bounds and priors of parameters",
                "Drop the rules from the model.");
        BadInput.when(
                population.discount()
                        && problem.model().law().ends().length > 0
                        && problem.model().discount() == 1,
                "a discount of 1 cannot be the start of one that is estimated",
                "Give the model a discount below 1.");
        standardErrors.check(panel);
    }

    /** What follows from a fit. */
    private final class Report {
        private final ChoiceProblem problem;
        private final ChoiceModel model;
        private final FirstStage first;
        private final MixedMethod method;
        private final Fit fit;
        private final double cpuSeconds;
        private final double seconds;
        private final MixedLikelihood likelihood;
        private final double[] search;
        private final MixedLikelihood.Value value;
        private final int shown;
        private final int[] free;
        private double[][] cross; // information that choices have on the parameters and on those of the law together

        Report(ChoiceProblem problem, FirstStage first, MixedMethod method, Fit fit, Clock clock) {
            this.problem = problem;
            this.first = first;
            this.method = method;
            this.fit = fit;
            cpuSeconds = clock.cpuSeconds();
            seconds = clock.wallSeconds();
            model = problem.model();
            likelihood = new MixedLikelihood(problem, first, population);
            search = population.search(fit.theta());
            value = likelihood.at(search, true, true);
            shown = FirstStage.shown(first.phi());
            free = method.free(search);
            cross = new double[search.length][shown];
            for (int i = 0; i < value.scores().length; i++) {
                for (int j = 0; j < search.length; j++) {
                    Vec.axpy(likelihood.weights()[i] * value.scores()[i][j], value.lawScores()[i], cross[j]);
                }
            }
        }

        ChoiceEstimate estimate(RandomStream stream, ProgressListener listener) {
            List<String> warnings = new ArrayList<>();
            if (!fit.converged()) {
                warnings.add(fit.status());
            }
            List<String> own = population.names();
            for (int at : population.deviations()) {
                if (Arrays.stream(free).noneMatch(j -> j == at)) {
                    warnings.add(
                            "%s is zero: the panel gives no sign that individuals differ in it; estimate without it"
                                    .formatted(own.get(at)));
                }
            }
            smallestType().flatMap(TypesEstimator::rare).ifPresent(warnings::add);
            DataChecks.worseThanUniform(problem, value.logLikelihood()).ifPresent(warnings::add);
            double[][] opg = MixedMethod.information(likelihood, value);
            boolean robust = standardErrors == StandardErrors.SANDWICH || standardErrors == StandardErrors.CLUSTER;
            double[][] information =
                    known(fit.converged() && (robust || standardErrors == StandardErrors.HESSIAN) ? hessian(opg) : opg);
            Identification identification = Identification.of(
                    ParameterRules.part(information, free),
                    Arrays.stream(free).mapToObj(own::get).toList());
            boolean known = fit.converged() && identification.complete();
            Optional<Bootstrap.Result> bootstrap = known && standardErrors == StandardErrors.BOOTSTRAP
                    ? Optional.of(bootstrap(stream, listener))
                    : Optional.empty();
            bootstrap.ifPresent(result -> warnings.addAll(result.warnings()));
            Optional<double[][]> covariance = !known
                    ? Optional.empty()
                    : bootstrap.isPresent()
                            ? bootstrap.map(result -> result.covariance(own.size() + shown))
                            : ParameterRules.inverse(information, free).map(this::covariance);
            if (covariance.isEmpty()) {
                warnings.add(
                        !fit.converged()
                                ? "no standard errors, since the search has not converged"
                                : ("no standard errors: the information is singular along %s. Perhaps individuals are not"
                                                + " seen long enough to tell")
                                        .formatted(identification.describe()));
            }
            if (standardErrors == StandardErrors.CLUSTER) {
                DataChecks.fewIndividuals(problem).ifPresent(warnings::add);
            }
            double[][] errors = covariance.orElse(new double[0][]);
            flatDiscount(errors).ifPresent(warnings::add);
            List<String> names =
                    Stream.concat(own.stream(), model.law().names().stream()).toList();
            boolean moves = model.law().parameters() > 0;
            double transition = FirstStage.logLikelihood(model.law(), first.moves(), first.phi());
            Estimate estimate = new Estimate(
                    method.name(),
                    Estimate.parameters(names, fit.parameters(), errors, population::isShare),
                    errors,
                    value.logLikelihood() + (moves ? transition : 0),
                    OptionalDouble.of(value.logLikelihood()),
                    moves ? OptionalDouble.of(transition) : OptionalDouble.empty(),
                    words(),
                    identification.spectrum(),
                    Vec.norm(MixedMethod.gradient(likelihood, value)),
                    fit.search(),
                    cpuSeconds,
                    seconds,
                    warnings,
                    Optional.empty(),
                    problem.panel().hash());
            Optional<double[][]> types = population.types() > 1 ? Optional.of(value.posterior()) : Optional.empty();
            return new ChoiceEstimate(estimate, fit, bootstrap, types);
        }

        /** The share of individuals that the smallest type is expected to hold. */
        private Optional<Double> smallestType() {
            double all = problem.panel().totalWeight();
            return IntStream.range(0, population.types() > 1 ? population.types() : 0)
                    .mapToObj(k -> IntStream.range(0, value.posterior().length)
                            .mapToDouble(i -> likelihood.weights()[i] * value.posterior()[i][k] / all)
                            .sum())
                    .min(Double::compare);
        }

        /** Nothing is known of a parameter where the likelihood has no curvature: of a type that holds nobody, say. */
        private static double[][] known(double[][] information) {
            int n = information.length;
            double[][] known = new double[n][n];
            for (int j = 0; j < n; j++) {
                for (int k = 0; k < n; k++) {
                    boolean finite = Double.isFinite(information[j][j]) && Double.isFinite(information[k][k]);
                    known[j][k] = finite && Double.isFinite(information[j][k]) ? information[j][k] : 0;
                }
            }
            return known;
        }

        private String words() {
            boolean named = Clusters.named(problem.panel());
            String words = named ? standardErrors.wordsOfClusters() : standardErrors.words();
            return standardErrors == StandardErrors.OPG ? "outer product of the individuals' scores" : words;
        }

        /** Identification of a discount is weak as a rule, and its normal interval says so. */
        private Optional<String> flatDiscount(double[][] errors) {
            if (!population.discount()) {
                return Optional.empty();
            }
            int at = population.size() - 1;
            double error = at < errors.length ? Math.sqrt(errors[at][at]) : Double.NaN;
            double discount = fit.theta()[at];
            if (!(error < FLAT) && (discount < END || discount > 1 - END)) {
                return Optional.of(
                        "the search went to the end %d of the discount's range, where no standard error holds: look at its `profile`"
                                .formatted(Math.round(discount)));
            }
            return error < FLAT
                    ? Optional.empty()
                    : Optional.of(
                            "the discount has a large standard error or none: look at its `profile`, and fix it at a"
                                    + " value that is known where that is flat");
        }

        private Bootstrap.Result bootstrap(RandomStream stream, ProgressListener listener) {
            Bootstrap bootstrap = Bootstrap.ofIndividuals(problem.startingAt(), method, fit, stream);
            return bootstrap.run(replications.count(), replications.runner(), listener);
        }

        /** Minus the Hessian, by central differences of the exact gradient; also that of the law and the rest. */
        private double[][] hessian(double[][] opg) {
            int n = search.length;
            double[][] hessian = new double[n][n];
            for (int j = 0; j < n; j++) {
                double step = DifferencedHessian.boundedStep(opg[j][j], search[j]);
                MixedLikelihood.Value up = moved(j, step);
                MixedLikelihood.Value down = moved(j, -step);
                double[] rise =
                        Vec.plus(MixedMethod.gradient(likelihood, up), -1, MixedMethod.gradient(likelihood, down));
                for (int k = 0; k < n; k++) {
                    hessian[j][k] -= rise[k] / (4 * step);
                    hessian[k][j] -= rise[k] / (4 * step);
                }
                double[] ofLaw = new double[shown];
                for (int i = 0; i < up.lawScores().length; i++) {
                    Vec.axpy(likelihood.weights()[i], up.lawScores()[i], ofLaw);
                    Vec.axpy(-likelihood.weights()[i], down.lawScores()[i], ofLaw);
                }
                cross[j] = Arrays.stream(ofLaw).map(x -> -x / (2 * step)).toArray();
            }
            return hessian;
        }

        private MixedLikelihood.Value moved(int j, double step) {
            double[] moved = search.clone();
            moved[j] += step;
            return likelihood.at(moved, true, true);
        }

        /** Of what is reported and of phi; the law's error reaches the rest (Murphy and Topel). */
        private double[][] covariance(double[][] inverse) {
            int own = search.length;
            int individuals = value.scores().length;
            int units = problem.panel().units();
            double[][] law = shown > 0 ? first.influence(problem) : new double[units][0];
            double[][] through = Dense.multiply(inverse, cross);
            Clusters clusters = Clusters.of(problem.panel());
            boolean robust = standardErrors == StandardErrors.SANDWICH || standardErrors == StandardErrors.CLUSTER;
            double[][] influence = new double[units][];
            for (int i = 0; i < influence.length; i++) {
                double[] byChoices =
                        robust && i < individuals ? Dense.multiply(inverse, value.scores()[i]) : new double[own];
                double[] byLaw = shown > 0 ? Dense.multiply(through, law[i]) : new double[own];
                influence[i] = Vec.joined(Vec.plus(byChoices, -1, byLaw), law[i]);
            }
            double[][] covariance = clusters.covariance(Arrays.copyOf(influence, individuals));
            if (robust) {
                double correction = Clusters.correction(problem.panel());
                for (double[] row : covariance) {
                    Arrays.setAll(row, k -> row[k] * correction);
                }
            } else {
                for (int j = 0; j < own; j++) {
                    for (int k = 0; k < own; k++) {
                        covariance[j][k] += inverse[j][k];
                    }
                }
            }
            for (int i = individuals; i < units; i++) { // periods are not clusters, and have no small-sample factor
                Observations.addOuter(1, influence[i], covariance);
            }
            return reported(covariance);
        }

        private double[][] reported(double[][] covariance) {
            int n = covariance.length;
            double[][] derivative = new double[n][n];
            double[][] own = population.derivative(search);
            for (int j = 0; j < n; j++) {
                derivative[j][j] = 1;
                if (j < own.length) {
                    System.arraycopy(own[j], 0, derivative[j], 0, own.length);
                }
            }
            double[][] half = Dense.multiply(derivative, covariance);
            double[][] all = new double[n][n];
            for (int j = 0; j < n; j++) {
                for (int k = 0; k < n; k++) {
                    all[j][k] = Vec.dot(half[j], derivative[k]);
                }
            }
            return all;
        }
    }

    /** The log-likelihood of the choices of perhaps other individuals at estimated parameters. */
    public static double logLikelihood(ChoiceProblem problem, Population population, Fit fit) {
        return likelihood(problem, population, fit)
                .at(population.search(fit.theta()), false, false)
                .logLikelihood();
    }

    /** How often each action is expected in each state by those who were observed there, given all that they did. */
    public static double[] expectedChoices(ChoiceProblem problem, Population population, Fit fit) {
        return likelihood(problem, population, fit).expectedChoices(population.search(fit.theta()));
    }

    private static MixedLikelihood likelihood(ChoiceProblem problem, Population population, Fit fit) {
        return new MixedLikelihood(problem, new FirstStage(fit.phi(), new double[0][][]), population);
    }
}
