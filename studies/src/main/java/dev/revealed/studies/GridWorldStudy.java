package dev.revealed.studies;

import dev.revealed.estimate.Estimate;
import dev.revealed.estimate.MlIrl;
import dev.revealed.estimate.Problem;
import dev.revealed.estimate.StepRule;
import dev.revealed.mdp.Demonstrations;
import dev.revealed.mdp.LinearReward;
import dev.revealed.mdp.Mdp;
import dev.revealed.mdp.Simulation;
import dev.revealed.mdp.model.GridWorld;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Vec;
import dev.revealed.settings.Part;
import dev.revealed.settings.Setting;
import dev.revealed.studies.theory.TheoryProblem;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;

/**
 * The paper's figure 1: a reward per cell of a grid world from 30 demonstrations, by ML-IRL and by nested MaxEnt-IRL with
 * the same likelihood, ridge and stopping rule, and by default the same step. They then differ only in how much is solved
 * between two reward steps.
 *
 * <p>Fits are timed one after another on the calling thread, the methods taking turns, after fits of other demonstrations
 * that are thrown away: a just-in-time compiler would otherwise charge its work to whoever comes first.
 */
public final class GridWorldStudy {

    /**
     * @param goal reward of the last cell
     * @param secondGoal reward of the second goal, a fifth of the way from the first cell to the last
     * @param demonstrations trajectories of a set, each of {@code length} steps
     */
    @Part
    public record Board(
            int size, double slip, double discount, double goal, double secondGoal, int demonstrations, int length) {
        static Board of(int size) {
            return new Board(size, 0.3, 0.9, 10, 5, 30, 50);
        }
    }

    /**
     * @param sets demonstration sets
     * @param step constant step of ML-IRL: small enough for a policy that gets one backup per step to keep up
     * @param nestedStep constant step of MaxEnt-IRL, by default the same
     * @param tolerance both stop when the exact gradient is no longer than this
     * @param heldOut share of the trajectories that choose the early stop
     * @param warmUps demonstration sets fitted before timing starts
     * @param tracePoints most points of a run to look at for the picture, in fits of their own
     */
    public record Settings(
            Board board,

            @Setting(about = "Demonstration sets.") int sets,

            @Setting(about = "Ridge penalty: weight of the squared reward.")
            double ridge,

            @Setting(about = "Constant step of ML-IRL.") double step,

            @Setting(about = "Constant step of MaxEnt-IRL.", usual = "that of ML-IRL")
            OptionalDouble nestedStep,

            double tolerance,
            int iterations,
            double heldOut,
            int warmUps,
            int tracePoints,

            @Setting(about = "Seed of every random stream.") long seed) {
        public static final Settings STANDARD =
                new Settings(Board.of(10), 20, 0.1, 0.03, OptionalDouble.empty(), 1e-3, 20_000, 0.2, 3, 80, 1);

        public Settings {
            if (sets < 2) {
                throw new BadInput(
                        "%d demonstration sets".formatted(sets),
                        "A standard error needs at least 2; the default is 20.");
            }
            Checks.steps(step, nestedStep.orElse(step), ridge);
        }
    }

    /** Means over the demonstration sets; every {@code ...Error} is the standard error of the mean before it. */
    public record Method(
            String method,
            double logLikelihood,
            double logLikelihoodError,
            double rewardCorrelation,
            double rewardCorrelationError,
            double rewardCorrelationAtStop,
            double rewardCorrelationAtStopError,
            double kernelPasses,
            double kernelPassesError,
            double cpuSeconds,
            double cpuSecondsError,
            double iterations,
            int converged) {}

    /**
     * ML-IRL against MaxEnt-IRL.
     *
     * @param largestLogLikelihoodDifference over the sets, one by one
     * @param passesRatio how many times fewer passes ML-IRL made
     * @param cpuRatio how many times less CPU time it took
     */
    public record Comparison(
            double logLikelihoodDifference,
            double largestLogLikelihoodDifference,
            double correlationDifference,
            double correlationAtStopDifference,
            double passesRatio,
            double cpuRatio) {}

    /** One method on one demonstration set. */
    public record Row(
            int set,
            String method,
            double logLikelihood,
            double rewardCorrelation,
            double rewardCorrelationAtStop,
            long kernelPasses,
            double cpuSeconds,
            int iterations,
            boolean converged,
            double gradientNorm) {}

    /** How a run on the first set stood at one iteration. */
    public record TracePoint(
            String method,
            int iteration,
            long kernelPasses,
            double cpuSeconds,
            double logLikelihood,
            double gradientNorm,
            double policyError) {}

    /** A reward as a board, with mean zero: the likelihood does not see a constant. */
    public record RewardMap(String name, double[][] reward) {}

    public record Result(
            Settings settings,
            List<String> notes,
            List<Method> methods,
            Comparison comparison,
            List<Row> sets,
            List<TracePoint> trace,
            List<RewardMap> maps) {}

    private final Settings settings;
    private final Board board;
    private final Mdp mdp;
    private final LinearReward reward;
    private final double[] truth;
    private final Simulation expert;
    private final List<MlIrl> estimators;

    private GridWorldStudy(Settings given) {
        double nestedStep = given.nestedStep.orElse(given.step);
        settings = dev.revealed.settings.Settings.of(given).with(given, Map.of("nested-step", nestedStep));
        board = settings.board;
        GridWorld world = new GridWorld(board.size, board.slip);
        mdp = world.mdp(board.discount);
        reward = LinearReward.perState(mdp.states(), mdp.actions());
        truth = new double[mdp.states()];
        int second = board.size / 5;
        truth[second * board.size + second] = board.secondGoal;
        truth[truth.length - 1] = board.goal;
        double[] rows = new double[mdp.rows()];
        reward.values(truth, rows);
        expert = new Simulation(mdp, TheoryProblem.optimal(mdp, rows, 1e-12).logPolicy());
        estimators = List.of(
                MlIrl.tracked(new StepRule.Decaying(settings.step, 0), settings.iterations, settings.tolerance),
                MlIrl.maxEnt(new StepRule.Decaying(nestedStep, 0), settings.iterations, settings.tolerance));
    }

    public static Result run(Settings settings, ProgressListener listener) {
        return new GridWorldStudy(settings).run(listener);
    }

    private Result run(ProgressListener listener) {
        RandomStream stream = RandomStream.of(settings.seed);
        for (int i = 0; i < settings.warmUps; i++) {
            listener.progress("warm-up", i, settings.warmUps);
            fits(problem(stream.named("warm-up").at(i)), stream);
        }
        List<List<Fit>> fits = new ArrayList<>();
        List<Row> rows = new ArrayList<>();
        for (int set = 0; set < settings.sets; set++) {
            listener.progress("demonstration sets", set, settings.sets);
            fits.add(fits(problem(stream.named("set").at(set)), stream));
            for (Fit fit : fits.getLast()) {
                rows.add(row(set, fit));
            }
        }
        listener.progress("demonstration sets", settings.sets, settings.sets);
        List<Method> methods = new ArrayList<>();
        List<TracePoint> trace = new ArrayList<>();
        List<RewardMap> maps = new ArrayList<>(List.of(map("true", truth)));
        Problem first = problem(stream.named("set").at(0));
        for (int m = 0; m < estimators.size(); m++) {
            int own = m;
            String method = estimators.get(m).method();
            List<Row> ofMethod =
                    rows.stream().filter(row -> row.method.equals(method)).toList();
            methods.add(summary(method, ofMethod));
            trace.addAll(trace(estimators.get(m), first, stream, listener));
            maps.addAll(maps(method, fits.stream().map(both -> both.get(own)).toList()));
        }
        return new Result(settings, notes(), methods, comparison(methods, rows), rows, trace, maps);
    }

    private Problem problem(RandomStream stream) {
        Demonstrations demonstrations = expert.demonstrations(board.demonstrations, board.length, stream);
        return Problem.of(mdp, reward, demonstrations).withRidge(settings.ridge);
    }

    /** Both fits of one method: all data to convergence, and a part with the rest held out. */
    private record Fit(Estimate all, double[] atStop) {}

    private List<Fit> fits(Problem problem, RandomStream stream) {
        List<Fit> fits = new ArrayList<>();
        for (MlIrl estimator : estimators) {
            Estimate all = estimator.fit(problem, stream, ProgressListener.NONE);
            Estimate part = estimator.holdingOut(settings.heldOut).fit(problem, stream, ProgressListener.NONE);
            fits.add(new Fit(all, part.stopped().orElse(part.theta())));
        }
        return fits;
    }

    private Row row(int set, Fit fit) {
        Estimate all = fit.all;
        return new Row(
                set,
                all.method(),
                all.logLikelihood(),
                Vec.correlation(all.theta(), truth),
                Vec.correlation(fit.atStop, truth),
                all.kernelPasses(),
                all.cpuSeconds(),
                all.iterations(),
                all.converged(),
                all.gradientNorm());
    }

    private static Method summary(String method, List<Row> rows) {
        double[] logLikelihood = each(rows, Row::logLikelihood);
        double[] correlation = each(rows, Row::rewardCorrelation);
        double[] atStop = each(rows, Row::rewardCorrelationAtStop);
        double[] passes = each(rows, Row::kernelPasses);
        double[] cpu = each(rows, Row::cpuSeconds);
        return new Method(
                method,
                Vec.mean(logLikelihood),
                Vec.standardError(logLikelihood),
                Vec.mean(correlation),
                Vec.standardError(correlation),
                Vec.mean(atStop),
                Vec.standardError(atStop),
                Vec.mean(passes),
                Vec.standardError(passes),
                Vec.mean(cpu),
                Vec.standardError(cpu),
                Vec.mean(each(rows, Row::iterations)),
                (int) rows.stream().filter(Row::converged).count());
    }

    private static double[] each(List<Row> rows, ToDoubleFunction<Row> of) {
        return rows.stream().mapToDouble(of).toArray();
    }

    private static Comparison comparison(List<Method> methods, List<Row> rows) {
        Method single = methods.get(0);
        Method nested = methods.get(1);
        double largest = 0;
        for (int i = 0; i < rows.size(); i += 2) {
            largest = Math.max(largest, Math.abs(rows.get(i).logLikelihood - rows.get(i + 1).logLikelihood));
        }
        return new Comparison(
                single.logLikelihood - nested.logLikelihood,
                largest,
                single.rewardCorrelation - nested.rewardCorrelation,
                single.rewardCorrelationAtStop - nested.rewardCorrelationAtStop,
                nested.kernelPasses / single.kernelPasses,
                nested.cpuSeconds / single.cpuSeconds);
    }

    private List<TracePoint> trace(MlIrl estimator, Problem problem, RandomStream stream, ProgressListener listener) {
        listener.progress("trace of " + estimator.method(), 0, 0);
        Estimate run = estimator.tracing(settings.tracePoints).fit(problem, stream, ProgressListener.NONE);
        return run.trace().stream()
                .map(at -> new TracePoint(
                        run.method(),
                        at.iteration(),
                        at.kernelPasses(),
                        at.cpuSeconds(),
                        at.logLikelihood(),
                        at.gradientNorm(),
                        at.policyError()))
                .toList();
    }

    private List<RewardMap> maps(String method, List<Fit> fits) {
        double[] mean = new double[truth.length];
        double[] meanAtStop = new double[truth.length];
        for (Fit fit : fits) {
            Vec.axpy(1.0 / fits.size(), fit.all.theta(), mean);
            Vec.axpy(1.0 / fits.size(), fit.atStop, meanAtStop);
        }
        return List.of(
                map(method + ", first set", fits.getFirst().all.theta()),
                map(method + ", mean of the sets", mean),
                map(method + ", mean at the held-out stop", meanAtStop));
    }

    private RewardMap map(String name, double[] theta) {
        double mean = Vec.mean(theta);
        double[][] cells = new double[board.size][board.size];
        for (int s = 0; s < theta.length; s++) {
            cells[s / board.size][s % board.size] = theta[s] - mean;
        }
        return new RewardMap(name, cells);
    }

    private List<String> notes() {
        return List.of(
                ("The paper names the five actions, random starts and %d demonstrations; size, slip, discount, lengths and"
                                + " reward are ours.")
                        .formatted(board.demonstrations),
                "The expert is soft-optimal at temperature 1; the reward is one free number per cell.",
                ("A ridge of %s on the reward: %d trajectories do not flow as the kernel says, and without a ridge the"
                                + " surrogate likelihood of a free reward per cell grows without bound. The likelihoods"
                                + " shown are without the ridge.")
                        .formatted(settings.ridge, board.demonstrations),
                Checks.LOOPS,
                ("Constant steps: %s for ML-IRL, %s for MaxEnt-IRL; both stop at an exact gradient no longer than %s, or"
                                + " unconverged after %d reward steps.")
                        .formatted(
                                settings.step,
                                settings.nestedStep.orElseThrow(),
                                settings.tolerance,
                                settings.iterations),
                "MaxEnt-IRL is stable at larger steps than ML-IRL and then needs fewer.");
    }
}
