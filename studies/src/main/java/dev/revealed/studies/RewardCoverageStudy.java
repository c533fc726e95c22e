package dev.revealed.studies;

import dev.revealed.estimate.Estimate;
import dev.revealed.estimate.Inference;
import dev.revealed.estimate.Nfxp;
import dev.revealed.estimate.Problem;
import dev.revealed.estimate.RewardBootstrap;
import dev.revealed.mdp.Demonstrations;
import dev.revealed.mdp.LinearReward;
import dev.revealed.mdp.Mdp;
import dev.revealed.mdp.Resample;
import dev.revealed.mdp.Simulation;
import dev.revealed.mdp.Trajectory;
import dev.revealed.mdp.model.GridWorld;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.Interval;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Vec;
import dev.revealed.numeric.task.TaskList;
import dev.revealed.numeric.task.TaskRunner;
import dev.revealed.settings.Setting;
import dev.revealed.studies.theory.TheoryProblem;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.IntFunction;

/**
 * How often 95 % intervals of a reward contain the truth when trajectories are resampled, or blocks of the only one: on a board
 * whose reward is known and has three parameters that behaviour reveals.
 */
public final class RewardCoverageStudy {
    private static final double LEVEL = 0.95;
    private static final double[] TRUTH = {0.5, -0.5, -0.3};
    private static final List<String> NAMES = List.of("nearness", "swamp", "move");

    private RewardCoverageStudy() {}

    /**
     * @param sets simulated sets of demonstrations for each case
     * @param draws bootstrap samples of each
     */
    public record Settings(
            @Setting(about = "Simulated sets of demonstrations for each case.")
            int sets,

            @Setting(about = "Bootstrap samples of each.") int draws,

            int size,
            double slip,
            double discount,

            @Setting(about = "Seed of every random stream.") long seed) {
        public static final Settings STANDARD = new Settings(500, 199, 4, 0.2, 0.95, 1);

        public Settings {
            if (sets < 2 || draws < 20) {
                throw new BadInput(
                        "%d sets and %d bootstrap samples".formatted(sets, draws),
                        "Give at least 2 sets and 20 samples.");
            }
            BadInput.discount(discount);
        }
    }

    /** What the data are, what is maximised, and what is drawn anew. */
    private record Case(String name, int trajectories, int length, Problem.Objective objective, boolean blocks) {
        String likelihood() {
            return objective == Problem.Objective.SURROGATE ? "discounted" : "every choice";
        }
    }

    private static final List<Case> CASES = List.of(
            new Case("30 trajectories of 100", 30, 100, Problem.Objective.SURROGATE, false),
            new Case("10 trajectories of 100", 10, 100, Problem.Objective.SURROGATE, false),
            new Case("5 trajectories of 100", 5, 100, Problem.Objective.SURROGATE, false),
            new Case("5 trajectories of 100", 5, 100, Problem.Objective.SURROGATE, true),
            new Case("1 trajectory of 1000", 1, 1000, Problem.Objective.SURROGATE, true),
            new Case("1 trajectory of 1000", 1, 1000, Problem.Objective.PANEL, true));

    /**
     * One kind of interval in one case.
     *
     * @param drawn what the bootstrap draws; blocks with the median of their lengths
     * @param failures sets without an estimate or an interval, which count as not holding the truth
     */
    public record Row(
            String data, String likelihood, String drawn, String interval, int failures, List<Coverage> parameters) {
        /** The mean over parameters. */
        public double coverage() {
            return parameters.stream().mapToDouble(Coverage::coverage).average().orElse(Double.NaN);
        }
    }

    /**
     * Of one parameter.
     *
     * @param coverage share of the sets whose interval holds the truth
     * @param monteCarloError standard error of that share
     * @param medianWidth of the intervals
     * @param spread standard deviation of the estimates
     */
    public record Coverage(
            String parameter, double coverage, double monteCarloError, double medianWidth, double spread) {}

    public record Result(Settings settings, double[] truth, List<Row> rows, List<String> notes) {}

    /** What was found on one set; nothing where there is no maximum. */
    record DrawnSet(Optional<Found> found) {}

    /** Of one set: the estimate, each parameter's interval of each kind, and how long blocks were. */
    record Found(double[] theta, Map<String, Interval[]> intervals, int block) {}

    public static Result run(Settings settings, ProgressListener listener) {
        return run(settings, TaskRunner.THREADS, listener);
    }

    /** The same with the sets of all cases as tasks. */
    public static Result run(Settings settings, TaskRunner runner, ProgressListener listener) {
        Mdp mdp = new GridWorld(settings.size(), settings.slip()).mdp(settings.discount());
        LinearReward reward = reward(mdp, settings.size());
        Simulation expert =
                new Simulation(mdp, TheoryProblem.optimal(mdp, reward, TRUTH).logPolicy());
        RandomStream stream = RandomStream.of(settings.seed()).named("reward coverage");
        int sets = settings.sets();
        TaskList<DrawnSet> tasks =
                new TaskList<>("sets", settings.toString(), DrawnSet.class, CASES.size() * sets, k -> {
                    Case one = CASES.get(k / sets);
                    // The same data whatever is drawn from them.
                    RandomStream chance = stream.named(one.name()).at(k % sets);
                    Demonstrations data = expert.demonstrations(one.trajectories(), one.length(), chance.named("data"));
                    Problem problem = Problem.of(mdp, reward, data).withObjective(one.objective());
                    return new DrawnSet(find(problem, one, settings, chance.named("bootstrap")));
                });
        List<DrawnSet> found = runner.run(tasks, listener);
        List<Row> rows = new ArrayList<>();
        for (int c = 0; c < CASES.size(); c++) {
            rows.addAll(rows(
                    CASES.get(c),
                    found.subList(c * sets, (c + 1) * sets).stream()
                            .map(DrawnSet::found)
                            .toList()));
        }
        return new Result(settings, TRUTH.clone(), rows, notes(settings));
    }

    /** How near the goal in the corner, how deep in the swamp of the middle rows, and whether a move is made. */
    private static LinearReward reward(Mdp mdp, int size) {
        int actions = mdp.actions();
        double[][] features = new double[mdp.rows()][];
        Arrays.setAll(features, row -> {
            int line = row / actions / size;
            int column = row / actions % size;
            double nearness = (double) (line + column) / (2 * size - 2);
            boolean swamp = line == size / 2 && column > 0;
            boolean move = row % actions != actions - 1;
            return new double[] {nearness, swamp ? 1 : 0, move ? 1 : 0};
        });
        return LinearReward.ofRows(actions, NAMES, features);
    }

    private static Optional<Found> find(Problem problem, Case one, Settings settings, RandomStream stream) {
        Estimate estimate;
        try {
            estimate = Nfxp.standard().fit(problem, stream.named("search"), ProgressListener.NONE);
        } catch (BadInput | ArithmeticException e) {
            return Optional.empty(); // no maximum
        }
        if (!estimate.converged()) {
            return Optional.empty();
        }
        double[] theta = estimate.theta();
        int block = one.blocks() ? block(problem) : 0;
        Resample resample = one.blocks() ? new Resample.Blocks(block) : new Resample.Trajectories();
        return RewardBootstrap.of(problem, theta, resample).map(bootstrap -> {
            double[][] draws = new double[settings.draws()][];
            double[][] steps = new double[settings.draws()][];
            for (int k = 0; k < draws.length; k++) {
                // A sample without a maximum lies as far out as can be; where, nobody knows, so its step stands for it.
                steps[k] = bootstrap.step(stream.at(k));
                draws[k] = bootstrap.draw(stream.at(k)).orElse(steps[k]);
            }
            Map<String, Interval[]> intervals = new LinkedHashMap<>();
            intervals.put("percentile", each(j -> Interval.percentile(column(draws, j), LEVEL)));
            intervals.put("basic", each(j -> Interval.basic(theta[j], column(draws, j), LEVEL)));
            intervals.put("percentile of one step", each(j -> Interval.percentile(column(steps, j), LEVEL)));
            classical(problem, estimate, one)
                    .ifPresent(errors -> intervals.put(
                            one.blocks() ? "information" : "sandwich",
                            each(j -> Interval.normal(theta[j], errors[j], LEVEL))));
            return new Found(theta, intervals, block);
        });
    }

    private static Interval[] each(IntFunction<Interval> of) {
        Interval[] intervals = new Interval[TRUTH.length];
        Arrays.setAll(intervals, of);
        return intervals;
    }

    private static double[] column(double[][] draws, int j) {
        return Arrays.stream(draws).mapToDouble(draw -> draw[j]).toArray();
    }

    /** The longest that any feature asks for, in the longest trajectory. */
    private static int block(Problem problem) {
        Trajectory seen = problem.demonstrations().trajectories().getFirst();
        int[] states = seen.states();
        int[] actions = Objects.requireNonNull(seen.actions());
        double[] feature = new double[problem.mdp().rows()];
        int length = 1;
        for (int j = 0; j < TRUTH.length; j++) {
            problem.reward().derivative(TRUTH, j, feature);
            double[] series = new double[actions.length];
            Arrays.setAll(series, t -> feature[states[t] * problem.mdp().actions() + actions[t]]);
            length = Math.max(length, Resample.Blocks.lengthFor(series));
        }
        return length;
    }

    /** Standard errors without a bootstrap: the sandwich over trajectories, or the information of a trajectory's choices. */
    private static Optional<double[]> classical(Problem problem, Estimate estimate, Case one) {
        if (!one.blocks()) {
            return Optional.of(estimate.covariance())
                    .filter(covariance -> covariance.length > 0)
                    .map(RewardCoverageStudy::rootDiagonal);
        }
        return one.objective() == Problem.Objective.PANEL
                ? Inference.Influence.of(problem, estimate.theta()).map(influence -> rootDiagonal(influence.inverse()))
                : Optional.empty();
    }

    private static double[] rootDiagonal(double[][] covariance) {
        double[] root = new double[covariance.length];
        Arrays.setAll(root, j -> Math.sqrt(covariance[j][j]));
        return root;
    }

    private static List<Row> rows(Case one, List<Optional<Found>> sets) {
        List<Found> found = sets.stream().flatMap(Optional::stream).toList();
        double[] blocks = found.stream().mapToDouble(set -> set.block).sorted().toArray();
        String drawn = one.blocks() ? "blocks of %.0f".formatted(Interval.quantile(blocks, 0.5)) : "trajectories";
        List<String> kinds = found.stream()
                .flatMap(set -> set.intervals.keySet().stream())
                .distinct()
                .toList();
        return kinds.stream()
                .map(kind -> {
                    List<Interval[]> intervals = found.stream()
                            .flatMap(set -> Optional.ofNullable(set.intervals.get(kind)).stream())
                            .toList();
                    List<Coverage> parameters = new ArrayList<>();
                    for (int j = 0; j < TRUTH.length; j++) {
                        parameters.add(coverage(j, found, intervals, sets.size()));
                    }
                    int failures = sets.size() - intervals.size();
                    return new Row(one.name(), one.likelihood(), drawn, kind, failures, parameters);
                })
                .toList();
    }

    private static Coverage coverage(int j, List<Found> found, List<Interval[]> intervals, int sets) {
        double[] estimates = found.stream().mapToDouble(set -> set.theta[j]).toArray();
        double[] widths =
                intervals.stream().mapToDouble(all -> all[j].width()).sorted().toArray();
        double held = intervals.stream().filter(all -> all[j].holds(TRUTH[j])).count();
        double coverage = held / sets;
        return new Coverage(
                NAMES.get(j),
                coverage,
                Math.sqrt(coverage * (1 - coverage) / sets),
                Interval.quantile(widths, 0.5),
                Vec.standardError(estimates) * Math.sqrt(estimates.length));
    }

    private static List<String> notes(Settings settings) {
        return List.of(
                "Each set: an expert on a board of %d by %d cells, slip %s, discount %s, whose reward is known; %d bootstrap samples of each."
                        .formatted(settings.size, settings.size, settings.slip, settings.discount, settings.draws),
                "A discounted likelihood weighs step t by %s^t, as imitation on simulators does: however long a trajectory, no more than %.0f steps' worth of it count."
                        .formatted(settings.discount(), (1 + settings.discount()) / (1 - settings.discount())));
    }
}
