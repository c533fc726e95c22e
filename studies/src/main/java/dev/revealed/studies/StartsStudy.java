package dev.revealed.studies;

import dev.revealed.estimate.Estimate;
import dev.revealed.estimate.choice.ChoiceProblem;
import dev.revealed.estimate.choice.Fit;
import dev.revealed.estimate.choice.PanelMethod;
import dev.revealed.estimate.choice.constrained.Mpec;
import dev.revealed.estimate.choice.hidden.HiddenEstimator;
import dev.revealed.estimate.choice.inference.ChoiceEstimate;
import dev.revealed.estimate.choice.inference.ChoiceEstimator;
import dev.revealed.estimate.choice.likelihood.NestedFixedPoint;
import dev.revealed.estimate.choice.mixed.MixedEstimator;
import dev.revealed.mdp.choice.Panel;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.Closest;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.task.TaskList;
import dev.revealed.numeric.task.TaskRunner;
import dev.revealed.settings.Setting;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

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

            @Setting(label = "NAMES", about = "Models: all, or the names of some with commas between them.")
            String models,

            @Setting(about = "Seed of every random stream.") long seed) {
        private static final String ALL = "all";

        public static final Settings STANDARD = new Settings(200, 50, ALL, 1);

        public Settings {
            BadInput.when(starts < 1, "there are %d starts".formatted(starts), "Give at least one.");
            BadInput.when(
                    !(size > 0 && size < Double.POSITIVE_INFINITY),
                    "starts are at most %s times the truth".formatted(size),
                    "Give a positive number.");
        }

        /** The models with these names; their panels and starts are the same whatever others are studied. */
        List<StudyModel> chosen() {
            List<StudyModel> all = StudyModels.forStarts();
            List<String> names = all.stream().map(StudyModel::name).toList();
            if (models.equals(ALL)) {
                return all;
            }
            return Arrays.stream(models.split(",", -1))
                    .map(name -> all.get(Closest.place(
                            "`models` names '%s', which is none".formatted(name.strip()),
                            name.strip(),
                            names,
                            "There are " + ALL + " or")))
                    .toList();
        }
    }

    /**
     * One method on one model.
     *
     * @param atMaximum starts from which it found what it should: the most likely parameters that any method found from
     *     anywhere, or for methods that maximise something else what they find from their own start
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

    /** Every method, nfxp and mpec in all the ways they search. */
    private static List<StudyMethod> methods() {
        List<StudyMethod> methods = new ArrayList<>(StudyMethod.all());
        methods.add(
                StudyMethod.place("mpec") + 1,
                new StudyMethod("mpec, in Java", Mpec.standard().by(Mpec.Solver.JAVA)));
        int nfxp = StudyMethod.place("nfxp");
        methods.remove(nfxp);
        methods.addAll(
                nfxp,
                Arrays.stream(NestedFixedPoint.Search.values())
                        .map(search -> new StudyMethod(
                                "nfxp, " + search.words(),
                                NestedFixedPoint.standard().by(search)))
                        .toList());
        return methods;
    }

    /** The starts of all methods on all models as tasks. */
    public static Result run(Settings settings, TaskRunner runner, ProgressListener listener) {
        List<StudyModel> models = settings.chosen();
        List<StudyMethod> methods = methods();
        List<String> all =
                StudyModels.forStarts().stream().map(StudyModel::name).toList();
        int[] place =
                models.stream().mapToInt(model -> all.indexOf(model.name())).toArray();
        RandomStream stream = RandomStream.of(settings.seed()).named("starts");
        List<Row> rows = new ArrayList<>();
        int each = methods.size() * (settings.starts() + 1);
        List<Panel> panels = new ArrayList<>();
        for (int m = 0; m < models.size(); m++) {
            panels.add(models.get(m).panel(stream.at(place[m])));
        }
        TaskList<Start> tasks = new TaskList<>("starts", settings.toString(), Start.class, each * models.size(), i -> {
            StudyModel model = models.get(i / each);
            int start = i % each % (settings.starts() + 1);
            StudyMethod method = methods.get(i % each / (settings.starts() + 1));
            // The first is the method's own start; the others are the same for all methods.
            double[] from = start == 0
                    ? new double[0]
                    : start(model, settings.size(), stream.at(place[i / each]).at(start));
            boolean once = method.name().endsWith(NestedFixedPoint.Search.SCORING.words());
            boolean forAll = model.population().isEmpty() && !model.hidden();
            return forAll || once // how individuals differ, and hidden variables, are for one method
                    ? new Start(fit(model, method.method(), panels.get(i / each), from, stream))
                    : new Start(Optional.empty());
        });
        List<Optional<Fitted>> fits =
                runner.run(tasks, listener).stream().map(Start::fit).toList();
        for (int m = 0; m < models.size(); m++) {
            List<Optional<Fitted>> of = fits.subList(m * each, (m + 1) * each);
            for (int k = 0; k < methods.size(); k++) {
                int from = k * (settings.starts() + 1);
                List<Optional<Fitted>> own = of.subList(from, from + settings.starts() + 1);
                if (own.stream().anyMatch(Optional::isPresent)) { // else it refuses such models
                    String method = models.get(m).hidden()
                            ? "recursive"
                            : methods.get(k).name();
                    rows.add(row(models.get(m).name(), method, own, reference(own, of)));
                }
            }
        }
        return new Result(
                settings,
                rows,
                List.of(
                        "Each parameter starts anywhere between -%s and %s times its true value."
                                .formatted(settings.size(), settings.size()),
                        "At the maximum means within %s standard errors of it.".formatted(SAME)));
    }

    /** What a method found from one start; nothing where it refused. */
    record Start(Optional<Fitted> fit) {}

    /** @param errors standard errors; not a number where there are none */
    record Fitted(
            Fit.Kind kind,
            boolean converged,
            boolean restarted,
            double logLikelihood,
            double[] theta,
            double[] errors,
            double seconds) {
        static Fitted of(Fit.Kind kind, Estimate estimate, boolean restarted, double seconds) {
            return new Fitted(
                    kind,
                    estimate.converged(),
                    restarted,
                    estimate.logLikelihood(),
                    estimate.theta(),
                    estimate.parameters().stream()
                            .mapToDouble(p -> p.standardError().orElse(Double.NaN))
                            .toArray(),
                    seconds);
        }
    }

    private static double[] start(StudyModel model, double size, RandomStream stream) {
        return Arrays.stream(model.theta())
                .map(truth -> truth * size * (2 * stream.nextDouble() - 1))
                .toArray();
    }

    /** Empty where the method refused, which says enough. */
    private static Optional<Fitted> fit(
            StudyModel model, PanelMethod method, Panel panel, double[] start, RandomStream stream) {
        long begin = System.nanoTime();
        try {
            RandomStream own = stream.named("method");
            ChoiceProblem problem = new ChoiceProblem(model.model(), panel, start);
            if (model.hidden()) {
                Estimate estimate = HiddenEstimator.standard()
                        .fit(problem, own, ProgressListener.NONE)
                        .estimate();
                return Optional.of(Fitted.of(Fit.Kind.FULL_LIKELIHOOD, estimate, false, since(begin)));
            }
            ChoiceEstimate found = model.population().isPresent()
                    ? MixedEstimator.of(model.population().get()).fit(problem, own, ProgressListener.NONE)
                    : new ChoiceEstimator(method).fit(problem, own, ProgressListener.NONE);
            return Optional.of(Fitted.of(found.fit().kind(), found.estimate(), found.restarted(), since(begin)));
        } catch (BadInput | ArithmeticException e) {
            return Optional.empty();
        }
    }

    private static double since(long begin) {
        return 1e-9 * (System.nanoTime() - begin);
    }

    /**
     * What a method should find: the most likely parameters that any method which maximises the same likelihood found from
     * anywhere; for others what they find from their own start. Empty where that did not converge.
     */
    static Optional<Fitted> reference(List<Optional<Fitted>> own, List<Optional<Fitted>> all) {
        Optional<Fitted> first = own.getFirst().filter(Fitted::converged);
        Optional<Fit.Kind> kind =
                own.stream().flatMap(Optional::stream).map(Fitted::kind).findFirst();
        if (kind.isEmpty() || kind.get() == Fit.Kind.OTHER) {
            return first;
        }
        return all.stream()
                .flatMap(Optional::stream)
                .filter(fit -> fit.kind() == kind.get() && fit.converged())
                .reduce((a, b) -> b.logLikelihood() > a.logLikelihood() ? b : a);
    }

    /** @param fits the first from the method's own start, the others from random ones */
    static Row row(String model, String method, List<Optional<Fitted>> fits, Optional<Fitted> reference) {
        int atMaximum = 0;
        int restarted = 0;
        int saidOtherwise = 0;
        int wrongSilently = 0;
        for (Optional<Fitted> fit : fits.subList(1, fits.size())) {
            if (fit.isEmpty() || !fit.get().converged()) {
                saidOtherwise++;
            } else if (reference.isPresent() && same(fit.get(), reference.get())) {
                atMaximum++;
                restarted += fit.get().restarted() ? 1 : 0;
            } else {
                wrongSilently++;
            }
        }
        double seconds = fits.stream()
                .flatMap(Optional::stream)
                .mapToDouble(Fitted::seconds)
                .average()
                .orElse(Double.NaN);
        return new Row(model, method, fits.size() - 1, atMaximum, restarted, saidOtherwise, wrongSilently, seconds);
    }

    /** Whether every parameter of the one is within a small share of its standard error in the other. */
    private static boolean same(Fitted one, Fitted other) {
        for (int j = 0; j < one.theta().length; j++) {
            if (!(Math.abs(one.theta()[j] - other.theta()[j]) <= SAME * other.errors()[j] + 1e-12)) {
                return false;
            }
        }
        return true;
    }
}
