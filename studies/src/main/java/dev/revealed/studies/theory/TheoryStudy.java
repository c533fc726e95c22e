package dev.revealed.studies.theory;

import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.numeric.RandomStream;
import dev.revealed.settings.Part;
import dev.revealed.settings.Setting;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/**
 * The paper's guarantees put to the test on a process small enough that everything they speak of can be computed
 * exactly: Theorem 1's rates and floor, Theorem 2's gap, Lemma 1's coverage, section 3's two approximations of the
 * likelihood, Corollary 1's concavity and Corollary 2's convergence in probability.
 */
public final class TheoryStudy {
    /** Discounted weight at which simulated trajectories are cut: the rest changes a return by 1e-8 of its range. */
    static final double CUT = 1e-8;

    private TheoryStudy() {}

    /** The size of the random processes. */
    @Part
    public record Size(int states, int actions, int features, double discount) {}

    /**
     * How many data sets of how many trajectories are drawn.
     *
     * @param likelihoodTrajectories the |D|'s of section 3
     * @param likelihoodDatasets data sets behind each mean
     * @param maximiserTrajectories the |D|'s at which the two likelihoods are maximised
     * @param lemmaTrajectories |D| of Lemma 1
     */
    @Part
    public record DataSets(
            List<Integer> likelihoodTrajectories,
            int likelihoodDatasets,
            List<Integer> maximiserTrajectories,
            int maximiserDatasets,
            int lemmaTrajectories,
            int lemmaDatasets,
            double lemmaDelta) {
        public DataSets {
            likelihoodTrajectories = List.copyOf(likelihoodTrajectories);
            maximiserTrajectories = List.copyOf(maximiserTrajectories);
        }
    }

    /**
     * How Corollary 2's convergence is simulated.
     *
     * @param trajectories the |D|'s
     * @param datasets data sets behind each share
     * @param gaps the epsilons that L(theta*) - L(theta^) may exceed
     * @param iterations the K's of the single loop
     * @param runs of the single loop behind each share
     * @param distances that the iterate may be away from the maximiser
     */
    public record Corollary(
            List<Integer> trajectories,
            int datasets,
            List<Double> gaps,
            List<Integer> iterations,
            int runs,
            List<Double> distances) {
        public Corollary {
            trajectories = List.copyOf(trajectories);
            gaps = List.copyOf(gaps);
            iterations = List.copyOf(iterations);
            distances = List.copyOf(distances);
        }
    }

    /**
     * Everything the study depends on.
     *
     * @param demonstrations trajectories the single loop learns from
     * @param alpha0 step alpha0 / K^sigma
     * @param iterations the K's of Theorem 1
     * @param runs independent runs behind each mean
     * @param epsilons bounds on the error injected into Q
     * @param floorIterations the K's at which the floor is looked for
     * @param dualityProcesses random processes on which the gap is measured
     * @param corollary how Corollary 2 is simulated
     */
    public record Settings(
            @Setting(about = "Seed of every random stream.") long seed,

            Size process,
            int demonstrations,
            double alpha0,
            List<Double> sigmas,
            List<Integer> iterations,
            int runs,
            List<Double> epsilons,
            List<Integer> floorIterations,
            int floorRuns,
            DataSets data,
            int dualityProcesses,
            Corollary corollary,

            @Setting(
                    name = "rust-data",
                    about =
                            "Rust's bus panel (CSV), whose group 2 has a likelihood that is not concave; where the usual file"
                                    + " is absent, buses are simulated instead.")
            Path rustData) {
        private static final DataSets DATA =
                new DataSets(List.of(1, 4, 16, 64, 256, 1024), 1000, List.of(16, 64, 256), 400, 20, 10_000, 0.05);
        public static final Settings STANDARD = new Settings(
                1,
                new Size(8, 3, 3, 0.8),
                200,
                1,
                List.of(0.25, 0.5, 0.75),
                List.of(64, 128, 256, 512, 1024, 2048, 4096, 8192),
                16,
                List.of(0.0, 0.03, 0.1, 0.3, 1.0),
                List.of(64, 256, 1024, 4096),
                8,
                DATA,
                5,
                new Corollary(
                        List.of(4, 16, 64, 256, 1024),
                        400,
                        List.of(0.02, 0.1, 0.5),
                        List.of(16, 64, 256, 1024, 4096),
                        64,
                        List.of(0.03, 0.1, 0.3)),
                Path.of("../shared/data/rust_bus_groups_1_to_4.csv"));

        public Settings {
            if (!sigmas.contains(0.5)) {
                throw new BadInput("sigma 0.5 is not among " + sigmas, "The slopes reported are those at 0.5; add it.");
            }
            sigmas = List.copyOf(sigmas);
            iterations = List.copyOf(iterations);
            epsilons = List.copyOf(epsilons);
            floorIterations = List.copyOf(floorIterations);
            if (iterations.size() < 2 || runs < 2) {
                throw new BadInput(
                        "%d numbers of iterations and %d runs give no slope".formatted(iterations.size(), runs),
                        "Give at least 2 of each.");
            }
        }
    }

    /**
     * What was found, in a few numbers.
     *
     * @param policyErrorSlope of log mean policy error on log K at sigma 1/2
     * @param gradientNormSlope of log mean squared gradient norm on log K at sigma 1/2
     * @param dualityGap the largest |gap| of all processes
     * @param lemma1Coverage share of data sets on which Lemma 1's bound held
     * @param lemma1Tightness the (1-delta)-quantile of |L - L^| over the bound: 1 would be a bound without slack
     */
    @Part
    public record Summary(
            double policyErrorSlope,
            double gradientNormSlope,
            double dualityGap,
            double lemma1Coverage,
            double lemma1Delta,
            double lemma1Tightness,
            int lemma1Datasets) {}

    public record Result(
            Summary summary,
            List<Rates.Slope> slopes,
            List<Rates.Rate> rates,
            List<Rates.Floor> floor,
            List<Rates.Moment> trace,
            List<Concentration.Likelihoods> likelihoods,
            List<Maximisers.Excess> maximisers,
            Lemma1Study.Details lemma1,
            List<DualityStudy.Gap> duality,
            List<Concavity.Line> concavity,
            List<Convergence.Exceedance> convergence,
            List<Convergence.Allowed> allowed,
            List<Convergence.Distance> loopConvergence,
            Setup setup,
            Settings settings) {}

    /**
     * What the settings led to.
     *
     * @param truth the expert's parameters
     * @param start theta_0 of every run; pi_0 is uniform
     * @param trajectoryLength decisions after which a trajectory counts as infinite
     */
    public record Setup(List<Double> truth, List<Double> start, int trajectoryLength) {}

    public static Result run(Settings settings, ProgressListener listener) {
        RandomStream stream = RandomStream.of(settings.seed);
        TheoryProblem problem = TheoryProblem.of(settings, stream.named("problem"));
        Rates rates = new Rates(problem, settings, stream.named("rates"), listener);
        List<Rates.Rate> measured = rates.rates();
        List<Rates.Slope> slopes = rates.slopes(measured);
        Rates.Slope half = slopes.stream()
                .filter(slope -> slope.sigma() == 0.5)
                .findFirst()
                .orElseThrow();
        List<Rates.Floor> floor = rates.floor();
        List<Rates.Moment> trace = rates.trace();
        List<Concentration.Likelihoods> likelihoods =
                new Concentration(problem, settings.data, stream.named("likelihoods"), listener).likelihoods();
        List<Maximisers.Excess> maximisers =
                Maximisers.run(problem, settings.data, stream.named("maximisers"), listener);
        Lemma1Study.Details lemma1 = new Lemma1Study(problem, settings.data, stream.named("lemma 1"), listener).run();
        List<DualityStudy.Gap> duality = DualityStudy.run(settings, stream.named("duality"), listener);
        List<Concavity.Line> concavity = Concavity.run(problem, settings, listener);
        Convergence convergence = new Convergence(problem, settings, stream.named("corollary 2"), listener);
        return new Result(
                new Summary(
                        half.policyErrorSlope(),
                        half.gradientNormSlope(),
                        duality.stream()
                                .mapToDouble(gap -> Math.abs(gap.gap()))
                                .max()
                                .orElse(Double.NaN),
                        lemma1.coverage(),
                        settings.data.lemmaDelta(),
                        lemma1.tightness(),
                        settings.data.lemmaDatasets()),
                slopes,
                measured,
                floor,
                trace,
                likelihoods,
                maximisers,
                lemma1,
                duality,
                concavity,
                convergence.exceedances(),
                convergence.bounds(),
                convergence.distances(),
                new Setup(
                        Arrays.stream(problem.truth()).boxed().toList(),
                        Arrays.stream(problem.opposite()).boxed().toList(),
                        problem.length()),
                settings);
    }
}
