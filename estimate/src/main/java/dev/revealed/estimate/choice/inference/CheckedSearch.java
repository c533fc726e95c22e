package dev.revealed.estimate.choice.inference;

import dev.revealed.estimate.Search;
import dev.revealed.estimate.Stationarity;
import dev.revealed.estimate.choice.ChoiceProblem;
import dev.revealed.estimate.choice.DataChecks;
import dev.revealed.estimate.choice.FirstStage;
import dev.revealed.estimate.choice.Fit;
import dev.revealed.estimate.choice.Identification;
import dev.revealed.estimate.choice.PanelMethod;
import dev.revealed.estimate.choice.RowScores;
import dev.revealed.estimate.choice.likelihood.NestedFixedPoint;
import dev.revealed.estimate.choice.twostep.Ccp;
import dev.revealed.mdp.Reward;
import dev.revealed.mdp.choice.ChoiceModel;
import dev.revealed.mdp.rules.ParameterRules;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Vec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A search whose word is checked. Where a method maximises the likelihood, the place it ends at must be stationary
 * ({@link Stationarity}), and no less likely than the parameters that a flexible logit of the choices implies. A search
 * that fails, stops short or ends lower begins again: from zero, from the flexible logit, and then by other algorithms.
 */
final class CheckedSearch {
    /** By this share of itself a log-likelihood may lie below another before it counts as lower. */
    private static final double ROUNDING = 1e-9;

    /** Where a search begins for which no start is given, in words. */
    private static final String USUAL = "the usual start";

    /** In the warning of a result that another search found than the first. */
    static final String RESTARTED = "; shown is the search from ";

    private final ChoiceProblem problem;
    private final FirstStage first;
    private final PanelMethod method;
    private final RandomStream stream;
    private final ProgressListener listener;
    private final List<Attempt> attempts = new ArrayList<>();
    private @Nullable Benchmark benchmark;
    private String by; // where another search stood in for this one

    /**
     * A search and what became of it.
     *
     * @param by the name of the method
     * @param from where it began, in words
     * @param fit what it found, unless it failed
     * @param logLikelihood of the choices, where the method maximises that
     * @param flaw why this is no maximum; empty where it is one
     */
    private record Attempt(String by, String from, Optional<Fit> fit, double logLikelihood, String flaw) {
        boolean good() {
            return flaw.isEmpty();
        }
    }

    /** Where a maximum is not the only one, no start could find a better one. */
    private static final String NOT_UNIQUE = "not converged: many parameters are equally likely, along ";

    /** The parameters that choice probabilities without a model imply, and the log-likelihood of the choices there. */
    private record Benchmark(Optional<double[]> theta, double logLikelihood) {}

    CheckedSearch(
            ChoiceProblem problem,
            FirstStage first,
            PanelMethod method,
            RandomStream stream,
            ProgressListener listener) {
        this.problem = problem;
        this.first = first;
        this.method = method;
        by = method.name();
        this.stream = stream;
        this.listener = listener;
    }

    /**
     * The same where no data identify some directions of the utility: one parameter of each stays where searches begin, for
     * nothing would stop it.
     */
    Fit fitIdentified(boolean restarts) {
        List<Integer> held = DataChecks.undecided(problem, first.phi());
        if (held.isEmpty()) {
            return fit(restarts);
        }
        double[] start = problem.start();
        ChoiceModel model = problem.model();
        RestrictedReward utility = new RestrictedReward(
                model.utility(), Hypothesis.holding(held, start, model.utility().names()));
        ChoiceProblem restricted = new ChoiceProblem(model.withUtility(utility), problem.panel());
        int[] free =
                IntStream.range(0, start.length).filter(j -> !held.contains(j)).toArray();
        Fit fit;
        if (free.length == 0) {
            fit = Fit.likelihood(new double[0], first.phi(), new Search(0, true, "nothing can be estimated", 0));
        } else {
            ChoiceProblem begun =
                    problem.startGiven() ? restricted.startingAt(ParameterRules.part(start, free)) : restricted;
            CheckedSearch search = new CheckedSearch(begun, first, method, stream, listener);
            fit = search.fit(restarts);
            by = search.method();
        }
        return fit.at(utility.theta(fit.theta()));
    }

    /**
     * The first fit that holds, or the most likely of those that do not, which then has not converged.
     *
     * @param restarts whether to begin again after a failure
     */
    Fit fit(boolean restarts) {
        ChoiceProblem withoutStart = problem.startingAt();
        search(problem.startGiven() ? "the starting values" : USUAL, method, problem);
        boolean compared = comparable();
        String elsewhere = compared ? "the flexible logit" : USUAL;
        if (restarts && problem.startGiven() && failed()) {
            search(compared ? "zero" : USUAL, method, withoutStart);
        }
        if (restarts && failed() && method.maximisesLikelihood() && !unbounded()) {
            benchmark().theta().ifPresent(theta -> {
                if (compared) {
                    search(elsewhere, method, withoutStart.startingAt(theta));
                }
                for (NestedFixedPoint.Search search :
                        List.of(NestedFixedPoint.Search.LBFGS, NestedFixedPoint.Search.SCORING)) {
                    if (failed()) {
                        NestedFixedPoint other =
                                NestedFixedPoint.standard().by(search).full(joint());
                        search(elsewhere + " by " + search.words(), other, withoutStart.startingAt(theta));
                    }
                }
            });
        }
        return result();
    }

    private boolean failed() {
        Attempt last = attempts.getLast();
        return !last.good() && !last.flaw.startsWith(NOT_UNIQUE);
    }

    private boolean joint() {
        return attempts.stream()
                .flatMap(attempt -> attempt.fit.stream())
                .anyMatch(fit -> fit.kind() == Fit.Kind.FULL_LIKELIHOOD);
    }

    /** Whether the likelihood rises without end where the last search was left, so that no start could help. */
    private boolean unbounded() {
        return attempts.getLast()
                .fit
                .filter(fit -> problem.model().utility().rules().none()
                        && DataChecks.noMaximum(problem, fit.theta(), fit.phi()))
                .isPresent();
    }

    private void search(String from, PanelMethod by, ChoiceProblem start) {
        try {
            Fit fit = by.fit(start, first, stream, listener);
            if (!Vec.isFinite(fit.theta())) {
                throw new ArithmeticException("the search ended at parameters that are not finite");
            }
            if (fit.kind() == Fit.Kind.OTHER) {
                String flaw = fit.converged() ? "" : fit.status();
                attempts.add(new Attempt(by.name(), from, Optional.of(fit), Double.NaN, flaw));
                return;
            }
            boolean joint = fit.kind() == Fit.Kind.FULL_LIKELIHOOD;
            ChoiceInference there = new ChoiceInference(problem, first, fit.theta(), fit.phi(), joint);
            attempts.add(new Attempt(
                    by.name(),
                    from,
                    Optional.of(fit),
                    there.choiceLogLikelihood() + there.unseenLogLikelihood(),
                    flaw(fit, there, joint)));
        } catch (ArithmeticException | BadInput e) {
            if (!start.startGiven() && e instanceof BadInput) {
                throw e; // not the start's fault
            }
            String why = e instanceof BadInput input ? input.problem() : String.valueOf(e.getMessage());
            attempts.add(new Attempt(by.name(), from, Optional.empty(), Double.NEGATIVE_INFINITY, why));
        }
    }

    private String flaw(Fit fit, ChoiceInference there, boolean joint) {
        if (!fit.converged()) {
            return fit.status();
        }
        double[][] information = there.information(StandardErrors.OPG);
        int[] free = there.free();
        Stationarity stationarity =
                Stationarity.of(ParameterRules.part(information, free), ParameterRules.part(there.gradient(), free));
        if (!stationarity.reached(problem.panel().decisions())) {
            return "not converged: by its gradient the maximum is %.2g standard errors away"
                    .formatted(stationarity.distance());
        }
        double elsewhere = benchmark().logLikelihood();
        if (there.choiceLogLikelihood() < elsewhere - ROUNDING * (1 + Math.abs(elsewhere))) {
            return "not converged: the log-likelihood is larger elsewhere, " + shown(elsewhere);
        }
        List<String> names =
                joint ? problem.model().parameters() : problem.model().utility().names();
        return stationarity.definite()
                ? ""
                : NOT_UNIQUE
                        + Identification.of(ParameterRules.part(information, free), some(names, free))
                                .describe();
    }

    static List<String> some(List<String> names, int[] which) {
        return Arrays.stream(which).mapToObj(names::get).toList();
    }

    /** Whether a flexible logit of the choices implies parameters to compare with: only linear ones that are free. */
    private boolean comparable() {
        Reward utility = problem.model().utility();
        return utility.linear() && utility.rules().none() && problem.panel().unseen() == 0;
    }

    private Benchmark benchmark() {
        Benchmark known = benchmark;
        if (!comparable()) {
            known = new Benchmark(Optional.of(problem.startingAt().start()), Double.NEGATIVE_INFINITY);
            benchmark = known;
        }
        if (known == null) {
            try {
                double[] theta = Ccp.standard().parameters(problem.startingAt(), first);
                double value = new RowScores(problem.model(), problem.choiceCounts(), first.phi(), false).solve(theta);
                known = new Benchmark(Optional.of(theta).filter(Vec::isFinite), value);
            } catch (BadInput | ArithmeticException e) {
                known = new Benchmark(Optional.empty(), Double.NEGATIVE_INFINITY);
            }
            benchmark = known;
        }
        return known;
    }

    /** What found the result: the method, or {@code mpec, then nfxp} where another took over. */
    String method() {
        if (attempts.isEmpty()) {
            return by;
        }
        String last = chosen().by;
        return last.equals(method.name()) ? last : "%s, then %s".formatted(method.name(), last);
    }

    private Attempt chosen() {
        Attempt chosen = attempts.getLast();
        for (Attempt attempt : attempts) {
            boolean better = attempt.logLikelihood > chosen.logLikelihood || chosen.fit.isEmpty();
            chosen = failed() && attempt.fit.isPresent() && better ? attempt : chosen;
        }
        return chosen;
    }

    private Fit result() {
        Attempt chosen = chosen();
        String flaw = chosen.flaw;
        Fit fit = chosen.fit.orElseThrow(() -> new ArithmeticException(flaw));
        Search search = fit.search().ended(chosen.good(), chosen.good() ? fit.status() : flaw);
        List<String> warnings = new ArrayList<>(fit.warnings());
        if (attempts.size() > 1) {
            warnings.addFirst(history(chosen));
        }
        return fit.with(search, warnings);
    }

    private static String shown(double logLikelihood) {
        return String.format(Locale.ROOT, logLikelihood > -1e9 ? "%,.3f" : "%.3g", logLikelihood);
    }

    private String history(Attempt chosen) {
        StringBuilder words = new StringBuilder();
        for (Attempt attempt : attempts) {
            if (!attempt.from.equals(chosen.from)) {
                words.append(words.isEmpty() ? "the search from " : "; that from ")
                        .append(attempt.from);
                words.append(
                        attempt.logLikelihood > Double.NEGATIVE_INFINITY
                                ? " ended at log-likelihood " + shown(attempt.logLikelihood)
                                : " failed");
                words.append(" (").append(attempt.flaw.replaceFirst(";.*", "")).append(')');
            }
        }
        return words + RESTARTED + chosen.from;
    }
}
