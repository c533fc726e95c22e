package dev.revealed.app.estimate;

import dev.revealed.app.Outcome;
import dev.revealed.app.Words;
import dev.revealed.estimate.Clock;
import dev.revealed.estimate.Estimate;
import dev.revealed.estimate.choice.ChoiceProblem;
import dev.revealed.estimate.choice.Clusters;
import dev.revealed.estimate.choice.Fit;
import dev.revealed.estimate.choice.PanelMethod;
import dev.revealed.estimate.choice.hidden.HiddenEstimator;
import dev.revealed.estimate.choice.hidden.RecursiveIntegration;
import dev.revealed.estimate.choice.inference.Bootstrap;
import dev.revealed.estimate.choice.inference.ChoiceEstimate;
import dev.revealed.estimate.choice.inference.ChoiceEstimator;
import dev.revealed.estimate.choice.inference.Criteria;
import dev.revealed.estimate.choice.inference.FitTest;
import dev.revealed.estimate.choice.inference.HeldOut;
import dev.revealed.estimate.choice.inference.Hypothesis;
import dev.revealed.estimate.choice.inference.LikelihoodRatio;
import dev.revealed.estimate.choice.inference.Profile;
import dev.revealed.estimate.choice.inference.StandardErrors;
import dev.revealed.estimate.choice.inference.TestResult;
import dev.revealed.estimate.choice.inference.Wald;
import dev.revealed.estimate.choice.mixed.MixedEstimator;
import dev.revealed.estimate.choice.mixed.Population;
import dev.revealed.estimate.choice.types.TypesEstimator;
import dev.revealed.mdp.Likelihood;
import dev.revealed.mdp.choice.ChoiceModel;
import dev.revealed.mdp.choice.Panel;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.task.TaskRunner;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Estimates a dynamic discrete-choice model on a panel, and tests what was asked.
 *
 * @param typed what was typed after each option
 * @param readers of the pieces of a large panel
 * @param runner of bootstrap replications and of the values of profiles
 */
record ChoiceEstimation(
        ChoiceOptions options, String method, Map<String, String> typed, TaskRunner readers, TaskRunner runner) {
    private static final int REPLICATIONS = 500;

    /** By how much of the log-likelihood twice the nodes of a hidden variable may differ. */
    private static final double NODES_ERROR = 0.01;

    private static final int DOUBLINGS = 4;
    private static final int MOST_NODES = 127;

    /** How each method values choices where there are unobserved types. */
    private static final Map<String, TypesEstimator.Form> FORMS =
            Map.of("nfxp", TypesEstimator.Form.FULL, "npl", TypesEstimator.Form.NPL, "ccp", TypesEstimator.Form.CCP);

    /** Tests of hypotheses, and why others could not be made: a failed test does not stop the estimation. */
    record Tests(List<TestResult> done, List<String> failed) {
        Tests() {
            this(new ArrayList<>(), new ArrayList<>());
        }

        private void attempt(Supplier<TestResult> test) {
            try {
                done.add(test.get());
            } catch (BadInput e) {
                failed.add(e.problem() + ". " + e.remedy());
            }
        }
    }

    Outcome outcome(long seed, ProgressListener listener) {
        try {
            return estimated(seed, listener);
        } catch (ArithmeticException unsolved) {
            throw new BadInput(
                    "no estimate was found: %s".formatted(unsolved.getMessage()),
                    "Try other values of --start or another --method, or fix a parameter that the data may not identify.");
        }
    }

    private Outcome estimated(long seed, ProgressListener listener) {
        if (options.model == null || (options.data == null && options.query == null)) {
            throw new BadInput("no panel is given", "Name its file with --data.");
        }
        ChoiceModels.Source source = source();
        double level = options.level == null ? 0.95 : options.level;
        if (!(level > 0 && level < 1)) {
            throw new BadInput("--level is " + level, "Give a number between 0 and 1, for example 0.95.");
        }
        if (method.equals(Methods.RECURSIVE)) {
            return hidden(options.model, source, level, seed, listener);
        }
        Tests tests = new Tests();
        RandomStream stream = RandomStream.of(seed);
        ChoiceModels.Named read = read(options.model, source, listener);
        Optional<Population> differing = population(read);
        if (differing.isPresent()) {
            return mixed(read, differing.get(), level, seed, listener);
        }
        if (options.types != null) {
            TypesEstimator estimator = types(options.types);
            ChoiceModels.Named named = read;
            ChoiceEstimate found = estimator.fit(problem(named), stream, listener);
            List<String> names = found.estimate().parameters().stream()
                    .map(Estimate.Parameter::name)
                    .toList();
            for (String text : options.tests) { // no likelihood ratio: it is that of a mixture
                tests.done.add(wald(Hypothesis.parse(text, names), found.estimate()));
            }
            return new ChoiceView(
                            named,
                            found,
                            tests,
                            Judgement.of(named.problem(), found.estimate()),
                            plainTypes(named.model()),
                            Optional.empty(),
                            level,
                            seed)
                    .outcome(options.latex);
        }
        refuse(
                List.of("--type-parameters", "--types-by-start"),
                "without --types",
                "Say how many types, as --types 2.");
        ChoiceModels.Named named = read;
        StandardErrors kind = standardErrors(named.panel());
        PanelMethod chosen = Methods.of(method(named.panel()), typed);
        List<Hypothesis> hypotheses = options.tests.stream()
                .map(text -> Hypothesis.parse(text, named.model().parameters()))
                .toList();
        Split split = split(named, stream);
        ChoiceModels.Named used = split.used;
        ChoiceProblem problem = problem(used);
        // Who limits the iterations wants to see where they lead, not another search.
        ChoiceEstimate found = new ChoiceEstimator(chosen, kind, replications(), !typed.containsKey("--iterations"))
                .fit(problem, stream, listener);
        for (Hypothesis hypothesis : hypotheses) {
            if (!found.estimate().converged()) {
                tests.failed.add(
                        "H0 %s was not tested, since the search has not converged".formatted(hypothesis.text()));
                continue;
            }
            tests.attempt(() -> wald(hypothesis, found.estimate()));
            if (found.fit().kind() != Fit.Kind.OTHER && !sampled(named.panel())) { // else there is no likelihood
                tests.attempt(() -> LikelihoodRatio.test(problem, chosen, found.fit(), hypothesis, stream, listener)
                        .test());
            }
        }
        Judgement judgement = new Judgement(
                Criteria.of(problem, found.estimate()),
                options.fitBy.stream()
                        .map(by -> FitTest.of(problem, found.fit(), by))
                        .toList(),
                split.aside.map(aside -> score(problem.withPanel(aside), found.fit())),
                profiles(problem, chosen, found, stream, listener));
        return new ChoiceView(used, found, tests, judgement, Optional.empty(), Optional.empty(), level, seed)
                .outcome(options.latex);
    }

    private static final Pattern PROFILE = Pattern.compile("([^=]+?)(?:=([^:]+):([^:]+):([^:]+))?");
    private static final double[] DISCOUNTS = {0, 0.3, 0.5, 0.7, 0.8, 0.85, 0.9, 0.925, 0.95, 0.97, 0.98, 0.99, 0.995};

    private List<Profile> profiles(
            ChoiceProblem problem,
            PanelMethod method,
            ChoiceEstimate found,
            RandomStream stream,
            ProgressListener listener) {
        if (options.profile.isEmpty()) {
            return List.of();
        }
        List<Profile.Request> requests = options.profile.stream()
                .map(text -> profile(text, problem, method, found, stream))
                .toList();
        String inputs =
                Bootstrap.ofIndividuals(problem, method, found.fit(), stream).fingerprint();
        return Profile.of(requests, "%s %s".formatted(inputs, options.profile), runner, listener);
    }

    private ChoiceEstimator.Replications replications() {
        return new ChoiceEstimator.Replications(options.bootstrap == null ? REPLICATIONS : options.bootstrap, runner);
    }

    private static Profile.Request profile(
            String text, ChoiceProblem problem, PanelMethod method, ChoiceEstimate found, RandomStream stream) {
        Matcher matcher = PROFILE.matcher(text.strip());
        BadInput.when(
                !matcher.matches(),
                "--profile is '%s'".formatted(text),
                "Write discount, discount=0.5:0.99:20 or RC=5:15:11: a name, the ends and the number of values.");
        BadInput.when(
                !method.maximisesLikelihood(),
                "a profile needs maximum likelihood, which %s is not".formatted(method.name()),
                "Use nfxp, ml-irl, npl or mpec.");
        String name = matcher.group(1).strip();
        boolean discount = name.equals("discount");
        List<String> names = problem.model().utility().names();
        if (!discount && !names.contains(name)) {
            throw Words.unknown(
                    "--profile names '%s'".formatted(name),
                    name,
                    Stream.concat(Stream.of("discount"), names.stream()).toList());
        }
        double[] values = matcher.group(2) != null
                ? spaced(text, matcher)
                : discount ? DISCOUNTS : around(found.estimate().parameters().get(names.indexOf(name)));
        RandomStream own = stream.named("profile " + name);
        return discount
                ? Profile.ofDiscount(problem, method, values, own)
                : Profile.of(problem, method, found.fit(), name, values, own);
    }

    private static double[] spaced(String text, Matcher matcher) {
        try {
            double from = Double.parseDouble(matcher.group(2).strip());
            double to = Double.parseDouble(matcher.group(3).strip());
            int count = Integer.parseInt(matcher.group(4).strip());
            BadInput.when(
                    !(from < to && count >= 2 && count <= 1000),
                    "--profile is '%s'".formatted(text),
                    "Give a smaller and a larger value, and from 2 to 1000 values.");
            return IntStream.range(0, count)
                    .mapToDouble(i -> from + (to - from) * i / (count - 1))
                    .toArray();
        } catch (NumberFormatException e) {
            throw new BadInput("--profile is '%s'".formatted(text), "Write numbers, as RC=5:15:11.");
        }
    }

    /** Three standard errors to either side. */
    private static double[] around(Estimate.Parameter estimate) {
        double error = estimate.standardError().orElse(Math.max(1, Math.abs(estimate.value())) / 3);
        return IntStream.rangeClosed(-6, 6)
                .mapToDouble(i -> estimate.value() + 0.5 * i * error)
                .toArray();
    }

    /** Types as a population, where their members do not depend on where they were first seen. */
    private Optional<Population> plainTypes(ChoiceModel model) {
        return options.types == null || options.typesByStart
                ? Optional.empty()
                : Optional.of(Population.of(model).types(options.types, options.typeParameters));
    }

    /**
     * How individuals differ, where that is for the mixed estimator: random coefficients, covariates, an estimated
     * discount, and types that need more than the outer products of EM.
     */
    private Optional<Population> population(ChoiceModels.Named named) {
        boolean asked = !options.random.isEmpty() || !options.interact.isEmpty() || options.estimateDiscount;
        boolean more = Stream.of("--se", "--bootstrap", "--resume", "--held-out", "--held-out-periods")
                        .anyMatch(typed::containsKey)
                || named.panel().weighted()
                || Clusters.named(named.panel())
                || !named.model().isLogit();
        refuse(
                options.random.isEmpty() && options.points != null ? List.of("--points") : List.of(),
                "without --random",
                "It says how many points a normal coefficient is summed over.");
        if (!asked && !(options.types != null && more)) {
            return Optional.empty();
        }
        String by = typed.getOrDefault("--method", "nfxp");
        String what = options.types != null
                ? "--types with %s"
                        .formatted(
                                asked
                                        ? "covariates or an estimated discount"
                                        : "these standard errors, weights, held-out data or shocks")
                : "--random, --interact and --estimate-discount";
        if (!by.equals("nfxp")) {
            throw new BadInput(
                    "%s do not go with --method %s".formatted(what, by),
                    "They are maximum likelihood with the model solved: use --method nfxp.");
        }
        Set<String> others = new HashSet<>(Methods.options());
        others.add("--fit-by");
        others.add("--profile");
        others.remove("--iterations");
        refuse(others, "where individuals differ or the discount is estimated", "Drop it.");
        BadInput.when(
                options.typesByStart,
                "--types-by-start goes only with the standard errors of EM",
                "Drop --se, --bootstrap, weights, clusters, covariates and shocks, or --types-by-start.");
        BadInput.when(
                options.types != null && options.typeParameters.isEmpty(),
                "no parameter differs between the types",
                "Name at least one, as --type-parameters RC.");
        List<Population.Interaction> interactions = options.interact.stream()
                .map(text -> {
                    String[] parts = text.split(":", -1);
                    BadInput.when(
                            parts.length != 2,
                            "--interact is '%s'".formatted(text),
                            "Write a parameter and a covariate, as RC:income.");
                    return new Population.Interaction(parts[0].strip(), parts[1].strip());
                })
                .toList();
        Population population = Population.of(named.model())
                .random(options.random)
                .interacting(interactions, named.panel().covariates())
                .points(options.points == null ? Population.POINTS : options.points);
        population = options.types == null ? population : population.types(options.types, options.typeParameters);
        return Optional.of(options.estimateDiscount ? population.withDiscount() : population);
    }

    private Outcome mixed(
            ChoiceModels.Named named, Population population, double level, long seed, ProgressListener listener) {
        RandomStream stream = RandomStream.of(seed);
        Tests tests = new Tests();
        StandardErrors kind = standardErrors(named.panel());
        List<String> names = new ArrayList<>(population.names());
        names.addAll(named.model().law().names());
        List<Hypothesis> hypotheses = options.tests.stream()
                .map(text -> Hypothesis.parse(text, names))
                .toList();
        Split split = split(named, stream);
        ChoiceModels.Named used = split.used;
        ChoiceProblem problem = problem(used);
        MixedEstimator standard = MixedEstimator.of(population);
        String iterations = typed.get("--iterations");
        ChoiceEstimate found = new MixedEstimator(
                        population,
                        kind,
                        replications(),
                        standard.starts(),
                        iterations == null ? standard.iterations() : Integer.parseInt(iterations))
                .fit(problem, stream, listener);
        for (Hypothesis hypothesis : hypotheses) { // no likelihood ratio: at its edge a spread has none
            tests.attempt(() -> wald(hypothesis, found.estimate()));
            if (population.discount() && hypothesis.text().contains("discount")) {
                tests.failed.add(
                        "H0 %s: a Wald test of a discount may reject what its likelihood does not; compare --profile discount, without --estimate-discount"
                                .formatted(hypothesis.text()));
            }
        }
        Judgement judgement = new Judgement(
                Criteria.of(problem, found.estimate()),
                List.of(),
                split.aside.map(aside -> {
                    // Periods held out are judged given what the individual did before: all that it did, less that.
                    Panel judged = options.heldOutPeriods == null ? aside : named.panel();
                    double known = options.heldOutPeriods == null
                            ? 0
                            : found.estimate().choiceLogLikelihood().orElseThrow();
                    double all = MixedEstimator.logLikelihood(problem.withPanel(judged), population, found.fit());
                    return HeldOut.Score.of(problem.withPanel(aside), all - known);
                }),
                List.of());
        return new ChoiceView(used, found, tests, judgement, Optional.of(population), Optional.empty(), level, seed)
                .outcome(options.latex);
    }

    private static HeldOut.Score score(ChoiceProblem aside, Fit fit) {
        double[] logPolicy = aside.model().solve(fit.theta(), fit.phi()).logPolicy();
        return HeldOut.Score.of(aside, Likelihood.weightedSum(aside.choiceCounts(), logPolicy));
    }

    /** What to think of a fit. */
    record Judgement(
            Criteria criteria, List<FitTest> fitTests, Optional<HeldOut.Score> heldOut, List<Profile> profiles) {
        static Judgement of(ChoiceProblem problem, Estimate estimate) {
            return new Judgement(Criteria.of(problem, estimate), List.of(), Optional.empty(), List.of());
        }
    }

    /** The panel in two parts, where some of it is to be kept aside. */
    private Optional<HeldOut> heldOut(Panel panel, RandomStream stream) {
        String share = typed.get("--held-out");
        BadInput.when(
                share != null && options.heldOutPeriods != null,
                "--held-out and --held-out-periods are given together",
                "Hold out individuals or periods, not both.");
        if (options.heldOutPeriods != null) {
            return Optional.of(HeldOut.lastDecisions(panel, options.heldOutPeriods));
        }
        return share == null
                ? Optional.empty()
                : Optional.of(HeldOut.individuals(panel, Double.parseDouble(share), stream.named("held-out")));
    }

    /** A model with a hidden variable: nodes are doubled until the likelihood at the estimate does not feel it. */
    private Outcome hidden(String model, ChoiceModels.Source data, double level, long seed, ProgressListener listener) {
        Set<String> others = new HashSet<>(Methods.options());
        others.addAll(Set.of("--types", "--type-parameters", "--types-by-start", "--random", "--interact"));
        others.addAll(Set.of("--estimate-discount", "--fit-by", "--profile", "--held-out-periods"));
        refuse(others, "with --method " + Methods.RECURSIVE, "Drop it.");
        ChoiceModels.Named read = read(model, data, listener);
        BadInput.when(
                RecursiveIntegration.hidden(read.model()).isEmpty(),
                "--method recursive integrates over a hidden variable, and %s has none".formatted(model),
                "Use nfxp, or say hidden: {shock: rho} in the model.");
        RandomStream stream = RandomStream.of(seed);
        HiddenEstimator estimator =
                new HiddenEstimator(RecursiveIntegration.standard(), standardErrors(read.panel()), replications());
        Split split = split(read, stream);
        ChoiceProblem problem = problem(split.used);
        estimator.check(problem);
        Clock clock = new Clock();
        Fit fit = estimator.method().fit(problem, problem.firstStage(), stream, listener);
        double error = Double.POSITIVE_INFINITY;
        for (int doubling = 0; fit.converged() && doubling < DOUBLINGS; doubling++) {
            int more = 2 * HiddenView.nodes(problem.model()) + 1;
            Map<String, String> set = new HashMap<>(ChoiceOptions.withDiscount(options.set, typed));
            set.put("nodes", Integer.toString(more));
            Split finer = split(ChoiceModels.read(model, set, data, listener), stream);
            ChoiceProblem next = finer.used.problem();
            double[] x = fit.parameters();
            error = RecursiveIntegration.logLikelihood(next, x) - RecursiveIntegration.logLikelihood(problem, x);
            if (Math.abs(error) <= NODES_ERROR || more > MOST_NODES) {
                break;
            }
            split = finer;
            problem = next;
            fit = estimator.method().beginningAt(x).fit(problem, problem.firstStage(), stream, listener);
        }
        ChoiceEstimate found = estimator.report(problem, fit, clock, stream, listener);
        Tests tests = new Tests();
        for (String hypothesis : options.tests) {
            Hypothesis parsed = Hypothesis.parse(hypothesis, problem.model().parameters());
            tests.attempt(() -> wald(parsed, found.estimate()));
        }
        double[] x = fit.parameters();
        Judgement judgement = new Judgement(
                Criteria.of(problem, found.estimate()),
                List.of(),
                split.aside
                        .map(problem::withPanel)
                        .map(aside -> HeldOut.Score.of(aside, RecursiveIntegration.choiceLogLikelihood(aside, x))),
                List.of());
        HiddenView hidden = new HiddenView(
                HiddenView.nodes(problem.model()),
                error,
                Math.abs(error) <= NODES_ERROR,
                RecursiveIntegration.smoothed(problem, x));
        return new ChoiceView(split.used, found, tests, judgement, Optional.empty(), Optional.of(hidden), level, seed)
                .outcome(options.latex);
    }

    /** A panel without what is held out of it. */
    private record Split(ChoiceModels.Named used, Optional<Panel> aside) {}

    private Split split(ChoiceModels.Named read, RandomStream stream) {
        Optional<HeldOut> held = heldOut(read.panel(), stream);
        return new Split(held.map(own -> read.with(own.rest())).orElse(read), held.map(HeldOut::aside));
    }

    private static TestResult wald(Hypothesis hypothesis, Estimate estimate) {
        return Wald.test(hypothesis, estimate.theta(), estimate.covariance());
    }

    /** Reads the panel, which names the line and the column of what is wrong with it. */
    void check() {
        if (options.model != null && (options.data != null || options.query != null)) {
            read(options.model, source(), ProgressListener.NONE);
        }
    }

    private ChoiceModels.Source source() {
        return new ChoiceModels.Source(Optional.ofNullable(options.data), Optional.ofNullable(options.query), readers);
    }

    private ChoiceModels.Named read(String model, ChoiceModels.Source data, ProgressListener listener) {
        return ChoiceModels.read(model, ChoiceOptions.withDiscount(options.set, typed), data, listener);
    }

    /** The problem with the starting values that were typed, if any. */
    private ChoiceProblem problem(ChoiceModels.Named named) {
        String text = typed.get("--start");
        if (text == null) {
            return named.problem();
        }
        Map<String, Double> values = Words.numbers("--start", text);
        List<String> names = named.model().utility().names();
        List<String> ofLaw = named.model().law().names();
        for (String name : values.keySet()) {
            if (ofLaw.contains(name)) {
                throw new BadInput(
                        "--start names '%s', a parameter of the transition law".formatted(name),
                        "The law is estimated from the observed transitions alone, and needs no starting values; "
                                + "--likelihood full starts at that estimate. --start takes parameters of the utility: %s."
                                        .formatted(String.join(", ", names)));
            }
        }
        return named.problem().startingAt(Words.ordered("--start", values, names));
    }

    private void refuse(Iterable<String> ignored, String where, String remedy) {
        for (String option : ignored) {
            if (typed.containsKey(option)) {
                throw new BadInput(option + " has no effect " + where, remedy);
            }
        }
    }

    /** With unobserved types, standard errors are of their own kind, and so are the steps. */
    private TypesEstimator types(int count) {
        Set<String> others = new HashSet<>(Methods.options());
        others.addAll(
                Set.of("--se", "--bootstrap", "--resume", "--fit-by", "--profile", "--held-out", "--held-out-periods"));
        others.remove("--iterations");
        refuse(others, "with --types", "Drop it, or estimate without unobserved types.");
        if (count < 2) {
            throw new BadInput(
                    "--types is " + count,
                    "Ask for at least 2; without --types all individuals have the same parameters.");
        }
        if (options.typeParameters.isEmpty()) {
            throw new BadInput("no parameter differs between the types", "Name at least one, as --type-parameters RC.");
        }
        String by = typed.getOrDefault("--method", "nfxp");
        TypesEstimator.Form form = FORMS.get(by);
        if (form == null) {
            throw Words.unknown(
                    "--types does not go with --method " + by, by, List.copyOf(new TreeSet<>(FORMS.keySet())));
        }
        TypesEstimator standard = TypesEstimator.of(count, options.typeParameters.toArray(String[]::new))
                .by(form)
                .initial(options.typesByStart);
        String iterations = typed.get("--iterations");
        return iterations == null ? standard : standard.limitedTo(Integer.parseInt(iterations));
    }

    /** The method that was typed, else ML-IRL, or nested fixed point where ML-IRL would refuse the panel. */
    private String method(Panel panel) {
        return typed.getOrDefault("--method", panel.unseen() > 0 ? "nfxp" : method);
    }

    private static boolean sampled(Panel panel) {
        return panel.weighted() && panel.weights() == Panel.Weights.SAMPLING;
    }

    private StandardErrors standardErrors(Panel panel) {
        if (options.bootstrap != null && options.bootstrap < 2) {
            throw new BadInput("--bootstrap is " + options.bootstrap, "Ask for at least 2 replications; 500 is usual.");
        }
        boolean sampled = sampled(panel);
        boolean clustered = Clusters.named(panel);
        StandardErrors otherwise = options.bootstrap != null
                ? StandardErrors.BOOTSTRAP
                : sampled || clustered ? StandardErrors.CLUSTER : StandardErrors.OPG;
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
