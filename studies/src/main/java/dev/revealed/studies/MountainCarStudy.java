package dev.revealed.studies;

import dev.revealed.mdp.Agent;
import dev.revealed.mdp.Demonstrations;
import dev.revealed.mdp.Evaluation;
import dev.revealed.mdp.Gradient;
import dev.revealed.mdp.InformationCost;
import dev.revealed.mdp.Likelihood;
import dev.revealed.mdp.LinearReward;
import dev.revealed.mdp.Mdp;
import dev.revealed.mdp.Simulation;
import dev.revealed.mdp.SingleLoop;
import dev.revealed.mdp.SoftPolicy;
import dev.revealed.mdp.SoftProcess;
import dev.revealed.mdp.Steps;
import dev.revealed.mdp.model.MountainCar;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.Parallel;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Vec;
import dev.revealed.settings.Setting;
import dev.revealed.studies.theory.TheoryProblem;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/**
 * The paper's figure 2: a car taught by few or many expert drives, by ML-IRL and by nested MaxEnt-IRL. What counts is how
 * soon the learnt policy reaches the goal when both have made the same number of passes over the kernel.
 */
public final class MountainCarStudy {
    private static final int COST_OF_A_STEP = -1;
    private static final int SINGLE = 0;
    private static final int NESTED = 1;

    /**
     * @param temperature of expert and learners; the expert pays 1 for every step
     * @param tents tent functions a side of the learnt reward: piecewise bilinear in position and velocity
     * @param demonstrations numbers of expert trajectories, ascending
     * @param length decisions per trajectory; the car waits at the goal, where it stays
     * @param sets independent demonstration sets; each number of demonstrations takes the first of the same set
     * @param step constant step of ML-IRL, on the likelihood with the reward in units of the temperature: small enough for
     *     a policy that gets one backup per step to keep up
     * @param nestedStep constant step of MaxEnt-IRL, whose policy never lags
     * @param budgets kernel passes after which policies are looked at, ascending
     * @param cap the car is called back after this many steps
     */
    public record Settings(
            @Setting(name = "grid", about = "Positions and velocities of the grid.")
            int positions,

            @Setting(name = "grid", about = "Positions and velocities of the grid.")
            int velocities,

            double discount,
            double temperature,
            int tents,
            double ridge,

            @Setting(about = "Constant step of ML-IRL.") double step,

            @Setting(about = "Constant step of MaxEnt-IRL.") double nestedStep,

            List<Integer> demonstrations,
            int length,

            @Setting(about = "Demonstration sets.") int sets,

            List<Integer> budgets,
            int cap,

            @Setting(about = "Seed of every random stream.") long seed) {
        private static final List<Integer> COUNTS = List.of(1, 5, 10, 20, 50);
        private static final List<Integer> BUDGETS = List.of(64, 128, 256, 512, 1024, 2048, 4096, 8192, 16_384);
        public static final Settings STANDARD =
                new Settings(40, 40, 0.99, 0.1, 8, 0.1, 0.001, 0.1, COUNTS, 200, 10, BUDGETS, 500, 1);

        public Settings {
            demonstrations = List.copyOf(demonstrations);
            budgets = List.copyOf(budgets);
            Checks.steps(step, nestedStep, ridge);
            if (sets < 2 || tents < 2 || demonstrations.isEmpty() || budgets.isEmpty()) {
                throw new BadInput(
                        "%d sets, %d tents, demonstrations %s, budgets %s"
                                .formatted(sets, tents, demonstrations, budgets),
                        "Give at least 2 sets and tents, and at least one number of demonstrations and budget.");
            }
        }
    }

    /** One method at one number of demonstrations and one budget: means over the sets. */
    public record Row(
            int demonstrations,
            String method,
            int kernelPasses,
            double meanSteps,
            double standardError,
            double rewardSteps) {}

    /**
     * Whether ML-IRL needs no more steps to the goal than MaxEnt-IRL plus one standard error of MaxEnt-IRL's mean.
     *
     * @param kernelPasses the largest budget, which the other numbers are for
     * @param standardError of MaxEnt-IRL's mean
     * @param pairedStandardError of the mean difference between the two on the same set
     * @param holdsAtEveryBudget the same comparison at all budgets
     */
    public record Holds(
            int demonstrations,
            int kernelPasses,
            double mlIrl,
            double maxEntIrl,
            double standardError,
            double pairedStandardError,
            boolean holds,
            boolean holdsAtEveryBudget) {}

    /**
     * @param bestSteps of a policy that hardly errs and looks far ahead: what the grid allows
     */
    public record Result(
            Settings settings,
            List<String> notes,
            double bestSteps,
            double expertSteps,
            double randomSteps,
            List<Row> rows,
            List<Holds> holds) {}

    private record Method(String name, Evaluation evaluation, Agent agent, double step) {}

    /** The policies of one run at its budgets, by what they do. */
    private record Curve(double[] steps, double[] rewardSteps) {}

    private final Settings settings;
    private final MountainCar car;
    private final Mdp mdp;
    private final LinearReward reward;
    private final List<Method> methods;

    private MountainCarStudy(Settings settings) {
        this.settings = settings;
        car = new MountainCar(settings.positions, settings.velocities);
        mdp = car.mdp(settings.discount);
        reward = tents();
        Agent swept = new Agent.Swept(1e-6, 1_000_000);
        methods = List.of(
                new Method("ml-irl", new Evaluation.Backups(1), new Agent.Swept(0, 1), settings.step),
                new Method("maxent-irl", new Evaluation.Solved(1e-6, true), swept, settings.nestedStep));
    }

    public static Result run(Settings settings, ProgressListener listener) {
        return new MountainCarStudy(settings).run(listener);
    }

    private Result run(ProgressListener listener) {
        SoftPolicy expert = expert(mdp, car.goal(), settings.temperature);
        Simulation simulation = new Simulation(mdp, expert.logPolicy());
        int most = settings.demonstrations.stream().mapToInt(n -> n).max().orElseThrow();
        RandomStream stream = RandomStream.of(settings.seed).named("set");
        List<Demonstrations> sets = IntStream.range(0, settings.sets)
                .mapToObj(set -> simulation.demonstrations(most, settings.length, stream.at(set)))
                .toList();
        Curve[] curves = new Curve[settings.demonstrations.size() * settings.sets * methods.size()];
        Parallel.tasks(curves.length, "runs", listener, i -> {
            Method method = methods.get(i % methods.size());
            Demonstrations data = sets.get(i / methods.size() % settings.sets);
            int count = settings.demonstrations.get(i / methods.size() / settings.sets);
            curves[i] = curve(method, data.slice(0, count));
        });
        double[] random = SoftPolicy.start(process()).policy();
        return new Result(
                settings,
                notes(),
                expectedSteps(mdp, car.goal(), best(car).policy(), settings.cap),
                expectedSteps(mdp, car.goal(), expert.policy(), settings.cap),
                expectedSteps(mdp, car.goal(), random, settings.cap),
                rows(curves),
                holds(curves));
    }

    /** Soft-optimal for a cost of 1 per step until the goal. Rewards are in units of the temperature, here and below. */
    static SoftPolicy expert(Mdp mdp, int goal, double temperature) {
        double[] rows = new double[mdp.rows()];
        Arrays.fill(rows, COST_OF_A_STEP / temperature);
        Arrays.fill(rows, goal * mdp.actions(), (goal + 1) * mdp.actions(), 0);
        return TheoryProblem.optimal(mdp, rows, 1e-10);
    }

    /** Nearly the fewest steps the grid allows. */
    static SoftPolicy best(MountainCar car) {
        return expert(car.mdp(0.999), car.goal(), 0.005);
    }

    /** Expected steps to the goal under a policy, counted up to {@code cap}: exact, by following the distribution. */
    static double expectedSteps(Mdp mdp, int goal, double[] policy, int cap) {
        SoftProcess process = new SoftProcess(mdp, InformationCost.STANDARD);
        double[] at = mdp.start().clone();
        double[] flow = new double[mdp.rows()];
        double steps = 0;
        for (int t = 0; t < cap; t++) {
            steps += 1 - at[goal];
            for (int row = 0; row < flow.length; row++) {
                flow[row] = at[row / mdp.actions()] * policy[row];
            }
            process.push(flow, at);
        }
        return steps;
    }

    private SoftProcess process() {
        return new SoftProcess(mdp, InformationCost.STANDARD);
    }

    /** Runs one method until the largest budget is spent. */
    private Curve curve(Method method, Demonstrations data) {
        SoftProcess process = process();
        SoftPolicy start = SoftPolicy.start(process);
        SingleLoop<double[], SoftPolicy, Gradient> loop = new SingleLoop<>(
                Evaluation.lower(process, reward, method.evaluation),
                Agent.score(
                        process, reward, new Likelihood.Surrogate(process, data), data, settings.ridge, method.agent),
                Steps.decaying(method.step, 0, 1));
        Ledger ledger = new Ledger(process, start);
        loop.run(
                new SingleLoop.Iterate<>(0, new double[reward.parameters()], start, RandomStream.of(settings.seed)),
                (k, theta, policy, gradient) -> ledger.goOn(k, policy));
        return new Curve(ledger.steps, ledger.rewardSteps);
    }

    /** Notes at each budget the last policy that was complete by then; no method gets an extra solve. */
    private final class Ledger {
        private final SoftProcess process;
        private final double[] steps = new double[settings.budgets.size()];
        private final double[] rewardSteps = new double[steps.length];
        private double[] last;
        private int lastK;
        private int next;

        Ledger(SoftProcess process, SoftPolicy start) {
            this.process = process;
            last = start.policy().clone();
        }

        boolean goOn(int k, SoftPolicy policy) {
            double known = Double.NaN;
            while (next < steps.length && process.passes().count() > settings.budgets.get(next)) {
                known = Double.isNaN(known) ? expectedSteps(mdp, car.goal(), last, settings.cap) : known;
                steps[next] = known;
                rewardSteps[next++] = lastK;
            }
            last = policy.policy().clone();
            lastK = k;
            return next < steps.length;
        }
    }

    private List<Row> rows(Curve[] curves) {
        List<Row> rows = new ArrayList<>();
        for (int d = 0; d < settings.demonstrations.size(); d++) {
            for (int m = 0; m < methods.size(); m++) {
                for (int b = 0; b < settings.budgets.size(); b++) {
                    int count = settings.demonstrations.get(d);
                    int budget = b;
                    double[] steps = steps(curves, d, m, b);
                    double rewardSteps = Vec.mean(overSets(curves, d, m, curve -> curve.rewardSteps[budget]));
                    String method = methods.get(m).name;
                    int passes = settings.budgets.get(b);
                    rows.add(new Row(count, method, passes, Vec.mean(steps), Vec.standardError(steps), rewardSteps));
                }
            }
        }
        return rows;
    }

    private List<Holds> holds(Curve[] curves) {
        List<Holds> holds = new ArrayList<>();
        int last = settings.budgets.size() - 1;
        for (int d = 0; d < settings.demonstrations.size(); d++) {
            int own = d;
            double[] single = steps(curves, d, SINGLE, last);
            double[] nested = steps(curves, d, NESTED, last);
            holds.add(new Holds(
                    settings.demonstrations.get(d),
                    settings.budgets.get(last),
                    Vec.mean(single),
                    Vec.mean(nested),
                    Vec.standardError(nested),
                    Vec.standardError(Vec.plus(single, -1, nested)),
                    noMoreSteps(curves, d, last),
                    IntStream.rangeClosed(0, last).allMatch(b -> noMoreSteps(curves, own, b))));
        }
        return holds;
    }

    private boolean noMoreSteps(Curve[] curves, int d, int budget) {
        double[] single = steps(curves, d, SINGLE, budget);
        double[] nested = steps(curves, d, NESTED, budget);
        return Vec.mean(single) <= Vec.mean(nested) + Vec.standardError(nested);
    }

    /** Steps to the goal in each set. */
    private double[] steps(Curve[] curves, int d, int method, int budget) {
        return overSets(curves, d, method, curve -> curve.steps[budget]);
    }

    private double[] overSets(Curve[] curves, int d, int method, ToDoubleFunction<Curve> of) {
        return IntStream.range(0, settings.sets)
                .mapToDouble(set -> of.applyAsDouble(curves[(d * settings.sets + set) * methods.size() + method]))
                .toArray();
    }

    /** Bilinear tents over position and velocity, and a number for the goal. */
    private LinearReward tents() {
        int side = settings.tents;
        List<String> names = new ArrayList<>();
        for (int i = 0; i < side * side; i++) {
            names.add("tent(%d,%d)".formatted(i / side, i % side));
        }
        names.add("goal");
        double[][] features = new double[car.states()][side * side + 1];
        features[car.goal()][side * side] = 1;
        for (int s = 0; s < car.goal(); s++) {
            MountainCar.Point point = car.point(s);
            double x = (point.position() - MountainCar.LEFT) / (MountainCar.GOAL - MountainCar.LEFT) * (side - 1);
            double y = (point.velocity() / MountainCar.FASTEST + 1) / 2 * (side - 1);
            for (int i = 0; i < side; i++) {
                for (int j = 0; j < side; j++) {
                    features[s][i * side + j] = Math.max(0, 1 - Math.abs(x - i)) * Math.max(0, 1 - Math.abs(y - j));
                }
            }
        }
        return LinearReward.ofStates(mdp.actions(), names, features);
    }

    private List<String> notes() {
        return List.of(
                "The classic car on %d positions and %d velocities with bilinear interpolation; discount %s."
                        .formatted(settings.positions, settings.velocities, settings.discount),
                ("The expert pays 1 per step and is soft-optimal at temperature %s; trajectories have %d decisions and end"
                                + " waiting at the goal.")
                        .formatted(settings.temperature, settings.length),
                ("The learnt reward sees only the state: %d x %d tents over position and velocity, and the goal; ridge %s,"
                                + " without which the likelihood of a handful of drives may have no maximum.")
                        .formatted(settings.tents, settings.tents, settings.ridge),
                Checks.LOOPS,
                ("Constant steps: %s for ML-IRL, %s for MaxEnt-IRL. A policy counts at a budget if it was complete within that many kernel passes; neither method gets an"
                                + " extra solve.")
                        .formatted(settings.step, settings.nestedStep),
                "Steps to the goal are exact expectations on the grid, counted up to %d.".formatted(settings.cap));
    }
}
