package dev.revealed.estimate.choice.twostep;

import dev.revealed.estimate.Search;
import dev.revealed.estimate.choice.ChoiceProblem;
import dev.revealed.estimate.choice.ConditionalLogit;
import dev.revealed.estimate.choice.FirstStage;
import dev.revealed.estimate.choice.Fit;
import dev.revealed.estimate.choice.PanelMethod;
import dev.revealed.estimate.choice.SolvedScore;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.Dense;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Vec;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Temporal-difference estimation (Adusumilli and Eckardt): what an action is worth in the long run is learnt from
 * consecutive decisions alone, without any transition law. With choice probabilities P estimated beforehand, the value of
 * an action is h' theta + g,
 *
 * <pre>  h(a,s) = z(a,s) + gamma E[h(a',s') | a,s],     g(a,s) = gamma E[e(a',s') + g(a',s') | a,s],     e = -log P</pre>
 *
 * and h and g are sought among linear combinations of basis functions by the semi-gradient, that is by least-squares
 * temporal differences. Choices are then a logit in theta. The error of P does not matter to first order: e enters at the
 * action taken, and the mean score of log P is zero.
 *
 * <p>The locally robust form adds to each individual's score what the errors of h and g do to it (Chernozhukov, Escanciano,
 * Ichimura, Newey and Robins),
 *
 * <pre>  - lambda(a,s) (z' theta + gamma (e' + V') - V),     V = h' theta + g,</pre>
 *
 * with lambda the backward counterpart of h, and takes h, g and lambda from the other individuals.
 *
 * @param basis which functions long-run values are sought among
 * @param degree of the polynomials of the state variables among them; chosen by the data where none is given
 * @param folds into how many parts the locally robust form cuts the individuals; 1 for the plain form
 */
public record TdCcp(Basis basis, OptionalInt degree, int folds, ChoiceProbabilities.Method probabilities)
        implements PanelMethod {
    /** The functions of the state variables, for each action, that values are combinations of. */
    public enum Basis {
        /** The best of the others, by cross-validation over individuals. */
        AUTO,
        /** Polynomials of the variables. */
        POLYNOMIALS,
        /** Polynomials of the variables' ranks. */
        RANKS,
        /** Piecewise linear functions of each variable, and polynomials for what variables do together. */
        SPLINES,
        /** An indicator of every visited state: the values of the observed chain. */
        CELLS;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Standard errors the robust form may be away from the plain one before it is said. */
    private static final double FAR = 2;

    /** Standard errors beyond which it is no estimate. */
    private static final double LOST = 10;

    /** Share of the transitions that may lead to states without observed decisions before a warning. */
    private static final double DEAD_ENDS = 0.02;

    public TdCcp {
        if (degree.isPresent() && (degree.getAsInt() < 0 || degree.getAsInt() > 9)) {
            throw new BadInput(
                    "the degree of the basis is " + degree.getAsInt(),
                    "Choose one from 0 to 9; without one it is chosen by the data.");
        }
        if (basis == Basis.CELLS && degree.isPresent()) {
            throw new BadInput(
                    "cells have no degree, and `degree` is " + degree.getAsInt(),
                    "Leave out `degree`, or take another `basis`.");
        }
        if (folds < 1) {
            throw new BadInput(
                    "the individuals are to be cut into %d parts".formatted(folds),
                    "Choose 2 or more for the locally robust form, 1 for the plain one.");
        }
    }

    /** The plain form: the linear semi-gradient. */
    public static TdCcp semiGradient() {
        return new TdCcp(Basis.AUTO, OptionalInt.empty(), 1, ChoiceProbabilities.STANDARD);
    }

    public static TdCcp locallyRobust() {
        return semiGradient().folds(10);
    }

    public TdCcp basis(Basis other) {
        return new TdCcp(other, degree, folds, probabilities);
    }

    public TdCcp degree(int other) {
        return new TdCcp(basis, OptionalInt.of(other), folds, probabilities);
    }

    public TdCcp folds(int other) {
        return new TdCcp(basis, degree, other, probabilities);
    }

    public boolean robust() {
        return folds > 1;
    }

    @Override
    public String name() {
        return robust() ? "td-ccp-lr" : "td-ccp";
    }

    @Override
    public boolean heedsWeights() {
        return false;
    }

    @Override
    public boolean heedsGaps() {
        return false;
    }

    @Override
    public Fit fit(ChoiceProblem problem, FirstStage first, RandomStream stream, ProgressListener listener) {
        BadInput.when(
                problem.model().law().ends().length > 0,
                "td-ccp learns values from what follows, and after the ends of this model nothing does",
                "Use nfxp, ml-irl, npl or ccp.");
        problem.model().needLogit("td-ccp");
        return new Run(problem, first, stream, listener).fit();
    }

    private final class Run {
        private final ChoiceProblem problem;
        private final FirstStage first;
        private final ProgressListener listener;
        private final TdPanel panel;
        private final double[] shock;
        private final BasisChoice.Chosen found;
        private final List<String> warnings = new ArrayList<>();

        Run(ChoiceProblem problem, FirstStage first, RandomStream stream, ProgressListener listener) {
            this.problem = problem;
            this.first = first;
            this.listener = listener;
            panel = TdPanel.of(problem, stream);
            if (panel.moves() == 0) {
                throw new BadInput(
                        "no individual has two consecutive decisions",
                        "Temporal differences need them; use a method that takes a transition law, such as ccp.");
            }
            shock = TemporalDifferences.shock(panel, probabilities, panel.all());
            found = new BasisChoice(panel).among(basis, degree, shock);
            if (found.lowered()) {
                warnings.add("%s: more would be too many for %d observed moves"
                        .formatted(found.basis().describeInsteadOf(degree.orElseThrow()), panel.moves()));
            }
            if (panel.deadEnds() > DEAD_ENDS) {
                warnings.add(
                        ("%.0f %% of the transitions lead to states in which no decision was observed: their values are"
                                        + " extrapolated")
                                .formatted(100 * panel.deadEnds()));
            }
        }

        /**
         * By the basis that predicts best, or where that has no estimate by the first that has one. Where the solved model's score rejects what that finds, by the first of the others
         * that it does not reject, else by the one it rejects least. Another basis must also be nearer to the likelihood's
         * maximum, in standard errors of the first: a noisier estimate is rejected less without being better.
         */
        Fit fit() {
            Deque<ValueBasis> others = new ArrayDeque<>(found.others());
            ValueBasis kept = found.basis();
            Fit best = new Attempt(kept).fit();
            while (!best.search().converged() && !others.isEmpty()) {
                ValueBasis other = others.remove();
                Optional<Fit> next = attempted(other);
                if (next.isPresent() && next.get().search().converged()) {
                    kept = other;
                    best = next.get();
                }
            }
            if (best.score().isEmpty()) {
                return described(best, kept, List.of(), 1);
            }
            double[] units = standardErrors(best);
            List<ValueBasis> rejected = new ArrayList<>();
            SolvedScore score = best.score().get();
            int tried = 1;
            for (ValueBasis other : others) {
                if (score.passed()) {
                    break;
                }
                tried++;
                Optional<Fit> next = attempted(other);
                Optional<SolvedScore> nextScore = next.flatMap(Fit::score);
                if (nextScore.isPresent() && better(nextScore.get(), score, units)) {
                    rejected.add(kept);
                    kept = other;
                    best = next.get();
                    score = nextScore.get();
                }
            }
            return described(best, kept, rejected, tried);
        }

        private static boolean better(SolvedScore one, SolvedScore other, double[] units) {
            return one.conservative() < other.conservative()
                    && distance(one.step(), units) < distance(other.step(), units);
        }

        private static double distance(double[] step, double[] units) {
            double sum = 0;
            for (int j = 0; j < step.length; j++) {
                sum += step[j] * step[j] / (units[j] * units[j]);
            }
            return sum;
        }

        private static double[] standardErrors(Fit fit) {
            double[] squares = new double[fit.theta().length];
            fit.covariance().ifPresent(known -> Arrays.setAll(squares, j -> known[j][j]));
            for (double[] individual : fit.influence().orElse(new double[0][])) {
                Arrays.setAll(squares, j -> squares[j] + individual[j] * individual[j]);
            }
            return Arrays.stream(squares).map(Math::sqrt).toArray();
        }

        /** Empty where the basis has no estimate. */
        private Optional<Fit> attempted(ValueBasis basis) {
            try {
                return Optional.of(new Attempt(basis).fit());
            } catch (BadInput dependent) {
                return Optional.empty();
            }
        }

        private static Fit described(Fit fit, ValueBasis kept, List<ValueBasis> rejected, int tried) {
            String words = kept.describe();
            if (fit.score().isPresent() && !fit.score().get().passed() && tried > 1) {
                words += "; the best of %d tried, by the solved model's score".formatted(tried);
            } else if (!rejected.isEmpty()) {
                words += "; rejected by the solved model's score: "
                        + rejected.stream().map(ValueBasis::describe).collect(Collectors.joining("; "));
            }
            Search search = fit.search();
            return search.converged()
                    ? fit.with(search.ended(true, search.status() + "; values by " + words), fit.warnings())
                            .by(words)
                    : fit.by(words);
        }

        /** An estimate by one basis. */
        private final class Attempt {
            private final double[][] functions;
            private final List<String> own = new ArrayList<>(warnings);

            Attempt(ValueBasis basis) {
                functions = basis.at(panel);
            }

            private TemporalDifferences step(TdMoves moves) {
                return new TemporalDifferences(
                        panel, functions, TemporalDifferences.shock(panel, probabilities, moves), moves);
            }

            Fit fit() {
                listener.progress(name(), 0, folds + 1L);
                TemporalDifferences all = new TemporalDifferences(panel, functions, shock, panel.all());
                if (!all.maximum().converged()) {
                    return failed(all.maximum().theta(), "not converged: " + ConditionalLogit.NO_MAXIMUM);
                }
                return folds > 1 ? crossFitted(all) : plain(all);
            }

            private Fit plain(TemporalDifferences all) {
                double[] theta = all.maximum().theta();
                String status = "converged: pseudo-likelihood %.6f after %d Newton steps"
                        .formatted(all.maximum().value(), all.maximum().iterations());
                TdMoments.Part part = TdMoments.Part.of(all, panel.all(), theta, true);
                return found(
                        all.maximum().iterations(),
                        status,
                        new TdMoments(panel, theta, TdIndividuals.Dealing.TOGETHER, List.of(part)));
            }

            /**
             * One Newton step from the plain estimate towards the root of the orthogonal moments, as good as the root itself in
             * large samples. Their expected slope is that of the score alone: temporal differences have mean zero given state
             * and action. The observed slope is a noisy one, with which small samples may have no root at all.
             */
            private Fit crossFitted(TemporalDifferences all) {
                if (panel.size() < 2 * folds) {
                    throw new BadInput(
                            "%d individual%s cannot be cut into %d parts"
                                    .formatted(panel.size(), panel.size() == 1 ? "" : "s", folds),
                            "Leave `form` robust out, or find more individuals.");
                }
                TdMoves[] others = panel.individuals().others(TdIndividuals.Dealing.ROBUST, folds);
                TemporalDifferences[] steps = new TemporalDifferences[folds];
                for (int f = 0; f < folds; f++) {
                    steps[f] = step(others[f]);
                    listener.progress(name(), f + 1L, folds + 1L);
                }
                double[] plain = all.maximum().theta();
                TdMoves[] parts = panel.individuals().parts(TdIndividuals.Dealing.ROBUST, folds);
                TdMoments start = moments(plain, steps, parts);
                Optional<double[]> step = Dense.solve(start.slope(), start.sum());
                if (step.isEmpty()) {
                    return failed(plain, "not converged: the information is singular");
                }
                double moved = Vec.dot(step.get(), Dense.multiply(all.maximum().information(), step.get()));
                if (!(moved <= LOST * LOST * plain.length)) {
                    return failed(
                            plain,
                            "not converged: the corrections move the estimate by more than %.0f times what the choices leave open"
                                    .formatted(LOST));
                }
                double[] theta = Vec.plus(plain, 1, step.get());
                if (moved > FAR * FAR * plain.length) {
                    own.add(("the corrections move the estimate by %.0f times what the choices alone leave open: so few"
                                    + " individuals cannot bear to be cut into parts; prefer the plain form")
                            .formatted(Math.sqrt(moved / plain.length)));
                }
                String status =
                        "converged: one step from the pseudo-likelihood's maximum towards the orthogonal moments'"
                                + " root";
                return found(1, status, moments(theta, steps, parts));
            }

            private TdMoments moments(double[] theta, TemporalDifferences[] steps, TdMoves[] parts) {
                return new TdMoments(
                        panel,
                        theta,
                        TdIndividuals.Dealing.ROBUST,
                        IntStream.range(0, folds)
                                .mapToObj(f -> TdMoments.Part.of(steps[f], parts[f], theta, false))
                                .toList());
            }

            /** Nobody can say how sure one may be of such an estimate. */
            private Fit failed(double[] theta, String status) {
                return outcome(
                        theta,
                        new Search(0, false, status, 0),
                        Optional.of(problem.byUnit(TdMoments.unknown(panel.size(), theta.length))));
            }

            private Fit found(int iterations, String status, TdMoments moments) {
                Search search = new Search(iterations, true, status, 0);
                double[] theta = moments.theta();
                return switch (panel.individuals()) {
                    case InMemoryIndividuals held -> {
                        double[][] byUnit = problem.byUnit(moments.influence(held));
                        yield outcome(theta, search, Optional.of(byUnit))
                                .tested(SolvedScore.of(problem, first, theta, byUnit));
                    }
                    case SurveyedIndividuals surveyed -> {
                        TdErrors errors = TdErrors.of(problem, first, moments, surveyed);
                        yield outcome(theta, search, Optional.empty())
                                .covarying(errors.covariance())
                                .tested(errors.score());
                    }
                };
            }

            private Fit outcome(double[] theta, Search search, Optional<double[][]> influence) {
                own.addAll(Plausibility.warnings(problem, first, theta));
                return Fit.other(theta, first.phi(), search, influence, own);
            }
        }
    }
}
