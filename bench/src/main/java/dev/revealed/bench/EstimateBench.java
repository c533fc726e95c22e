package dev.revealed.bench;

import com.sun.management.OperatingSystemMXBean;
import dev.revealed.estimate.ExactLikelihood;
import dev.revealed.estimate.MlIrl;
import dev.revealed.estimate.Problem;
import dev.revealed.estimate.StepRule;
import dev.revealed.estimate.choice.ChoiceProblem;
import dev.revealed.estimate.choice.FirstStage;
import dev.revealed.estimate.choice.Fit;
import dev.revealed.estimate.choice.twostep.Npl;
import dev.revealed.mdp.Gradient;
import dev.revealed.mdp.Likelihood;
import dev.revealed.mdp.Mdp;
import dev.revealed.mdp.SingleLoop;
import dev.revealed.mdp.SoftPolicy;
import dev.revealed.mdp.choice.ChoiceModel;
import dev.revealed.mdp.choice.Panel;
import dev.revealed.mdp.model.MultiEngine;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.Lbfgs;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.numeric.RandomStream;
import dev.revealed.settings.Part;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.BiPredicate;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How long estimators take from parameters of zero to within a thousandth of the maximal log-likelihood, on buses with so
 * many components that the state space is large. The methods run one after the other on the same data; each only notes its
 * parameters and what it has spent on them, and what they are worth is found out afterwards.
 *
 * @param budget seconds each method may take on each problem
 */
public record EstimateBench(List<Size> sizes, List<Double> discounts, double budget) {
    private static final double CLOSE = 1e-3;
    private static final int BUSES = 200;
    private static final int MONTHS = 100;
    private static final int LIMIT = 100_000;

    /** k^m states: m components of k wear bins. */
    public record Size(int bins, int components) {
        private static final Pattern FORM = Pattern.compile("(\\d{1,6})\\^(\\d)");

        /** Reads {@code 100^2}. */
        public static Size parse(String text) {
            Matcher matcher = FORM.matcher(text.strip());
            BadInput.when(
                    !matcher.matches(),
                    "the size '%s' is not bins^components".formatted(text),
                    "Write 100^2, for example.");
            return new Size(Integer.parseInt(matcher.group(1)), Integer.parseInt(matcher.group(2)));
        }
    }

    /** How large a problem is. */
    @Part
    public record Dimensions(int states, int actions, long nonzeros, int parameters, long decisions, double discount) {}

    /** What a method has spent. */
    @Part
    public record Spent(double seconds, double cpuSeconds, long kernelPasses, int iterations) {}

    /** What a method spent over the least that any method spent that got there. */
    @Part
    public record Ratios(double secondsRatio, double cpuRatio, double passesRatio) {}

    /**
     * One method on one problem, up to the first iterate within 1e-3 of the maximum, or to the end of its budget.
     *
     * @param reached whether there was such an iterate
     * @param gap how far below the maximum its log-likelihood is
     */
    public record Row(Dimensions problem, String method, boolean reached, double gap, Spent spent, Ratios ratios) {
        private Row compared(Ratios known) {
            return new Row(problem, method, reached, gap, spent, known);
        }
    }

    public record Result(double within, double budget, int threads, List<Row> rows, String note) {}

    /** What a method had spent when it came to some parameters. */
    private record Point(double[] theta, Spent spent) {}

    private static final Spent NOTHING = new Spent(0, 0, 0, 0);

    private record Contender(String name, BiFunction<Instance, Double, List<Point>> method) {}

    /** A problem as both kinds of estimators take it, with what parameters are worth there. */
    private record Instance(ChoiceProblem choices, FirstStage first, Problem problem, Truth truth) {}

    /** Ends a search from inside. */
    private static final class Enough extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Enough() {
            super(null, null, false, false);
        }
    }

    public Result run(long seed, int threads, ProgressListener listener) {
        BadInput.when(
                !(budget > 0) || sizes.isEmpty() || discounts.isEmpty(),
                "a budget of %s seconds, %d sizes and %d discounts".formatted(budget, sizes.size(), discounts.size()),
                "Give at least one of each, and some time.");
        RandomStream stream = RandomStream.of(seed);
        compare(new Size(12, 2), 0.99, 1, stream, ProgressListener.NONE); // so that no method pays for the compiler
        List<Row> rows = new ArrayList<>();
        for (Size size : sizes) {
            for (double discount : discounts) {
                rows.addAll(compare(size, discount, budget, stream, listener));
            }
        }
        return new Result(CLOSE, budget, threads, List.copyOf(rows), note(rows));
    }

    private static List<Contender> contenders() {
        return List.of(
                new Contender("ml-irl", EstimateBench::mlIrl),
                new Contender("npl", (instance, budget) -> npl(Npl.standard(), instance, budget)),
                new Contender(
                        "npl from zero",
                        (instance, budget) -> npl(Npl.standard().fromZero(), instance, budget)),
                new Contender("nfxp-nk, l-bfgs", EstimateBench::nestedFixedPoint),
                new Contender("maxent, first order", EstimateBench::maxEnt));
    }

    private static List<Row> compare(
            Size size, double discount, double budget, RandomStream stream, ProgressListener listener) {
        String what = "%d^%d states, discount %s".formatted(size.bins, size.components, discount);
        listener.progress("data: " + what, 0, 0);
        Instance instance = instance(size, discount, stream);
        listener.progress("maximum: " + what, 0, 0);
        Truth truth = instance.truth;
        truth.propose(MlIrl.preconditioned()
                .search(instance.problem, stream, ProgressListener.NONE)
                .theta());
        List<Contender> contenders = contenders();
        List<List<Point>> runs = new ArrayList<>();
        for (Contender contender : contenders) {
            listener.progress(contender.name + ": " + what, 0, 0);
            runs.add(contender.method.apply(instance, budget));
            truth.propose(runs.getLast().getLast().theta);
        }
        List<Row> rows = new ArrayList<>();
        for (int c = 0; c < runs.size(); c++) {
            listener.progress("scoring: " + what, c, runs.size());
            rows.add(row(instance.problem, contenders.get(c).name, runs.get(c), truth));
        }
        return compared(rows);
    }

    private static Instance instance(Size size, double discount, RandomStream stream) {
        ChoiceModel model = MultiEngine.of(size.components, size.bins, 1, discount);
        double[] theta = new double[2 * size.components];
        double[] phi = new double[size.components];
        for (int i = 0; i < size.components; i++) {
            theta[2 * i] = 8 + i;
            theta[2 * i + 1] = 0.3 + 0.1 * i;
            phi[i] = 0.35 + 0.05 * i;
        }
        double[] start = new double[model.states()];
        Arrays.fill(start, 1.0 / start.length);
        Panel panel = model.simulate(theta, phi, start, BUSES, MONTHS, stream.named("data"));
        ChoiceProblem choices = new ChoiceProblem(model, panel);
        FirstStage first = choices.firstStage();
        Problem problem = choices.problem(first.phi());
        problem.mdp().kernel().incoming(); // some need it, and it is the model's, not theirs
        return new Instance(choices, first, problem, new Truth(problem));
    }

    private static List<Point> mlIrl(Instance instance, double budget) {
        Diary diary = new Diary(instance, budget);
        return diary.follow(
                () -> MlIrl.preconditioned().loop(instance.problem, diary.exact, zero(instance), RandomStream.of(1)),
                (policy, gradient) -> gradient.decrement() > CLOSE);
    }

    private static List<Point> nestedFixedPoint(Instance instance, double budget) {
        Diary diary = new Diary(instance, budget);
        return diary.until(
                () -> new Lbfgs(20, LIMIT, 0).maximise(diary.exact, zero(instance), (k, theta, value, gradient) -> {
                    diary.note(theta);
                    diary.stopAt(value);
                }));
    }

    private static List<Point> maxEnt(Instance instance, double budget) {
        Diary diary = new Diary(instance, budget);
        double[] counts = instance.choices.choiceCounts();
        return diary.follow(
                () -> MlIrl.maxEnt(new StepRule.Automatic(), LIMIT, 0)
                        .loop(instance.problem, diary.exact, zero(instance), RandomStream.of(1)),
                (policy, gradient) -> {
                    diary.stopAt(Likelihood.weightedSum(counts, policy.logPolicy()));
                    return true;
                });
    }

    /** Each number of iterations by a run of its own, since what it costs to stop there is asked, not what lies after. */
    private static List<Point> npl(Npl method, Instance instance, double budget) {
        List<Point> points = new ArrayList<>(List.of(new Point(zero(instance), NOTHING)));
        while (points.getLast().spent.seconds < budget && instance.truth.gap(points.getLast().theta) > 0.5 * CLOSE) {
            Diary diary = new Diary(instance, budget);
            Fit fit = method.limitedTo(points.size())
                    .fit(instance.choices, instance.first, RandomStream.of(1), ProgressListener.NONE);
            points.add(new Point(fit.theta(), diary.spent(fit.kernelPasses(), points.size())));
        }
        return points;
    }

    private static double[] zero(Instance instance) {
        return new double[instance.problem.reward().parameters()];
    }

    /** What a method writes down on its way. */
    private static final class Diary {
        private final List<Point> points = new ArrayList<>();
        private final ExactLikelihood exact;
        private final double budget;
        private final double enough;
        private final long wall = System.nanoTime();
        private final long cpu = cpu();

        /** With the likelihood to be maximised on a process of its own, whose passes count. */
        Diary(Instance instance, double budget) {
            this.budget = budget;
            enough = instance.truth.maximum - 0.5 * CLOSE;
            exact = new ExactLikelihood(instance.problem, instance.problem.process());
            exact.process().passes().watch(this::check);
            points.add(new Point(zero(instance), NOTHING));
        }

        /** Makes and runs a single loop (making one may cost passes too) and notes every reward it steps to. */
        List<Point> follow(
                Supplier<SingleLoop<double[], SoftPolicy, Gradient>> made, BiPredicate<SoftPolicy, Gradient> further) {
            return until(() -> {
                SingleLoop<double[], SoftPolicy, Gradient> loop = made.get();
                SingleLoop.Step<double[], Gradient> noted = (theta, gradient, k) -> {
                    double[] next = loop.step().next(theta, gradient, k);
                    note(next);
                    return next;
                };
                SoftPolicy policy0 = SoftPolicy.start(exact.process());
                new SingleLoop<>(loop.lower(), loop.score(), noted)
                        .run(
                                new SingleLoop.Iterate<>(0, points.getFirst().theta, policy0, RandomStream.of(1)),
                                (k, theta, policy, gradient) -> k < LIMIT && further.test(policy, gradient));
            });
        }

        List<Point> until(Runnable search) {
            try {
                search.run();
            } catch (Enough enough) {
                note(points.getLast().theta, 0); // what it has spent in all
            }
            return points;
        }

        void note(double[] theta) {
            note(theta, 1);
        }

        private void note(double[] theta, int more) {
            points.add(new Point(
                    theta, spent(exact.process().passes().count(), points.getLast().spent.iterations + more)));
        }

        Spent spent(long passes, int iterations) {
            return new Spent(seconds(), (cpu() - cpu) * 1e-9, passes, iterations);
        }

        private void check() {
            if (seconds() > budget) {
                throw new Enough();
            }
        }

        /** For methods that know the log-likelihood on their way. */
        void stopAt(double logLikelihood) {
            if (logLikelihood > enough) {
                throw new Enough();
            }
        }

        double seconds() {
            return (System.nanoTime() - wall) * 1e-9;
        }

        /** Of all threads, the collector's and the compiler's included. */
        private static long cpu() {
            return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getProcessCpuTime();
        }
    }

    /** What parameters are worth, exactly, and the most that any were. */
    private static final class Truth {
        private final ExactLikelihood exact;
        private double maximum = Double.NEGATIVE_INFINITY;

        Truth(Problem problem) {
            exact = new ExactLikelihood(problem, problem.process());
        }

        void propose(double[] theta) {
            maximum = Math.max(maximum, exact.logLikelihood(theta));
        }

        double gap(double[] theta) {
            return maximum - exact.logLikelihood(theta);
        }
    }

    private static Row row(Problem problem, String method, List<Point> points, Truth truth) {
        int high = points.size() - 1;
        double gap = truth.gap(points.get(high).theta);
        boolean reached = gap <= CLOSE;
        int low = reached ? 0 : high;
        while (high - low > 1) { // far from the maximum at low, within at high
            int middle = (low + high) >>> 1;
            double there = truth.gap(points.get(middle).theta);
            if (there <= CLOSE) {
                high = middle;
                gap = there;
            } else {
                low = middle;
            }
        }
        Mdp mdp = problem.mdp();
        return new Row(
                new Dimensions(
                        mdp.states(),
                        mdp.actions(),
                        mdp.kernel().nonzeros(),
                        problem.reward().parameters(),
                        problem.demonstrations().decisions(),
                        mdp.discount()),
                method,
                reached,
                gap,
                points.get(high).spent,
                new Ratios(Double.NaN, Double.NaN, Double.NaN));
    }

    /** With ratios to the best of those that got there. */
    private static List<Row> compared(List<Row> rows) {
        double seconds = least(rows, Spent::seconds);
        double cpu = least(rows, Spent::cpuSeconds);
        double passes = least(rows, Spent::kernelPasses);
        return rows.stream()
                .map(r -> r.compared(
                        new Ratios(r.spent.seconds / seconds, r.spent.cpuSeconds / cpu, r.spent.kernelPasses / passes)))
                .toList();
    }

    private static double least(List<Row> rows, ToDoubleFunction<Spent> of) {
        return rows.stream()
                .filter(Row::reached)
                .map(Row::spent)
                .mapToDouble(of)
                .min()
                .orElse(Double.NaN);
    }

    private static String note(List<Row> rows) {
        List<String> lost = rows.stream()
                .filter(r -> r.method.equals("ml-irl")
                        && !(r.reached && r.ratios.secondsRatio == 1 && r.ratios.passesRatio == 1))
                .map(r -> "%d states at %s".formatted(r.problem.states, r.problem.discount))
                .toList();
        return lost.isEmpty()
                ? "ml-irl is the fastest everywhere, in seconds and in passes"
                : "ml-irl is not the fastest, in seconds or in passes, with " + String.join("; ", lost);
    }
}
