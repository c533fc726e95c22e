package dev.revealed.studies;

import dev.revealed.imitate.AfterEnd;
import dev.revealed.imitate.Agent;
import dev.revealed.imitate.Cloning;
import dev.revealed.imitate.Demonstrations;
import dev.revealed.imitate.Imitation;
import dev.revealed.imitate.RewardModel;
import dev.revealed.mdp.Episode;
import dev.revealed.mdp.Episodes;
import dev.revealed.mdp.Simulator;
import dev.revealed.mdp.model.MountainCar;
import dev.revealed.mdp.model.MountainDrive;
import dev.revealed.neural.Actor;
import dev.revealed.neural.Adam;
import dev.revealed.neural.Batch;
import dev.revealed.neural.CpuTraining;
import dev.revealed.neural.Mlp.Activation;
import dev.revealed.neural.Rollouts;
import dev.revealed.neural.Temperature;
import dev.revealed.neural.Training;
import dev.revealed.neural.softq.SoftQ;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.Parallel;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Tensors;
import dev.revealed.numeric.Vec;
import dev.revealed.settings.Setting;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.stream.IntStream;

/**
 * The mountain car without a grid. An expert that a fine grid solved for drives it; ML-IRL with a soft Q-network sees the
 * states of a few drives, recovers a reward of the state and learns to drive by it, knowing neither dynamics nor actions of
 * the expert. Behaviour cloning sees the actions too.
 */
public final class DeepMountainCarStudy {
    private static final int[] HIDDEN = {64, 64};
    private static final double DISCOUNT = 0.99;
    private static final int ROLLOUTS = 5;

    /**
     * @param grid points a side of the grid that the expert was solved for on
     * @param temperature of the expert, which pays 1 for every step
     * @param demonstrations numbers of expert drives, ascending
     * @param sets independent demonstration sets; each number of demonstrations takes the first of the same set
     * @param horizon steps after which a drive is cut off in training
     * @param iterations of Algorithm 1, each with a block of steps and as many updates
     * @param clones updates of behaviour cloning
     * @param tests drives that a policy is judged by
     * @param cap these are called back after so many steps
     */
    public record Settings(
            int grid,
            double temperature,
            List<Integer> demonstrations,

            @Setting(about = "Demonstration sets.") int sets,

            int horizon,

            @Setting(about = "Iterations of Algorithm 1.") int iterations,

            int block,
            int clones,
            int tests,
            int cap,

            @Setting(about = "Seed of every random stream.") long seed) {
        public static final Settings STANDARD =
                new Settings(150, 0.1, List.of(1, 5, 20), 3, 300, 60, 1000, 3000, 100, 500, 1);

        public Settings {
            demonstrations = List.copyOf(demonstrations);
            if (sets < 2 || demonstrations.isEmpty() || iterations < 1 || tests < 1) {
                throw new BadInput(
                        "%d sets, demonstrations %s, %d iterations, %d tests"
                                .formatted(sets, demonstrations, iterations, tests),
                        "Give at least 2 sets, one number of demonstrations, one iteration and one test.");
            }
        }
    }

    /**
     * One method at one number of demonstrations: steps to the goal in the mean over the sets.
     *
     * @param standardError over the sets
     * @param worst of the sets
     * @param reached share of drives that came to the goal at all
     */
    public record Row(
            int demonstrations, String method, double meanSteps, double standardError, double worst, double reached) {}

    /** @param expertSteps of the expert, as those of the learners by drives of the undiscretised car */
    public record Result(
            Settings settings, List<String> notes, double expertSteps, double randomSteps, List<Row> rows) {}

    private record Judged(double steps, long reached) {}

    /** Makes a policy of demonstrations. */
    private record Method(String name, BiFunction<Episodes, RandomStream, Actor> learn) {}

    private final Settings settings;

    private DeepMountainCarStudy(Settings settings) {
        this.settings = settings;
    }

    public static Result run(Settings settings, ProgressListener listener) {
        return new DeepMountainCarStudy(settings).run(listener);
    }

    private Result run(ProgressListener listener) {
        RandomStream stream = RandomStream.of(settings.seed);
        GridDriver expert =
                GridDriver.of(new MountainCar(settings.grid, settings.grid), DISCOUNT, settings.temperature);
        int most = settings.demonstrations.getLast();
        List<Episodes> sets = IntStream.range(0, settings.sets)
                .mapToObj(set -> drives(
                        expert, settings.horizon, most, stream.named("set").at(set)))
                .toList();
        List<Method> methods = List.of(new Method("ml-irl", this::imitate), new Method("cloning", this::copy));
        Judged[] judged = new Judged[settings.demonstrations.size() * settings.sets * methods.size()];
        Parallel.tasks(judged.length, "runs", listener, i -> {
            int count = settings.demonstrations.get(i / methods.size() / settings.sets);
            Episodes drives = sets.get(i / methods.size() % settings.sets).first(count);
            Method method = methods.get(i % methods.size());
            judged[i] = judge(method.learn.apply(drives, stream.named("run").at(i)));
        });
        List<Row> rows = new ArrayList<>();
        for (int d = 0; d < settings.demonstrations.size(); d++) {
            for (int m = 0; m < methods.size(); m++) {
                double[] steps = new double[settings.sets];
                long reached = 0;
                for (int set = 0; set < settings.sets; set++) {
                    Judged one = judged[(d * settings.sets + set) * methods.size() + m];
                    steps[set] = one.steps;
                    reached += one.reached;
                }
                rows.add(new Row(
                        settings.demonstrations.get(d),
                        methods.get(m).name,
                        Vec.mean(steps),
                        Vec.standardError(steps),
                        Vec.maxAbs(steps),
                        (double) reached / (settings.sets * settings.tests)));
            }
        }
        return new Result(settings, notes(), judge(expert).steps, judge(new Aimless()).steps, rows);
    }

    private static Episodes drives(Actor driver, int horizon, int count, RandomStream stream) {
        return Rollouts.of(driver, List.of(MountainDrive.simulator(horizon)), 0, count, false, stream);
    }

    /** The same test drives for all. */
    private Judged judge(Actor policy) {
        RandomStream stream = RandomStream.of(settings.seed).named("test");
        Episodes drives = drives(policy, settings.cap, settings.tests, stream);
        long reached = drives.all().stream()
                .filter(drive -> drive.ending() == Episode.Ending.TERMINATED)
                .count();
        return new Judged((double) drives.steps() / settings.tests, reached);
    }

    private Actor imitate(Episodes drives, RandomStream stream) {
        SoftQ.Settings network = new SoftQ.Settings(HIDDEN, 1e-3, DISCOUNT, 0.995, 64, 0.2, 2, false);
        Training.Schedule schedule = new Training.Schedule(1000, 1, 100_000);
        Simulator car = MountainDrive.simulator(settings.horizon);
        try (Training training =
                new CpuTraining(List.of(car), new SoftQ(car.space(), network, stream, 1), schedule, stream)) {
            Imitation imitation = new Imitation(
                    reward(),
                    Demonstrations.of("the drives of the study", drives),
                    car.space(),
                    new Agent(
                            training,
                            DISCOUNT,
                            Temperature.fixed(1),
                            List.of(MountainDrive.simulator(settings.horizon)),
                            stream));
            imitation.advance(settings.iterations, made -> {}, score -> {});
            return training.policy();
        }
    }

    /** Of states alone; a car at the goal stays there, for expert and agent alike. */
    private Imitation.Settings reward() {
        return Imitation.Settings.USUAL
                .with(Map.of(
                        "reward",
                        RewardModel.Of.STATE,
                        "reward-hidden",
                        HIDDEN,
                        "first-activation",
                        Activation.TANH,
                        "reward-clamp",
                        10,
                        "reward-inputs",
                        RewardModel.Inputs.STANDARDISED,
                        "loss-scale",
                        1,
                        "reward-roughness",
                        0,
                        "reward-discount",
                        DISCOUNT,
                        "after-end",
                        AfterEnd.ABSORB,
                        "ground",
                        false))
                .with(Map.of(
                        "block", settings.block, "rollouts", ROLLOUTS, "recent", settings.block, "average-policy", 1));
    }

    private Actor copy(Episodes drives, RandomStream stream) {
        Cloning.Settings network = new Cloning.Settings(HIDDEN, Adam.Settings.of(1e-3), 64, 1);
        try (Cloning cloning = new Cloning(
                network, drives, MountainDrive.simulator(settings.horizon).space(), stream)) {
            cloning.advance(settings.clones, Batch.Rewards.STORED, made -> {});
            return cloning.policy();
        }
    }

    /** Draws from all actions. */
    private static final class Aimless implements Actor {
        @Override
        public void act(float[] observations, int offset, RandomStream noise, float[] actions, int to) {
            actions[to] = noise.nextInt(MountainCar.ACTIONS);
        }

        @Override
        public void actDeterministic(float[] observations, int offset, float[] actions, int to) {
            actions[to] = 0;
        }

        @Override
        public Actor worker() {
            return this;
        }

        @Override
        public Actor snapshot() {
            return this;
        }

        @Override
        public void save(Tensors into) {
            // there is nothing to it
        }
    }

    private List<String> notes() {
        return List.of(
                "Position and velocity are numbers, three actions; the expert is soft-optimal for a cost of 1 a step at a temperature of %s, solved for on a grid of %d by %2$d points."
                        .formatted(settings.temperature, settings.grid),
                "ML-IRL sees states alone and learns by a soft Q-network: %d iterations of %d steps and as many updates. Cloning sees the actions too."
                        .formatted(settings.iterations, settings.block),
                "Steps are those of %d drives from the same starts, with actions drawn from the policy, counted up to %d."
                        .formatted(settings.tests, settings.cap));
    }
}
