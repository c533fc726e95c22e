package dev.revealed.studies;

import dev.revealed.estimate.Estimate;
import dev.revealed.estimate.choice.ChoiceProblem;
import dev.revealed.estimate.choice.Observations;
import dev.revealed.estimate.choice.hidden.HiddenEstimator;
import dev.revealed.estimate.choice.inference.ChoiceEstimator;
import dev.revealed.estimate.choice.inference.StandardErrors;
import dev.revealed.estimate.choice.likelihood.NestedFixedPoint;
import dev.revealed.estimate.choice.mixed.MixedEstimator;
import dev.revealed.mdp.choice.ChoiceModel;
import dev.revealed.mdp.choice.Panel;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.Dense;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Vec;
import dev.revealed.numeric.stats.ChiSquared;
import dev.revealed.numeric.task.TaskList;
import dev.revealed.numeric.task.TaskRunner;
import dev.revealed.settings.Setting;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * How often the 95 % intervals of each estimator contain the truth, how far its mean is from it, and how often it warns, over
 * many panels simulated from three models, or from one of the size of Rust's panel.
 */
public final class CoverageStudy {
    private static final double CRITICAL = 1.959963984540054;
    private static final double NOMINAL = 0.95;
    private static final double LOW = 0.93;
    private static final double HIGH = 0.97;

    private CoverageStudy() {}

    public record Settings(
            @Setting(about = "Simulated panels of each model.")
            int panels,

            @Setting(
                    label = "NAMES",
                    about =
                            "Models: some of bus, two-ar, retirement, rust-size, nonlinear, discount, random, nested, life and"
                                    + " hidden, with commas between them.")
            String models,

            int bins,
            double discount,

            @Setting(about = "Buses in each panel of bus.") int buses,

            @Setting(label = "T", about = "Months of each bus.")
            int months,

            @Setting(about = "Seed of every random stream.") long seed) {
        public static final Settings STANDARD =
                new Settings(2000, String.join(",", StudyModels.FOR_COVERAGE), 25, 0.95, 200, 50, 1);

        public Settings {
            if (panels < 2 || buses < 2 || months < 2) {
                throw new BadInput(
                        "%d panels of %d buses and %d months".formatted(panels, buses, months),
                        "Give at least two of each.");
            }
            BadInput.discount(discount);
        }

        List<StudyModel> chosen() {
            return Arrays.stream(models.split(",", -1))
                    .map(name -> StudyModels.forCoverage(name.strip(), this))
                    .toList();
        }
    }

    /**
     * One parameter of one model by one method.
     *
     * @param coverage share of the panels whose interval holds the truth; a panel without an interval does not
     * @param monteCarloError of the mean estimate
     * @param bias of the mean estimate, in Monte Carlo errors
     * @param spread standard deviation of the estimates
     * @param failures panels without a converged estimate and standard error
     * @param warned share of the panels that had a warning
     * @param within whether the observed coverage is between 93 and 97 %
     * @param verdict whether the true coverage is, as far as so many panels can tell
     */
    public record Row(
            String model,
            String method,
            String parameter,
            double truth,
            double coverage,
            double meanEstimate,
            double monteCarloError,
            double bias,
            double spread,
            double meanStandardError,
            int failures,
            double warned,
            boolean within,
            String verdict) {}

    /**
     * Whether the means of all parameters of a method are the truths, taken together: Hotelling's statistic, with the
     * covariance of the estimates over the panels. Means of correlated parameters miss together.
     */
    public record Joint(String model, String method, int df, double statistic, double pValue) {}

    public record Result(Settings settings, List<Row> rows, List<Joint> joint, List<String> notes) {}

    /** How an estimate is made. */
    private interface Fitting {
        Estimate fit(ChoiceModel model, Panel panel, RandomStream stream);
    }

    private record Method(String name, Fitting fitting) {
        Method(String name, ChoiceEstimator estimator) {
            this(
                    name,
                    (model, panel, stream) -> estimator
                            .fit(new ChoiceProblem(model, panel), stream, ProgressListener.NONE)
                            .estimate());
        }

        Method(String name, MixedEstimator estimator) {
            this(
                    name,
                    (model, panel, stream) -> estimator
                            .fit(new ChoiceProblem(model, panel), stream, ProgressListener.NONE)
                            .estimate());
        }
    }

    /** The methods that apply to a model: others would only refuse it. */
    private static List<Method> methods(StudyModel of) {
        ChoiceModel model = of.model();
        if (of.hidden()) {
            HiddenEstimator estimator = HiddenEstimator.standard();
            return List.of(new Method(
                    "recursive",
                    (hidden, panel, stream) -> estimator
                            .fit(new ChoiceProblem(hidden, panel), stream, ProgressListener.NONE)
                            .estimate()));
        }
        if (of.population().isPresent()) {
            MixedEstimator mixed = MixedEstimator.of(of.population().get());
            return List.of(
                    new Method("nfxp", mixed), new Method("nfxp, clustered", mixed.with(StandardErrors.CLUSTER)));
        }
        boolean linear = model.utility().linear();
        return methods().stream()
                .filter(method -> (model.isLogit() && linear)
                        || method.name().startsWith("nfxp")
                        || method.name().equals("ml-irl"))
                .filter(method ->
                        model.law().ends().length == 0 || !method.name().startsWith("td-ccp"))
                .toList();
    }

    /** Every method, and nfxp with clustered standard errors besides. */
    private static List<Method> methods() {
        List<Method> methods = new ArrayList<>();
        StudyMethod.all().forEach(one -> methods.add(new Method(one.name(), new ChoiceEstimator(one.method()))));
        methods.add(
                StudyMethod.place("nfxp, full likelihood") + 1,
                new Method(
                        "nfxp, clustered", new ChoiceEstimator(NestedFixedPoint.standard(), StandardErrors.CLUSTER)));
        return methods;
    }

    /** What one method found on one panel: no values where it gave up; errors are not numbers where there are none. */
    record Found(boolean converged, boolean warned, double[] values, double[] errors) {
        static final Found NOTHING = new Found(false, true, new double[0], new double[0]);

        static Found of(Estimate estimate) {
            return new Found(
                    estimate.converged(),
                    !estimate.warnings().isEmpty(),
                    estimate.parameters().stream()
                            .mapToDouble(Estimate.Parameter::value)
                            .toArray(),
                    estimate.parameters().stream()
                            .mapToDouble(p -> p.standardError().orElse(Double.NaN))
                            .toArray());
        }
    }

    /** What each method found on one panel. */
    record Replication(List<Found> methods) {}

    public static Result run(Settings settings, ProgressListener listener) {
        return run(settings, TaskRunner.THREADS, listener);
    }

    /** The same with the panels of all models as tasks. */
    public static Result run(Settings settings, TaskRunner runner, ProgressListener listener) {
        List<StudyModel> models = settings.chosen();
        int panels = settings.panels();
        RandomStream stream = RandomStream.of(settings.seed()).named("coverage");
        List<Replication> found = runner.run(
                new TaskList<>(
                        "panels",
                        settings.toString(),
                        Replication.class,
                        Math.multiplyExact(models.size(), panels),
                        k -> replication(models.get(k / panels), stream.at(k % panels))),
                listener);
        List<Row> rows = new ArrayList<>();
        List<Joint> joint = new ArrayList<>();
        List<String> notes = new ArrayList<>();
        for (int m = 0; m < models.size(); m++) {
            StudyModel model = models.get(m);
            add(model, found.subList(m * panels, (m + 1) * panels), rows, joint);
            notes.add("Each panel of %s: %d individuals for %d periods, %d states, discount %s."
                    .formatted(
                            model.name(),
                            model.individuals(),
                            model.periods(),
                            model.model().states(),
                            model.model().discount()));
        }
        double margin = 100 * margin(settings.panels());
        notes.add(
                "With %d panels a true coverage of 95 %% is observed between %.1f and %.1f %% nineteen times in twenty."
                        .formatted(settings.panels(), 95 - margin, Math.min(100, 95 + margin)));
        return new Result(settings, rows, joint, notes);
    }

    private static Replication replication(StudyModel model, RandomStream stream) {
        Panel panel = model.panel(stream);
        return new Replication(methods(model).stream()
                .map(method -> fit(method, model.model(), panel, stream))
                .toList());
    }

    private static void add(StudyModel model, List<Replication> replications, List<Row> rows, List<Joint> joint) {
        List<Method> methods = methods(model);
        List<String> names = model.names();
        for (int m = 0; m < methods.size(); m++) {
            // The law is the same first step for all but the full likelihood.
            boolean law = methods.get(m).name().equals("nfxp")
                    || methods.get(m).name().equals("recursive")
                    || methods.get(m).name().equals("nfxp, full likelihood");
            int own = m;
            List<Found> found =
                    replications.stream().map(each -> each.methods.get(own)).toList();
            int shown = law ? names.size() : names.size() - model.phi().length;
            for (int j = 0; j < shown; j++) {
                rows.add(row(model, methods.get(m).name(), j, found));
            }
            joint(model, methods.get(m).name(), found, shown).ifPresent(joint::add);
        }
    }

    /** Empty where there are too few estimates to tell. */
    static Optional<Joint> joint(StudyModel model, String method, List<Found> estimates, int p) {
        double[][] missed = estimates.stream()
                .filter(Found::converged)
                .map(estimate -> Vec.plus(Arrays.copyOf(estimate.values, p), -1, Arrays.copyOf(model.truth(), p)))
                .toArray(double[][]::new);
        int n = missed.length;
        if (n <= p) {
            return Optional.empty();
        }
        double[] mean = new double[p];
        Arrays.stream(missed).forEach(one -> Vec.axpy(1.0 / n, one, mean));
        double[][] covariance = new double[p][p];
        for (double[] one : missed) {
            Observations.addOuter(1.0 / (n - 1), Vec.plus(one, -1, mean), covariance);
        }
        double statistic = n * Vec.dot(mean, Dense.solvePositive(covariance, mean));
        return Optional.of(new Joint(model.name(), method, p, statistic, ChiSquared.upperTail(statistic, p)));
    }

    /** Nothing where the method gave up, which counts as a failure. */
    private static Found fit(Method method, ChoiceModel model, Panel panel, RandomStream stream) {
        try {
            return Found.of(method.fitting().fit(model, panel, stream.named(method.name())));
        } catch (BadInput | ArithmeticException e) {
            return Found.NOTHING;
        }
    }

    private static Row row(StudyModel model, String method, int j, List<Found> estimates) {
        double truth = model.truth()[j];
        List<Found> found = estimates.stream()
                .filter(estimate -> estimate.converged && Double.isFinite(estimate.errors[j]))
                .toList();
        double[] x = found.stream().mapToDouble(estimate -> estimate.values[j]).toArray();
        double[] errors =
                found.stream().mapToDouble(estimate -> estimate.errors[j]).toArray();
        long covered = IntStream.range(0, x.length)
                .filter(i -> Math.abs(x[i] - truth) <= CRITICAL * errors[i])
                .count();
        long warned = estimates.stream().filter(Found::warned).count();
        double coverage = (double) covered / estimates.size();
        double mean = x.length == 0 ? Double.NaN : Vec.mean(x);
        double error = x.length < 2 ? Double.NaN : Vec.standardError(x);
        return new Row(
                model.name(),
                method,
                model.names().get(j),
                truth,
                coverage,
                mean,
                error,
                (mean - truth) / error,
                error * Math.sqrt(x.length),
                Arrays.stream(errors).average().orElse(Double.NaN),
                estimates.size() - x.length,
                (double) warned / estimates.size(),
                coverage >= LOW && coverage <= HIGH,
                verdict(coverage, estimates.size()));
    }

    /**
     * Whether the true coverage lies between 93 and 97 %, as far as panels can tell: their share has a Monte Carlo error, and
     * few panels cannot tell at all.
     */
    static String verdict(double coverage, int panels) {
        double square = CRITICAL * CRITICAL / panels;
        double centre = (coverage + square / 2) / (1 + square); // Wilson's interval
        double margin = CRITICAL * Math.sqrt((coverage * (1 - coverage) + square / 4) / panels) / (1 + square);
        if (centre + margin < LOW || centre - margin > HIGH) {
            return "NO";
        } else if (margin(panels) > NOMINAL - LOW) {
            return "too few panels to tell";
        }
        return coverage >= LOW && coverage <= HIGH ? "yes" : "within Monte Carlo error";
    }

    /** How far from 95 % an exact coverage is observed nineteen times in twenty. */
    private static double margin(int panels) {
        return CRITICAL * Math.sqrt(NOMINAL * (1 - NOMINAL) / panels);
    }
}
