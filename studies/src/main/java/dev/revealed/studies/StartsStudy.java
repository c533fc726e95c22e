package dev.revealed.studies;

import dev.revealed.estimate.Estimate;
import dev.revealed.estimate.MlIrl;
import dev.revealed.estimate.choice.ChoiceProblem;
import dev.revealed.estimate.choice.PanelMethod;
import dev.revealed.estimate.choice.constrained.Mpec;
import dev.revealed.estimate.choice.inference.ChoiceEstimator;
import dev.revealed.estimate.choice.likelihood.MaxEnt;
import dev.revealed.estimate.choice.likelihood.MlIrlMethod;
import dev.revealed.estimate.choice.likelihood.NestedFixedPoint;
import dev.revealed.estimate.choice.simulated.Bbl;
import dev.revealed.estimate.choice.simulated.Hmss;
import dev.revealed.estimate.choice.twostep.Ccp;
import dev.revealed.estimate.choice.twostep.Npl;
import dev.revealed.estimate.choice.twostep.TdCcp;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.Parallel;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.numeric.RandomStream;
import dev.revealed.settings.Setting;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;

/** Whether estimates depend on where their searches begin, and whether those that end elsewhere say so. */
public final class StartsStudy {
    /** In standard errors: estimates that differ by less are the same. */
    private static final double SAME = 0.01;

    private StartsStudy() {}

    public record Settings(
            @Setting(about = "Random starts for each method and model.")
            int starts,

            @Setting(about = "The largest start, as a multiple of the truth.")
            double size,

            @Setting(about = "Seed of every random stream.") long seed) {
        public static final Settings STANDARD = new Settings(200, 50, 1);

        public Settings {
            BadInput.when(starts < 1, "there are %d starts".formatted(starts), "Give at least one.");
            BadInput.when(
                    !(size > 0 && size < Double.POSITIVE_INFINITY),
                    "starts are at most %s times the truth".formatted(size),
                    "Give a positive number.");
        }
    }

    /**
     * One method on one model.
     *
     * @param atMaximum starts from which it found what it should: the most likely parameters found from anywhere, or for
     *     methods that maximise something else what they find from their own start
     * @param restarted how many of these needed to begin again elsewhere
     * @param saidOtherwise starts from which it did not, and said that it had not converged
     * @param wrongSilently starts from which it did not and claimed to have
     */
    public record Row(
            String model,
            String method,
            int starts,
            int atMaximum,
            int restarted,
            int saidOtherwise,
            int wrongSilently,
            double secondsPerStart) {}

    public record Result(Settings settings, List<Row> rows, List<String> notes) {}

    private static Map<String, PanelMethod> methods() {
        Map<String, PanelMethod> methods = new LinkedHashMap<>();
        for (NestedFixedPoint.Search search : NestedFixedPoint.Search.values()) {
            methods.put("nfxp, " + search.words(), NestedFixedPoint.standard().by(search));
        }
        methods.put("nfxp, full likelihood", NestedFixedPoint.standard().full(true));
        methods.put("ml-irl", new MlIrlMethod(MlIrl.preconditioned()));
        methods.put("npl", Npl.standard());
        methods.put("mpec", Mpec.standard());
        methods.put("mpec, in Java", Mpec.standard().by(Mpec.Solver.JAVA));
        methods.put("ccp", Ccp.standard());
        methods.put("hmss", Hmss.standard());
        methods.put("bbl", Bbl.standard());
        methods.put("td-ccp", TdCcp.semiGradient());
        methods.put("td-ccp, locally robust", TdCcp.locallyRobust());
        methods.put("maxent", MaxEnt.standard());
        return methods;
    }

    public static Result run(Settings settings, ProgressListener listener) {
        return run(settings, StudyModel.all(), listener);
    }

    static Result run(Settings settings, List<StudyModel> models, ProgressListener listener) {
        Map<String, PanelMethod> methods = methods();
        List<String> names = List.copyOf(methods.keySet());
        RandomStream stream = RandomStream.of(settings.seed()).named("starts");
        List<Row> rows = new ArrayList<>();
        int each = names.size() * (settings.starts() + 1);
        List<ChoiceProblem> problems = new ArrayList<>();
        for (int m = 0; m < models.size(); m++) {
            problems.add(models.get(m).problem(stream.at(m)));
        }
        List<Optional<Fitted>> fits = new ArrayList<>(Collections.nCopies(each * models.size(), Optional.empty()));
        Parallel.tasks(fits.size(), "starts", listener, i -> {
            StudyModel model = models.get(i / each);
            ChoiceProblem problem = problems.get(i / each);
            int start = i % each % (settings.starts() + 1);
            String method = names.get(i % each / (settings.starts() + 1));
            // The first is the method's own start; the others are the same for all methods.
            ChoiceProblem begun = start == 0
                    ? problem
                    : problem.startingAt(
                            start(model, settings.size(), stream.at(i / each).at(start)));
            fits.set(i, fit(methods.get(method), begun, stream));
        });
        for (int k = 0; k < models.size() * names.size(); k++) {
            int from = k * (settings.starts() + 1);
            rows.add(row(
                    models.get(k / names.size()).name(),
                    names.get(k % names.size()),
                    fits.subList(from, from + settings.starts() + 1)));
        }
        return new Result(
                settings,
                rows,
                List.of(
                        "Each parameter starts anywhere between -%s and %s times its true value."
                                .formatted(settings.size(), settings.size()),
                        "At the maximum means within %s standard errors of it.".formatted(SAME)));
    }

    private record Fitted(Estimate estimate, boolean restarted, double seconds) {}

    private static double[] start(StudyModel model, double size, RandomStream stream) {
        return Arrays.stream(model.theta())
                .map(truth -> truth * size * (2 * stream.nextDouble() - 1))
                .toArray();
    }

    /** Empty where the method refused, which says enough. */
    private static Optional<Fitted> fit(PanelMethod method, ChoiceProblem problem, RandomStream stream) {
        long begin = System.nanoTime();
        try {
            Estimate estimate = new ChoiceEstimator(method)
                    .fit(problem, stream.named("method"), ProgressListener.NONE)
                    .estimate();
            boolean restarted = estimate.warnings().stream().anyMatch(w -> w.contains("what is shown began at"));
            return Optional.of(new Fitted(estimate, restarted, 1e-9 * (System.nanoTime() - begin)));
        } catch (BadInput | ArithmeticException e) {
            return Optional.empty();
        }
    }

    private static Row row(String model, String method, List<Optional<Fitted>> fits) {
        Estimate own = fits.getFirst().orElseThrow().estimate();
        Estimate best = Stream.concat(
                        Stream.of(own), fits.stream().flatMap(Optional::stream).map(Fitted::estimate))
                .filter(Estimate::converged)
                .reduce(own, (a, b) -> maximises(method) && b.logLikelihood() > a.logLikelihood() + 1e-6 ? b : a);
        int atMaximum = 0;
        int restarted = 0;
        int saidOtherwise = 0;
        int wrongSilently = 0;
        for (Optional<Fitted> fit : fits.subList(1, fits.size())) {
            if (fit.isPresent() && fit.get().estimate.converged()) {
                boolean same = same(fit.get().estimate, best);
                atMaximum += same ? 1 : 0;
                restarted += same && fit.get().restarted ? 1 : 0;
                wrongSilently += same ? 0 : 1;
            } else {
                saidOtherwise++;
            }
        }
        double seconds = fits.stream()
                .flatMap(Optional::stream)
                .mapToDouble(Fitted::seconds)
                .average()
                .orElse(Double.NaN);
        return new Row(model, method, fits.size() - 1, atMaximum, restarted, saidOtherwise, wrongSilently, seconds);
    }

    private static boolean maximises(String method) {
        return method.startsWith("nfxp")
                || method.startsWith("mpec")
                || method.equals("npl")
                || method.equals("ml-irl");
    }

    private static boolean same(Estimate one, Estimate other) {
        for (int j = 0; j < one.parameters().size(); j++) {
            OptionalDouble error = other.parameters().get(j).standardError();
            double distance = Math.abs(one.theta()[j] - other.theta()[j]);
            if (error.isPresent() && !(distance <= SAME * error.getAsDouble() + 1e-12)) {
                return false;
            }
        }
        return true;
    }
}
