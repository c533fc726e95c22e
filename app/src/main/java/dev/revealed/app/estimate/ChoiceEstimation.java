package dev.revealed.app.estimate;

import dev.revealed.app.Outcome;
import dev.revealed.app.Words;
import dev.revealed.estimate.Estimate;
import dev.revealed.estimate.choice.ChoiceProblem;
import dev.revealed.estimate.choice.FirstStage;
import dev.revealed.estimate.choice.Fit;
import dev.revealed.estimate.choice.PanelMethod;
import dev.revealed.estimate.choice.inference.Bootstrap;
import dev.revealed.estimate.choice.inference.ChoiceEstimator;
import dev.revealed.estimate.choice.inference.Hypothesis;
import dev.revealed.estimate.choice.inference.LikelihoodRatio;
import dev.revealed.estimate.choice.inference.StandardErrors;
import dev.revealed.estimate.choice.inference.TestResult;
import dev.revealed.estimate.choice.inference.Wald;
import dev.revealed.mdp.choice.ChoiceModel;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.numeric.RandomStream;
import dev.revealed.runs.Journal;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.DoubleStream;
import org.jspecify.annotations.Nullable;

/** Estimates a dynamic discrete-choice model on a panel, and tests what was asked. */
final class ChoiceEstimation {
    private static final int REPLICATIONS = 500;

    private final ChoiceOptions options;
    private final String method;
    private final Map<String, String> typed;
    private final Supplier<Path> journal;

    /**
     * @param typed what was typed after each option
     * @param journal where a bootstrap keeps what it has finished
     */
    ChoiceEstimation(ChoiceOptions options, String method, Map<String, String> typed, Supplier<Path> journal) {
        this.options = options;
        this.method = method;
        this.typed = typed;
        this.journal = journal;
    }

    Outcome outcome(long seed, ProgressListener listener) {
        String model = options.model;
        if (model == null || options.data == null) {
            throw new BadInput("no panel is given", "Name its CSV file with --data.");
        }
        double level = options.level == null ? 0.95 : options.level;
        if (!(level > 0 && level < 1)) {
            throw new BadInput("--level is " + level, "Give a number between 0 and 1, for example 0.95.");
        }
        if (options.types != null) {
            return new TypesEstimation(options, typed).outcome(model, options.data, level, seed, listener);
        }
        refuseTypeOptions();
        StandardErrors kind = standardErrors();
        Methods.OnModel chosen = Methods.of(method, typed);
        ChoiceModels.Named named =
                ChoiceModels.read(model, ChoiceOptions.withDiscount(options.set, typed), options.data, listener);
        List<Hypothesis> hypotheses = options.tests.stream()
                .map(text -> Hypothesis.parse(text, ChoiceModels.names(named.model())))
                .toList();
        ChoiceProblem problem = new ChoiceProblem(named.model(), named.panel());
        Remembering panelMethod = new Remembering(chosen.on(named.model()));
        RandomStream stream = RandomStream.of(seed);
        try (Replications replications = new Replications(journal)) {
            int count = options.bootstrap == null ? REPLICATIONS : options.bootstrap;
            Estimate estimate = new ChoiceEstimator(
                            panelMethod, kind, new ChoiceEstimator.Replications(count, replications::store))
                    .fit(problem, stream, listener);
            Tests tests = new Tests(hypotheses, estimate, problem, panelMethod.found(), restricted(named.model()))
                    .run(stream, listener);
            return new ChoiceView(named, estimate, level, seed)
                    .with(tests.done, tests.failed)
                    .with(replications.result(ChoiceModels.names(named.model()), estimate, count))
                    .outcome(options.latex);
        }
    }

    private void refuseTypeOptions() {
        for (String option : List.of("--type-parameters", "--types-by-start")) {
            if (typed.containsKey(option)) {
                throw new BadInput(option + " has no effect without --types", "Say how many types, as --types 2.");
            }
        }
    }

    /** The method for models with fewer parameters: starting values are of all of them. */
    private PanelMethod restricted(ChoiceModel model) {
        Map<String, String> others = new HashMap<>(typed);
        others.remove("--start");
        return Methods.of(method, others).on(model);
    }

    /** A method that remembers what it found first: tests start from there, and bootstraps come after. */
    private static final class Remembering implements PanelMethod {
        private final PanelMethod method;
        private @Nullable Fit found;

        Remembering(PanelMethod method) {
            this.method = method;
        }

        @Override
        public String name() {
            return method.name();
        }

        @Override
        public Fit fit(ChoiceProblem problem, FirstStage first, RandomStream stream, ProgressListener listener) {
            Fit fit = method.fit(problem, first, stream, listener);
            remember(fit);
            return fit;
        }

        private synchronized void remember(Fit fit) {
            found = found == null ? fit : found;
        }

        synchronized Fit found() {
            return Objects.requireNonNull(found, "nothing was fitted yet");
        }
    }

    /** Tests of hypotheses. One that cannot be made costs nobody the estimate; the result says why there is none. */
    private static final class Tests {
        private final List<Hypothesis> hypotheses;
        private final Estimate estimate;
        private final ChoiceProblem problem;
        private final Fit fit;
        private final PanelMethod method;
        private final List<TestResult> done = new ArrayList<>();
        private final List<String> failed = new ArrayList<>();

        Tests(List<Hypothesis> hypotheses, Estimate estimate, ChoiceProblem problem, Fit fit, PanelMethod method) {
            this.hypotheses = hypotheses;
            this.estimate = estimate;
            this.problem = problem;
            this.fit = fit;
            this.method = method;
        }

        Tests run(RandomStream stream, ProgressListener listener) {
            for (Hypothesis hypothesis : hypotheses) {
                attempt(() -> Wald.test(hypothesis, estimate.theta(), estimate.covariance()));
                if (fit.kind() != Fit.Kind.OTHER) { // else there is no likelihood at its maximum
                    attempt(() -> LikelihoodRatio.test(problem, method, fit, hypothesis, stream, listener)
                            .test());
                }
            }
            return this;
        }

        private void attempt(Supplier<TestResult> test) {
            try {
                done.add(test.get());
            } catch (BadInput e) {
                failed.add(e.problem() + ". " + e.remedy());
            }
        }
    }

    /** Keeps the replications of a bootstrap in a file as they finish, and here for intervals. */
    private static final class Replications implements AutoCloseable {
        private final Supplier<Path> file;
        private final List<Bootstrap.Replication> all = new ArrayList<>();
        private @Nullable Journal<Bootstrap.Replication> journal;

        Replications(Supplier<Path> file) {
            this.file = file;
        }

        Bootstrap.Store store(String fingerprint) {
            Journal<Bootstrap.Replication> opened =
                    Journal.open(file.get(), "bootstrap", fingerprint, Bootstrap.Replication.class);
            journal = opened;
            all.addAll(opened.entries());
            return Bootstrap.Store.of(opened.entries(), replication -> {
                opened.append(replication);
                all.add(replication);
            });
        }

        Optional<Bootstrap.Result> result(List<String> names, Estimate estimate, int count) {
            if (all.isEmpty()) {
                return Optional.empty();
            }
            double[][] draws = all.stream()
                    .filter(r -> r.succeeded() && r.number() < count)
                    .sorted(Comparator.comparingInt(Bootstrap.Replication::number))
                    .map(r -> DoubleStream.concat(Arrays.stream(r.theta()), Arrays.stream(r.phi()))
                            .toArray())
                    .toArray(double[][]::new);
            return Optional.of(new Bootstrap.Result(names, estimate.theta(), draws, count - draws.length, List.of()));
        }

        @Override
        public void close() {
            if (journal != null) {
                journal.close();
            }
        }
    }

    private StandardErrors standardErrors() {
        if (options.bootstrap != null && options.bootstrap < 2) {
            throw new BadInput("--bootstrap is " + options.bootstrap, "Ask for at least 2 replications; 500 is usual.");
        }
        StandardErrors otherwise = options.bootstrap == null ? StandardErrors.OPG : StandardErrors.BOOTSTRAP;
        StandardErrors kind = options.standardErrors == null
                ? otherwise
                : Words.choose("--se", options.standardErrors, List.of(StandardErrors.values()));
        if (kind != StandardErrors.BOOTSTRAP && (options.bootstrap != null || options.resume)) {
            throw new BadInput(
                    (options.bootstrap != null ? "--bootstrap" : "--resume") + " has no effect with --se " + kind,
                    "It belongs to --se bootstrap.");
        }
        return kind;
    }
}
