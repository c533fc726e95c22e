package dev.revealed.studies;

import dev.revealed.estimate.MlIrl;
import dev.revealed.estimate.choice.ChoiceProblem;
import dev.revealed.estimate.choice.FirstStage;
import dev.revealed.estimate.choice.Fit;
import dev.revealed.estimate.choice.PanelMethod;
import dev.revealed.estimate.choice.constrained.Mpec;
import dev.revealed.estimate.choice.likelihood.MlIrlMethod;
import dev.revealed.estimate.choice.likelihood.NestedFixedPoint;
import dev.revealed.mdp.Likelihood;
import dev.revealed.mdp.choice.ChoiceModel;
import dev.revealed.mdp.model.RustBus;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Vec;
import dev.revealed.numeric.nlp.Ipopt;
import dev.revealed.numeric.task.TaskList;
import dev.revealed.numeric.task.TaskRunner;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntConsumer;

/**
 * Su and Judd's Monte Carlo (2012) as Iskhakov et al. (2016, Table 1) ran it: 50 buses for 120 months on 175 bins, five
 * starts for each of 250 samples, and how often and how fast NFXP, MPEC and ML-IRL find the maximum.
 */
public final class MonteCarloStudy {
    private static final int BINS = 175;
    private static final double[] THETA = {11.7257, 2.4569};
    private static final double[] PHI = {.0937, .4475, .4459, .0127};
    private static final double[][] STARTS = {{4, 1}, {5, 2}, {6, 3}, {7, 4}, {8, 5}};

    /** A log-likelihood this close to the best one found is the maximum. */
    private static final double AT_MAXIMUM = 1e-4;

    private MonteCarloStudy() {}

    /** @param warmUp samples fitted beforehand and not counted, for the compiler to settle */
    public record Settings(int replications, int buses, int months, List<Double> discounts, int warmUp, long seed) {
        /** As published but for the number of samples and the discounts. */
        public static Settings of(int replications, double[] discounts, long seed) {
            int warmUp = Math.min(40, replications * discounts.length);
            return new Settings(
                    replications, 50, 120, Arrays.stream(discounts).boxed().toList(), warmUp, seed);
        }

        public Settings {
            if (replications < 1) {
                throw new BadInput("%d replications".formatted(replications), "Give at least one.");
            }
            discounts.forEach(BadInput::discount);
        }
    }

    /**
     * One method at one discount.
     *
     * @param converged fits the method itself calls converged
     * @param atMaximum fits that reached the best likelihood any method found on the sample
     * @param meanMilliseconds CPU time of a fit, its thread alone; the first step is not in it
     */
    public record Row(
            double discount,
            String method,
            int fits,
            int converged,
            int atMaximum,
            double meanMilliseconds,
            double largestMilliseconds,
            double meanIterations,
            double meanKernelPasses,
            double meanRC,
            double standardDeviationRC,
            double meanTheta11,
            double standardDeviationTheta11) {}

    public record Result(Settings settings, List<Row> rows, List<String> notes) {}

    /** @param value the log-likelihood; minus infinity where there is none, which JSON writes as no number */
    record Outcome(double[] theta, boolean converged, double value, double seconds, int iterations, long passes) {
        Outcome {
            value = Double.isNaN(value) ? Double.NEGATIVE_INFINITY : value;
        }
    }

    /** The fits of one sample: {@code [method][start]}. */
    record Sample(Outcome[][] fits) {}

    /** Comes before the first sample that this machine fits; one that only gathers samples has no need of it. */
    private static final class WarmUp {
        private final IntConsumer fit;
        private boolean done;

        WarmUp(IntConsumer fit) {
            this.fit = fit;
        }

        synchronized void run(int samples) {
            for (int i = 0; i < samples && !done; i++) {
                fit.accept(i);
            }
            done = true;
        }
    }

    public static Result run(Settings settings, ProgressListener listener) {
        return run(settings, TaskRunner.THREADS, listener);
    }

    /** The same with the samples at all discounts as tasks. */
    public static Result run(Settings settings, TaskRunner runner, ProgressListener listener) {
        List<String> methods = Ipopt.available().installed()
                ? List.of("nfxp", "ml-irl", "mpec", "mpec-ipopt")
                : List.of("nfxp", "ml-irl", "mpec");
        List<Row> rows = new ArrayList<>();
        int each = settings.replications();
        RandomStream stream = RandomStream.of(settings.seed()).named("monte carlo");
        WarmUp warmUp = new WarmUp(
                i -> fits(settings, methods, settings.discounts.get(i % settings.discounts.size()), stream.at(-1 - i)));
        List<Sample> samples = runner.run(
                new TaskList<>(
                        "samples",
                        "%s by %s".formatted(settings, methods),
                        Sample.class,
                        Math.multiplyExact(settings.discounts().size(), each),
                        k -> {
                            warmUp.run(settings.warmUp());
                            return new Sample(
                                    fits(settings, methods, settings.discounts().get(k / each), stream.at(k % each)));
                        }),
                listener);
        for (int d = 0; d < settings.discounts().size(); d++) {
            Outcome[][][] all = samples.subList(d * each, (d + 1) * each).stream()
                    .map(Sample::fits)
                    .toArray(Outcome[][][]::new);
            for (int m = 0; m < methods.size(); m++) {
                rows.add(row(settings.discounts().get(d), methods.get(m), m, all));
            }
        }
        return new Result(
                settings,
                rows,
                List.of(
                        "Truth: RC 11.7257, theta11 2.4569, moves .0937 .4475 .4459 .0127 .0002 (Rust's Table X, groups 1-3).",
                        Ipopt.available().installed()
                                ? "MPEC is solved by Ipopt and, beside it, by our own solver in Java."
                                : "MPEC is solved by our own solver in Java alone: "
                                        + Ipopt.available().reason(),
                        "Iskhakov et al. (2016), Table 1, on their machines: NFXP-NK converged 1250 of 1250 times in 0.074 to"
                                + " 0.076 s; MPEC by AMPL and KNITRO 1141, 1141, 849, 1195, 27 and 0 times in 0.05 to 0.075 s."));
    }

    private static PanelMethod method(String name) {
        return switch (name) {
            case "nfxp" -> NestedFixedPoint.standard();
            case "ml-irl" -> new MlIrlMethod(MlIrl.preconditioned());
            case "mpec" -> Mpec.standard().by(Mpec.Solver.JAVA);
            default -> Mpec.standard().by(Mpec.Solver.IPOPT);
        };
    }

    /** All methods from all starts on one sample. */
    private static Outcome[][] fits(Settings settings, List<String> methods, double discount, RandomStream stream) {
        ChoiceModel model = RustBus.of(BINS, PHI.length, discount, RustBus.Cost.LINEAR);
        double[] first = new double[BINS];
        first[0] = 1;
        ChoiceProblem problem = new ChoiceProblem(
                model, model.simulate(THETA, PHI, first, settings.buses(), settings.months(), stream.named("buses")));
        FirstStage law = problem.firstStage();
        double[] counts = problem.choiceCounts();
        Outcome[][] outcomes = new Outcome[methods.size()][STARTS.length];
        for (int m = 0; m < outcomes.length; m++) {
            for (int s = 0; s < STARTS.length; s++) {
                PanelMethod method = method(methods.get(m));
                ChoiceProblem from = problem.startingAt(STARTS[s]);
                long before = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
                Fit fit = method.fit(from, law, stream.named(methods.get(m)).at(s), ProgressListener.NONE);
                double seconds = 1e-9 * (ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - before);
                double value = Vec.isFinite(fit.theta()) && Vec.maxAbs(fit.theta()) < 1e4
                        ? Likelihood.weightedSum(
                                counts, model.solve(fit.theta(), law.phi()).logPolicy())
                        : Double.NEGATIVE_INFINITY;
                outcomes[m][s] =
                        new Outcome(fit.theta(), fit.converged(), value, seconds, fit.iterations(), fit.kernelPasses());
            }
        }
        return outcomes;
    }

    private static Row row(double discount, String method, int m, Outcome[][][] all) {
        List<Outcome> own = new ArrayList<>();
        int atMaximum = 0;
        for (Outcome[][] sample : all) {
            double best = Arrays.stream(sample)
                    .flatMap(Arrays::stream)
                    .mapToDouble(Outcome::value)
                    .max()
                    .orElseThrow();
            for (Outcome outcome : sample[m]) {
                own.add(outcome);
                atMaximum += outcome.value() >= best - AT_MAXIMUM ? 1 : 0;
            }
        }
        List<Outcome> good = own.stream().filter(Outcome::converged).toList();
        double[] rc = good.stream().mapToDouble(o -> o.theta()[0]).toArray();
        double[] theta11 = good.stream().mapToDouble(o -> o.theta()[1]).toArray();
        return new Row(
                discount,
                method,
                own.size(),
                good.size(),
                atMaximum,
                1e3 * own.stream().mapToDouble(Outcome::seconds).average().orElseThrow(),
                1e3 * own.stream().mapToDouble(Outcome::seconds).max().orElseThrow(),
                own.stream().mapToInt(Outcome::iterations).average().orElseThrow(),
                own.stream().mapToLong(Outcome::passes).average().orElseThrow(),
                rc.length == 0 ? Double.NaN : Vec.mean(rc),
                rc.length < 2 ? Double.NaN : Vec.standardError(rc) * Math.sqrt(rc.length),
                theta11.length == 0 ? Double.NaN : Vec.mean(theta11),
                theta11.length < 2 ? Double.NaN : Vec.standardError(theta11) * Math.sqrt(theta11.length));
    }
}
