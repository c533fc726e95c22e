package dev.revealed.studies;

import dev.revealed.imitate.DynamicChoice;
import dev.revealed.mdp.Episode;
import dev.revealed.mdp.Episodes;
import dev.revealed.mdp.Simulator;
import dev.revealed.mdp.model.Maintenance;
import dev.revealed.mdp.model.MaintenanceTruth;
import dev.revealed.neural.softq.SuccessorActor;
import dev.revealed.neural.softq.SuccessorQ;
import dev.revealed.neural.softq.Successors;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.Dense;
import dev.revealed.numeric.Parallel;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Vec;
import dev.revealed.numeric.stats.ChiSquared;
import dev.revealed.settings.Part;
import dev.revealed.settings.Setting;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;

/**
 * The paper's title case: rewards of a choice process whose state has two dozen continuous covariates, where no grid is
 * possible. Agents with a known reward run machines ({@link Maintenance}); Algorithm 1 with a soft Q-network recovers their
 * reward from their choices. The process is such that a hidden index makes the truth computable, so that choice
 * probabilities can be compared with it, and estimates with exact maximum likelihood by somebody who knows the index.
 */
public final class HighDimStudy {
    private static final int SHOWN = 400;

    /**
     * @param machines observed, each over so many periods
     * @param repetitions of the estimation on the same panel, with other networks and other simulated lives; their mean is
     *     the estimate, the first two give standard errors, and how far all are apart tells what networks add to the error
     * @param fresh machines whose states choice probabilities are compared at
     * @param grid points of the index in the exact solution
     */
    public record Settings(
            int covariates,

            @Setting(about = "Machines observed.") int machines,

            @Setting(about = "Periods of each.") int periods,

            double discount,
            DynamicChoice.Settings estimation,
            int repetitions,
            int fresh,
            int grid,

            @Setting(about = "Seed of every random stream.") long seed) {
        private static final double DISCOUNT = 0.95;
        private static final SuccessorQ.Settings NETWORK =
                new SuccessorQ.Settings(new int[] {64, 64}, 1e-3, DISCOUNT, 0.995, 128, 10, 200_000);
        private static final DynamicChoice.Settings ESTIMATION =
                new DynamicChoice.Settings(NETWORK, 20_000, 500, 40, 0.5, 200);
        public static final Settings STANDARD = new Settings(24, 1000, 50, DISCOUNT, ESTIMATION, 2, 200, 61, 1);

        public Settings {
            if (machines < 1 || fresh < 1 || repetitions < 2) {
                throw new BadInput(
                        "%d machines, %d fresh ones, %d repetitions".formatted(machines, fresh, repetitions),
                        "Use at least 1, 1 and 2.");
            }
        }
    }

    /**
     * One parameter.
     *
     * @param z how far the estimate is from the truth in standard errors
     * @param robustError standard error that allows for dependence within a machine
     * @param repetitionError standard error of the mean over repetitions: what networks and simulation add
     * @param exact maximum likelihood by exact solution, for whoever knows the index
     * @param apart how far the estimate is from that, in standard errors
     */
    public record Parameter(
            String name,
            double truth,
            double value,
            double standardError,
            double z,
            double robustError,
            double repetitionError,
            double exact,
            double exactError,
            double apart) {}

    /**
     * Estimated choice probabilities beside the true ones, over states that true agents come to.
     *
     * @param meanDifference mean absolute difference
     * @param exactMeanDifference the same of exact maximum likelihood: what the panel's size alone accounts for
     */
    public record Probabilities(
            long states,
            double meanDifference,
            double worstDifference,
            double exactMeanDifference,
            double exactWorstDifference,
            double[][] shown) {}

    /**
     * How the truth compares with the estimate, and with exact maximum likelihood on the same panel.
     *
     * @param within parameters within two standard errors of the truth
     * @param chiSquared joint distance of the truth, with as many degrees of freedom as parameters
     */
    @Part
    public record Test(
            int within,
            int exactWithin,
            double chiSquared,
            double pValue,
            double exactChiSquared,
            double exactPValue,
            boolean recovered,
            double logLikelihood,
            double exactLogLikelihood) {}

    /**
     * Said before any estimate was looked at: parameters are recovered where the joint test does not reject the truth at 5 %.
     * About 5 % of them lie outside two standard errors by chance alone.
     *
     * @param shares of each choice in the panel
     * @param trace of the first repetition
     */
    public record Result(
            Settings settings,
            List<String> notes,
            double[] shares,
            List<Parameter> parameters,
            Test test,
            Probabilities probabilities,
            long updates,
            long simulatedSteps,
            List<DynamicChoice.Iteration> trace) {}

    private final Settings settings;
    private final Maintenance process;
    private final MaintenancePanel machines;
    private final double[] theta;
    private final MaintenanceTruth truth;

    private HighDimStudy(Settings settings) {
        this.settings = settings;
        process = new Maintenance(settings.covariates, settings.periods);
        machines = new MaintenancePanel(process, settings.discount, settings.grid);
        theta = process.example();
        truth = machines.solve(theta);
    }

    public static Result run(Settings settings, ProgressListener listener) {
        return new HighDimStudy(settings).run(listener);
    }

    private Result run(ProgressListener listener) {
        RandomStream stream = RandomStream.of(settings.seed);
        Episodes panel = machines.simulate(theta, truth, settings.machines, stream.named("panel"));
        List<DynamicChoice.Estimate> estimates = estimates(panel, stream.named("estimate"), listener);
        MaintenancePanel.Exact exact = machines.maximise(panel, theta);
        double[] mean = new double[theta.length];
        for (DynamicChoice.Estimate estimate : estimates) {
            Vec.axpy(1.0 / estimates.size(), estimate.theta(), mean);
        }
        DynamicChoice.Estimate first = estimates.getFirst();
        double[][] covariance = DynamicChoice.crossCovariance(panel, first, estimates.get(1));
        List<Parameter> parameters = parameters(mean, covariance, estimates, exact);
        double chiSquared = distance(mean, covariance);
        double exactChiSquared = distance(exact.theta(), exact.covariance());
        double p = ChiSquared.upperTail(chiSquared, theta.length);
        return new Result(
                settings,
                notes(),
                shares(panel),
                parameters,
                new Test(
                        count(parameters, x -> Math.abs(x.z) <= 2),
                        count(parameters, x -> Math.abs(x.exact - x.truth) <= 2 * x.exactError),
                        chiSquared,
                        p,
                        exactChiSquared,
                        ChiSquared.upperTail(exactChiSquared, theta.length),
                        p >= 0.05,
                        first.logLikelihood(),
                        exact.logLikelihood()),
                probabilities(estimates, exact, stream.named("fresh")),
                estimates.stream().mapToLong(DynamicChoice.Estimate::updates).sum(),
                estimates.stream()
                        .mapToLong(e -> Maintenance.CHOICES * e.steps())
                        .sum(),
                first.trace());
    }

    private static int count(List<Parameter> parameters, Predicate<Parameter> which) {
        return (int) parameters.stream().filter(which).count();
    }

    private List<DynamicChoice.Estimate> estimates(Episodes panel, RandomStream stream, ProgressListener listener) {
        DynamicChoice.Estimate[] estimates = new DynamicChoice.Estimate[settings.repetitions];
        AtomicInteger done = new AtomicInteger();
        int total = settings.repetitions * settings.estimation.iterations();
        listener.progress("iterations", 0, total);
        Parallel.tasks(settings.repetitions, i -> {
            try (Simulator machine = process.simulator(theta)) {
                estimates[i] = new DynamicChoice(settings.estimation, process::features, theta.length, panel, machine)
                        .estimate(stream.at(i), seen -> listener.progress("iterations", done.incrementAndGet(), total));
            }
        });
        return List.of(estimates);
    }

    private List<Parameter> parameters(
            double[] mean,
            double[][] covariance,
            List<DynamicChoice.Estimate> estimates,
            MaintenancePanel.Exact exact) {
        List<Parameter> parameters = new ArrayList<>();
        for (int j = 0; j < theta.length; j++) {
            int own = j;
            double[] values =
                    estimates.stream().mapToDouble(e -> e.theta()[own]).toArray();
            double error = Math.sqrt(covariance[j][j]);
            parameters.add(new Parameter(
                    process.names().get(j),
                    theta[j],
                    mean[j],
                    error,
                    (mean[j] - theta[j]) / error,
                    estimates.getFirst().robustError(j),
                    Vec.standardError(values),
                    exact.theta()[j],
                    Math.sqrt(exact.covariance()[j][j]),
                    (mean[j] - exact.theta()[j]) / error));
        }
        return parameters;
    }

    /** Of the truth from an estimate, squared, in units of its covariance. */
    private double distance(double[] estimate, double[][] covariance) {
        double[] apart = Vec.plus(estimate, -1, theta);
        return Vec.dot(apart, Dense.solvePositive(covariance, apart));
    }

    private static double[] shares(Episodes panel) {
        double[] shares = new double[Maintenance.CHOICES];
        for (Episode episode : panel.all()) {
            float[] choices = episode.actions();
            for (int t = 0; choices != null && t < choices.length; t++) {
                shares[(int) choices[t]] += 1.0 / panel.steps();
            }
        }
        return shares;
    }

    private Probabilities probabilities(
            List<DynamicChoice.Estimate> estimates, MaintenancePanel.Exact exact, RandomStream stream) {
        Episodes fresh = machines.simulate(theta, truth, settings.fresh, stream);
        MaintenanceTruth known = machines.solve(exact.theta());
        List<SuccessorActor> actors =
                estimates.stream().map(e -> e.policy().worker(settings.periods)).toList();
        double[] right = new double[Maintenance.CHOICES];
        double[] byExact = new double[Maintenance.CHOICES];
        double[] learnt = new double[Maintenance.CHOICES];
        double sum = 0;
        double worst = 0;
        double exactSum = 0;
        double exactWorst = 0;
        List<double[]> shown = new ArrayList<>();
        for (Episode episode : fresh.all()) {
            actors.forEach(actor -> actor.take(episode.observations(), 0, settings.periods));
            for (int t = 0; t < settings.periods; t++) {
                machines.probabilities(theta, truth, episode.observations(), t, right);
                machines.probabilities(exact.theta(), known, episode.observations(), t, byExact);
                Arrays.fill(learnt, 0);
                for (SuccessorActor actor : actors) {
                    Successors values = actor.look(t);
                    for (int a = 0; a < Maintenance.CHOICES; a++) {
                        learnt[a] += values.probability(a) / actors.size();
                    }
                }
                for (int a = 0; a < Maintenance.CHOICES; a++) {
                    double apart = Math.abs(learnt[a] - right[a]);
                    double exactApart = Math.abs(byExact[a] - right[a]);
                    sum += apart;
                    worst = Math.max(worst, apart);
                    exactSum += exactApart;
                    exactWorst = Math.max(exactWorst, exactApart);
                    if (shown.size() < SHOWN * Maintenance.CHOICES) {
                        shown.add(new double[] {a, right[a], learnt[a]});
                    }
                }
            }
        }
        double count = (double) fresh.steps() * Maintenance.CHOICES;
        return new Probabilities(
                fresh.steps(), sum / count, worst, exactSum / count, exactWorst, shown.toArray(double[][]::new));
    }

    private List<String> notes() {
        return List.of(
                "%d machines over %d periods, with %d autoregressive covariates and the wear as the state; keep, repair or replace; Gumbel shocks; a discount of %s."
                        .formatted(settings.machines, settings.periods, settings.covariates, settings.discount),
                "The truth comes from an exact solution on a grid of wear and of the index that the covariates enter through; the estimator knows of no index.",
                "Exact ML knows the index: what it misses the truth by is chance of the panel, and what ML-IRL differs from it by is the network.",
                "Standard errors are from the information of the choices, by two networks that were learnt apart; recovered: the joint test does not reject the truth at 5 %.");
    }
}
