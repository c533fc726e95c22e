package dev.revealed.estimate.choice.types;

import dev.revealed.estimate.Clock;
import dev.revealed.estimate.Estimate;
import dev.revealed.estimate.Search;
import dev.revealed.estimate.Stationarity;
import dev.revealed.estimate.TypeIndex;
import dev.revealed.estimate.choice.ChoiceProblem;
import dev.revealed.estimate.choice.DataChecks;
import dev.revealed.estimate.choice.FirstStage;
import dev.revealed.estimate.choice.Fit;
import dev.revealed.estimate.choice.Identification;
import dev.revealed.estimate.choice.Observations;
import dev.revealed.estimate.choice.PanelMethod;
import dev.revealed.estimate.choice.RowScores;
import dev.revealed.estimate.choice.inference.ChoiceEstimate;
import dev.revealed.estimate.choice.inference.ChoiceEstimator;
import dev.revealed.estimate.choice.likelihood.NestedFixedPoint;
import dev.revealed.estimate.choice.twostep.Ccp;
import dev.revealed.estimate.choice.twostep.ChoiceProbabilities;
import dev.revealed.mdp.Mdp;
import dev.revealed.mdp.Reward;
import dev.revealed.mdp.choice.ChoiceModel;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.Dense;
import dev.revealed.numeric.Parallel;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Vec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Individuals of a few types that nobody sees, each with some utility parameters of its own: a finite mixture by expectation
 * and maximisation (Arcidiacono and Miller 2011). The expectation is who is probably of which type, given what he did; the
 * maximisation treats the types as seen, every choice counted under each type with that probability. The types share the
 * transition law.
 *
 * @param types how many
 * @param specific the utility parameters that differ between types
 * @param initial whether the type may depend on the state an individual was first seen in (by a logit in the values of its
 *     variables), as it does where panels begin in the middle of lives
 * @param starts how many starts are tried for a few iterations, the best of which is continued
 */
public record TypesEstimator(
        int types, List<String> specific, Form form, boolean initial, int starts, int iterations, double tolerance) {

    /** How choices are valued in the maximisation. */
    public enum Form {
        /** Each type's model is solved; after EM has come near, scoring on the likelihood itself finishes. */
        FULL,
        /** Values under choice probabilities that are estimated anew from the weighted choices of each type. */
        CCP,
        /** Values under choice probabilities that each type's values imply; ends where {@link #FULL} does. */
        NPL;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private static final int TRIAL_ITERATIONS = 20;

    /** EM crawls near the maximum: from gains of this size on, scoring on the likelihood is better. */
    private static final double NEAR = 0.01;

    private static final int HALVINGS = 30;

    /** In standard errors: as near as the iterations of a form come that does not climb the likelihood itself. */
    private static final double NEARLY = 0.01;

    /** A type with a smaller share is hardly there. */
    private static final double RARE = 0.02;

    public TypesEstimator {
        specific = List.copyOf(specific);
        if (types < 1 || types > 20) {
            throw new BadInput("%d types".formatted(types), "Choose from 1 to 20; 2 or 3 is usual.");
        }
        if (starts < 1) {
            throw new BadInput("%d starts".formatted(starts), "Try at least one; 5 is the default.");
        }
    }

    public static TypesEstimator of(int types, String... specific) {
        return new TypesEstimator(types, List.of(specific), Form.FULL, false, 5, 500, 1e-9);
    }

    public TypesEstimator by(Form other) {
        return new TypesEstimator(types, specific, other, initial, starts, iterations, tolerance);
    }

    public TypesEstimator initial(boolean other) {
        return new TypesEstimator(types, specific, form, other, starts, iterations, tolerance);
    }

    public TypesEstimator starts(int other) {
        return new TypesEstimator(types, specific, form, initial, other, iterations, tolerance);
    }

    public TypesEstimator limitedTo(int most) {
        return new TypesEstimator(types, specific, form, initial, starts, most, tolerance);
    }

    public String name() {
        return "em-" + form;
    }

    public ChoiceEstimate fit(ChoiceProblem problem, long seed) {
        return fit(problem, RandomStream.of(seed), ProgressListener.NONE);
    }

    public ChoiceEstimate fit(ChoiceProblem problem, RandomStream stream, ProgressListener listener) {
        problem.refuseHidden();
        problem.model().needLogit("EM over types");
        problem.panel().needActions("An estimator of types");
        Reward utility = problem.model().utility();
        BadInput.when(
                !utility.rules().none(),
                "types do not keep to bounds and priors of parameters",
                "Drop the rules from the model, or estimate without types.");
        BadInput.when(
                !utility.linear() && form != Form.FULL,
                "%s needs a utility that is linear in its parameters".formatted(name()),
                "Use the form full, which solves the model.");
        return new Run(problem, listener).fit(stream);
    }

    private final class Run {
        private final Clock clock = new Clock();
        private final ChoiceProblem problem;
        private final ProgressListener listener;
        private final ChoiceModel model;
        private final FirstStage first;
        private final TypeIndex index;
        private final Observations observations;
        private final TypeSums individuals;
        private final Membership membership;

        Run(ChoiceProblem problem, ProgressListener listener) {
            this.problem = problem;
            this.listener = listener;
            model = problem.model();
            index = TypeIndex.of(model.utility().names(), types, specific);
            first = problem.firstStage();
            observations = Observations.of(model.law(), problem.panel());
            individuals = new TypeSums(problem, observations, index, initial);
            membership = individuals.membership();
        }

        ChoiceEstimate fit(RandomStream stream) {
            Mdp mdp = model.mdp(first.phi());
            ChoiceProbabilities pooled = ChoiceProbabilities.STANDARD.of(problem);
            double[][] begins = begins(stream);
            Em[] trials = new Em[begins.length];
            Parallel.tasks(begins.length, s -> {
                trials[s] = new Em(choices(mdp, pooled, begins[s]));
                trials[s].run(begins.length == 1 ? iterations : TRIAL_ITERATIONS);
            });
            Em best = trials[0];
            for (Em trial : trials) {
                best = trial.logLikelihood() > best.logLikelihood() ? trial : best;
            }
            best.run(iterations);
            if (best.choices instanceof TypedChoices.Solved solved) {
                best.finish(solved);
            }
            return report(best);
        }

        private TypedChoices choices(Mdp mdp, ChoiceProbabilities pooled, double[] start) {
            return form == Form.FULL
                    ? new TypedChoices.Solved(model, first.phi(), index, start)
                    : new TypedChoices.Valued(problem, mdp, pooled, index, form == Form.NPL, start);
        }

        /** The estimate without types, its specific parameters spread out: evenly at first, then at random. */
        private double[][] begins(RandomStream stream) {
            PanelMethod single = form == Form.FULL ? NestedFixedPoint.standard() : Ccp.standard();
            RandomStream own = stream.named("without types");
            Fit fit = problem.startGiven() // whose search may have to begin again elsewhere
                    ? new ChoiceEstimator(single).fit(problem, own, listener).fit()
                    : single.fit(problem, first, own, listener);
            double[] centre = fit.theta();
            double[][] begins = new double[types == 1 ? 1 : starts][index.size()];
            double[] scale = types == 1 ? new double[centre.length] : scale(centre);
            for (int s = 0; s < begins.length; s++) {
                RandomStream places = stream.named("starts").at(s);
                for (int k = 0; k < types; k++) {
                    for (int j = 0; j < scale.length; j++) {
                        double place = types == 1 ? 0 : s == 0 ? 2.0 * k / (types - 1) - 1 : places.nextGaussian();
                        begins[s][index.position()[k][j]] = centre[j] + (index.differs(j) ? place * scale[j] : 0);
                    }
                }
            }
            return begins;
        }

        /** A third of the parameter and of what one individual alone would leave open of it. */
        private double[] scale(double[] theta) {
            RowScores solved = new RowScores(model, problem.choiceCounts(), first.phi(), false);
            solved.solve(theta);
            solved.scores(theta);
            double[][] information = solved.information();
            double[] scale = new double[theta.length];
            for (int j = 0; j < scale.length; j++) {
                double alone = information[j][j] > 0 ? Math.sqrt(problem.panel().size() / information[j][j]) : 0;
                scale[j] = (Math.abs(theta[j]) + alone) / 3;
            }
            return scale;
        }

        /** One run of EM. */
        private final class Em {
            private final TypedChoices choices;
            private final List<Estimate.TracePoint> trace = new ArrayList<>();
            private double[] gamma = new double[membership.size()];
            private TypeSums.Expectation expected;
            private boolean converged;

            Em(TypedChoices choices) {
                this.choices = choices;
                expected = expectation();
            }

            private TypeSums.Expectation expectation() {
                return individuals.expectation(gamma, choices.logPolicies());
            }

            double logLikelihood() {
                return expected.logLikelihood();
            }

            private void note() {
                trace.add(new Estimate.TracePoint(
                        trace.size(),
                        choices.passes(),
                        clock.cpuSeconds(),
                        logLikelihood(),
                        Double.NaN,
                        Double.NaN,
                        OptionalDouble.empty()));
                listener.searching(name(), trace.size(), iterations);
            }

            void run(int limit) {
                for (int k = 0; k < limit && !converged; k++) {
                    note();
                    double before = logLikelihood();
                    double[] from = choices.parameters();
                    double[] odds = gamma;
                    gamma = membership.maximise(gamma, expected.members());
                    choices.improve(expected.counts());
                    expected = expectation();
                    converged = form == Form.FULL
                            ? logLikelihood() - before < NEAR
                            : moved(from, choices.parameters()) + moved(odds, gamma) < Math.sqrt(tolerance) / 10;
                }
            }

            private double moved(double[] from, double[] to) {
                double largest = 0;
                for (int j = 0; j < from.length; j++) {
                    largest = Math.max(largest, Math.abs(to[j] - from[j]) / (1e-3 + Math.abs(from[j])));
                }
                return largest;
            }

            /** Scoring on the likelihood of what was seen, whose scores are those of the types, weighted (Fisher). */
            void finish(TypedChoices.Solved solved) {
                converged = false;
                boolean stuck = false;
                while (trace.size() < iterations && !converged && !stuck) {
                    note();
                    TypeSums.Scores scores = scores(solved);
                    double[] gradient = scores.sum();
                    double[] direction = Dense.solvePositive(scores.outer(), gradient);
                    double gain = Vec.dot(direction, gradient);
                    converged = gain <= tolerance;
                    stuck = !converged && !step(solved, direction, gain);
                    converged |= stuck && gain <= 1e-6; // what is left to gain drowns in rounding
                    boolean stationary =
                            Stationarity.of(scores.outer(), gradient).reached();
                    stuck |= converged && !stationary; // no information, so no step, and no maximum either
                    converged &= stationary;
                }
            }

            private boolean step(TypedChoices.Solved solved, double[] direction, double gain) {
                double[] from = solved.parameters();
                double[] odds = gamma;
                double before = logLikelihood();
                double[] move = Arrays.copyOf(direction, from.length);
                double[] turn = Arrays.copyOfRange(direction, from.length, direction.length);
                double length = 1;
                for (int trial = 0; trial < HALVINGS; trial++, length *= 0.5) {
                    if (solved.moveTo(Vec.plus(from, length, move))) {
                        gamma = Vec.plus(odds, length, turn);
                        expected = expectation();
                        if (logLikelihood() >= before + 1e-4 * length * gain) {
                            return true;
                        }
                    }
                }
                solved.moveTo(from);
                gamma = odds;
                expected = expectation();
                return false;
            }

            private TypeSums.Scores scores(TypedChoices.Solved solved) {
                double[][][] rows = new double[types][][];
                Arrays.setAll(rows, solved::scores);
                return individuals.scores(gamma, solved.logPolicies(), rows, new double[0][]);
            }
        }

        private ChoiceEstimate report(Em em) {
            double cpuSeconds = clock.cpuSeconds();
            double seconds = clock.wallSeconds();
            int[] order = index.order(em.choices.parameters());
            double[] theta = index.renumbered(em.choices.parameters(), order);
            double[] gamma = membership.renumbered(em.gamma, order);
            Inference inference = new Inference(theta, gamma);
            Membership.Reported reported = membership.reported(gamma);
            List<String> warnings = new ArrayList<>();
            rare(Membership.smallest(
                            inference.expected.members(), problem.panel().size()))
                    .ifPresent(warnings::add);
            // What separates all individuals together separates those of a type.
            DataChecks.Findings findings = DataChecks.examine(problem, index.of(0, theta), first.phi());
            warnings.addAll(findings.warnings());
            DataChecks.worseThanUniform(problem, inference.expected.logLikelihood())
                    .ifPresent(warnings::add);
            // The two-step form maximises no likelihood.
            boolean stationary = form == Form.CCP
                    || Stationarity.of(inference.information(), inference.gradient())
                            .within(NEARLY);
            boolean converged = em.converged && stationary && !findings.noMaximum();
            String status = "%s %s of EM%s"
                    .formatted(
                            converged ? "converged" : "not converged",
                            Search.after(em.trace.size()),
                            converged ? "" : "; try more iterations or fewer types");
            if (!converged && !findings.noMaximum()) {
                warnings.addFirst(status);
            }
            double[][] information = inference.information();
            List<String> names = new ArrayList<>(index.names());
            names.addAll(membership.names());
            Identification identification = Identification.of(information, names);
            Optional<double[][]> covariance = converged && identification.complete()
                    ? inference.covariance(information, reported.derivative())
                    : Optional.empty();
            if (covariance.isEmpty() && !converged) {
                warnings.add("no standard errors, since the search has not converged");
            } else if (covariance.isEmpty()) {
                warnings.add(
                        ("no standard errors: the information is singular along %s. Perhaps two types do not differ, or"
                                        + " nobody is seen long enough to tell them apart")
                                .formatted(identification.describe()));
            }
            names.addAll(model.law().names());
            boolean lawEstimated = model.law().parameters() > 0;
            double moves = FirstStage.logLikelihood(model.law(), first.moves(), first.phi());
            double[][] errors = covariance.orElse(new double[0][]);
            Fit fit = new Fit(
                    form == Form.CCP ? Fit.Kind.OTHER : Fit.Kind.LIKELIHOOD,
                    Vec.joined(theta, reported.values()),
                    first.phi(),
                    new Search(em.trace.size(), converged, status, em.choices.passes(), em.trace),
                    Optional.empty(),
                    Optional.empty(),
                    List.of());
            Estimate estimate = new Estimate(
                    name(),
                    Estimate.parameters(
                            names,
                            fit.parameters(),
                            errors,
                            j -> membership.reportsShares()
                                    && j >= index.size()
                                    && j < index.size() + membership.size()),
                    errors,
                    inference.expected.logLikelihood() + (lawEstimated ? moves : 0),
                    OptionalDouble.of(inference.expected.logLikelihood()),
                    lawEstimated ? OptionalDouble.of(moves) : OptionalDouble.empty(),
                    "outer product of the individuals' scores",
                    identification.spectrum(),
                    Vec.norm(inference.gradient()),
                    fit.search(),
                    cpuSeconds,
                    seconds,
                    warnings,
                    Optional.empty(),
                    problem.panel().hash());
            return new ChoiceEstimate(estimate, fit, Optional.empty(), Optional.of(inference.posterior()));
        }

        /**
         * The likelihood at the estimate with every type's model solved, whatever the form, and the individuals' scores: those
         * of their types, weighted with their posterior probabilities.
         */
        private final class Inference {
            private final double[] gamma;
            private final double[][] logPolicies = new double[types][];
            private final TypeSums.Expectation expected;
            private final TypeSums.Scores
                    scores; // then those of the same choices with respect to phi, then what moves do to phi
            private final double[][] influence; // of observations on phi
            private final int own;
            private final int shown;

            Inference(double[] theta, double[] gamma) {
                this.gamma = gamma;
                int p = model.utility().parameters();
                own = theta.length + gamma.length;
                shown = FirstStage.shown(first.phi());
                double[][][] rows = new double[types][][];
                for (int k = 0; k < types; k++) {
                    RowScores solved =
                            new RowScores(model, new double[model.utility().rows()], first.phi(), shown > 0);
                    double[] at = Arrays.copyOf(index.of(k, theta), p + shown);
                    System.arraycopy(first.phi(), 0, at, p, shown);
                    solved.solve(at);
                    logPolicies[k] = solved.policy().logPolicy();
                    rows[k] = solved.scores(at);
                }
                expected = individuals.expectation(gamma, logPolicies);
                influence = first.influence(model.law(), observations, shown);
                scores = individuals.scores(gamma, logPolicies, rows, influence);
            }

            double[] gradient() {
                return Arrays.copyOf(scores.sum(), own);
            }

            double[][] information() {
                return scores.part(0, 0, own, own);
            }

            double[][] posterior() {
                return individuals.posterior(gamma, logPolicies);
            }

            /**
             * Of the utility parameters, of what is reported of the types, and of phi. The law was estimated before, from
             * the moves alone, so each individual moves the others also through it (Murphy and Topel).
             */
            Optional<double[][]> covariance(double[][] information, double[][] derivative) {
                double[][] cross = scores.part(0, own, own, shown);
                double[][] law = scores.part(own + shown, own + shown, shown, shown);
                for (int period : observations.common()) {
                    Observations.addOuter(1, Observations.at(influence, period), law);
                }
                return Dense.inverse(information).map(inverse -> {
                    // What (theta, gamma, phi) owe to independent errors: their own, and that of phi.
                    double[][] toReported = new double[own + shown][own + shown];
                    int thetas = own - derivative.length;
                    for (int j = 0; j < own + shown; j++) {
                        toReported[j][j] = 1;
                        if (j >= thetas && j < own) {
                            System.arraycopy(derivative[j - thetas], 0, toReported[j], thetas, derivative.length);
                        }
                    }
                    double[][] both = new double[own + shown][own + shown];
                    double[][] through = new double[own + shown][shown];
                    for (int j = 0; j < own; j++) {
                        System.arraycopy(inverse[j], 0, both[j], 0, own);
                        for (int k = 0; k < own; k++) {
                            Vec.axpy(-inverse[j][k], cross[k], through[j]);
                        }
                    }
                    for (int l = 0; l < shown; l++) {
                        through[own + l][l] = 1;
                    }
                    addProduct(through, law, both);
                    double[][] covariance = new double[own + shown][own + shown];
                    addProduct(toReported, both, covariance);
                    return covariance;
                });
            }
        }
    }

    /** What to say of the share of individuals that the smallest type is expected to hold. */
    public static Optional<String> rare(double smallest) {
        return smallest < RARE
                ? Optional.of("a type is expected to hold only %.1f %% of the individuals: try fewer types"
                        .formatted(100 * smallest))
                : Optional.empty();
    }

    /** c += a b a'. */
    private static void addProduct(double[][] a, double[][] b, double[][] c) {
        if (b.length > 0) {
            double[][] ab = Dense.multiply(a, b);
            for (int j = 0; j < c.length; j++) {
                for (int k = 0; k < c.length; k++) {
                    c[j][k] += Vec.dot(ab[j], a[k]);
                }
            }
        }
    }
}
