package dev.revealed.studies;

import dev.revealed.estimate.Estimate;
import dev.revealed.estimate.MlIrl;
import dev.revealed.estimate.choice.ChoiceProblem;
import dev.revealed.estimate.choice.PanelMethod;
import dev.revealed.estimate.choice.constrained.Mpec;
import dev.revealed.estimate.choice.inference.ChoiceEstimator;
import dev.revealed.estimate.choice.inference.StandardErrors;
import dev.revealed.estimate.choice.likelihood.MaxEnt;
import dev.revealed.estimate.choice.likelihood.MlIrlMethod;
import dev.revealed.estimate.choice.likelihood.NestedFixedPoint;
import dev.revealed.estimate.choice.simulated.Bbl;
import dev.revealed.estimate.choice.simulated.Hmss;
import dev.revealed.estimate.choice.twostep.Ccp;
import dev.revealed.estimate.choice.twostep.Npl;
import dev.revealed.estimate.choice.twostep.TdCcp;
import dev.revealed.mdp.choice.ChoiceModel;
import dev.revealed.mdp.model.RustBus;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.Parallel;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Vec;
import dev.revealed.settings.Setting;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** How often the 95 % intervals of each estimator hold the truth, over many simulated fleets. */
public final class CoverageStudy {
    private static final double[] THETA = {5, 60};
    private static final double[] PHI = {0.3, 0.5};
    private static final double CRITICAL = 1.959963984540054;

    private CoverageStudy() {}

    public record Settings(
            @Setting(about = "Simulated panels.") int panels,

            int bins,
            double discount,

            @Setting(about = "Buses in each.") int buses,

            @Setting(label = "T", about = "Months of each bus.")
            int months,

            @Setting(about = "Seed of every random stream.") long seed) {
        public static final Settings STANDARD = new Settings(2000, 25, 0.95, 200, 50, 1);

        public Settings {
            if (panels < 2 || buses < 2 || months < 2) {
                throw new BadInput(
                        "%d panels of %d buses and %d months".formatted(panels, buses, months),
                        "Give at least two of each.");
            }
            BadInput.discount(discount);
        }
    }

    /**
     * One parameter by one method.
     *
     * @param coverage share of the panels whose interval holds the truth; a panel without an interval does not
     * @param failures panels without a converged estimate and standard error
     * @param spread standard deviation of the estimates
     */
    public record Row(
            String method,
            String parameter,
            double truth,
            double coverage,
            double meanEstimate,
            double spread,
            double meanStandardError,
            int failures,
            boolean within) {}

    public record Result(Settings settings, List<Row> rows, List<String> notes) {}

    private record Method(String name, ChoiceEstimator estimator) {}

    private static List<Method> methods() {
        return List.of(
                method("nfxp", NestedFixedPoint.standard()),
                method("nfxp, full likelihood", NestedFixedPoint.standard().full(true)),
                new Method("nfxp, clustered", new ChoiceEstimator(NestedFixedPoint.standard(), StandardErrors.CLUSTER)),
                method("ml-irl", new MlIrlMethod(MlIrl.preconditioned())),
                method("npl", Npl.standard()),
                method("mpec", Mpec.standard()),
                method("ccp", Ccp.standard()),
                method("hmss", Hmss.standard()),
                method("bbl", Bbl.standard()),
                method("td-ccp", TdCcp.semiGradient()),
                method("td-ccp, locally robust", TdCcp.locallyRobust()),
                method("maxent", MaxEnt.standard()));
    }

    private static Method method(String name, PanelMethod method) {
        return new Method(name, new ChoiceEstimator(method));
    }

    public static Result run(Settings settings, ProgressListener listener) {
        List<Method> methods = methods();
        double[] truth = {THETA[0], THETA[1], PHI[0], PHI[1]};
        List<List<Optional<Estimate>>> estimates = new ArrayList<>();
        for (int m = 0; m < methods.size(); m++) {
            estimates.add(new ArrayList<>(Collections.nCopies(settings.panels(), Optional.empty())));
        }
        RandomStream stream = RandomStream.of(settings.seed()).named("coverage");
        Parallel.tasks(settings.panels(), "panels", listener, i -> {
            ChoiceProblem problem = problem(settings, stream.at(i));
            for (int m = 0; m < methods.size(); m++) {
                estimates.get(m).set(i, fit(methods.get(m), problem, stream.at(i)));
            }
        });
        ChoiceModel model = problem(settings, stream.at(0)).model();
        List<String> names = Stream.of(model.utility().names(), model.law().names())
                .flatMap(List::stream)
                .toList();
        double margin = 100 * CRITICAL * Math.sqrt(0.95 * 0.05 / settings.panels());
        List<Row> rows = new ArrayList<>();
        for (int m = 0; m < methods.size(); m++) {
            for (int j = 0; j < truth.length; j++) {
                rows.add(row(methods.get(m).name(), names.get(j), truth[j], j, estimates.get(m)));
            }
        }
        return new Result(
                settings,
                rows,
                List.of(
                        "Each panel: %d buses for %d months on %d bins from a new engine each, discount %s."
                                .formatted(settings.buses(), settings.months(), settings.bins(), settings.discount()),
                        "With %d panels a true coverage of 95 %% is observed between %.1f and %.1f %% nineteen times in twenty."
                                .formatted(settings.panels(), 95 - margin, Math.min(100, 95 + margin))));
    }

    /** Empty where the method gave up, which counts as a failure. */
    private static Optional<Estimate> fit(Method method, ChoiceProblem problem, RandomStream stream) {
        try {
            return Optional.of(method.estimator()
                    .fit(problem, stream.named(method.name()), ProgressListener.NONE)
                    .estimate());
        } catch (BadInput | ArithmeticException e) {
            return Optional.empty();
        }
    }

    private static ChoiceProblem problem(Settings settings, RandomStream stream) {
        ChoiceModel model = RustBus.of(settings.bins(), PHI.length, settings.discount(), RustBus.Cost.LINEAR);
        double[] first = new double[settings.bins()];
        first[0] = 1;
        return new ChoiceProblem(
                model, model.simulate(THETA, PHI, first, settings.buses(), settings.months(), stream.named("buses")));
    }

    private static Row row(String method, String parameter, double truth, int j, List<Optional<Estimate>> estimates) {
        List<Estimate.Parameter> found = estimates.stream()
                .flatMap(Optional::stream)
                .filter(Estimate::converged)
                .map(estimate -> estimate.parameters().get(j))
                .filter(p -> p.standardError().isPresent())
                .toList();
        double[] x = found.stream().mapToDouble(Estimate.Parameter::value).toArray();
        double[] errors =
                found.stream().mapToDouble(p -> p.standardError().orElseThrow()).toArray();
        long covered = IntStream.range(0, x.length)
                .filter(i -> Math.abs(x[i] - truth) <= CRITICAL * errors[i])
                .count();
        double coverage = (double) covered / estimates.size();
        return new Row(
                method,
                parameter,
                truth,
                coverage,
                x.length == 0 ? Double.NaN : Vec.mean(x),
                x.length < 2 ? Double.NaN : Vec.standardError(x) * Math.sqrt(x.length),
                Arrays.stream(errors).average().orElse(Double.NaN),
                estimates.size() - x.length,
                coverage >= 0.925 && coverage <= 0.975);
    }
}
