package dev.revealed.imitate.world;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.within;

import dev.revealed.imitate.Demonstrations;
import dev.revealed.mdp.Episode;
import dev.revealed.mdp.Episode.Ending;
import dev.revealed.mdp.Episodes;
import dev.revealed.mdp.Simulator;
import dev.revealed.neural.ensemble.Gaussian;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.Parallel;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Tensors;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Worlds learnt from a system whose law is known: s' = s + 0.1 a + noise of deviation 0.02, ended beyond 1. */
class WorldTest {
    private static final double NOISE = 0.02;
    private static final WorldTraining.Settings SMALL =
            new WorldTraining.Settings(3, 2, new int[] {16, 16}, 6, 3, 0.1, 0.25, 64, 3e-3, 0);

    @AfterEach
    void threadsAsBefore() {
        Parallel.threads(Runtime.getRuntime().availableProcessors());
    }

    private static TransitionRows log(int episodes, boolean ends) {
        return TransitionRows.of(moves(episodes, ends, 0.1));
    }

    /** @param force of the actions */
    private static Episodes moves(int episodes, boolean ends, double force) {
        RandomStream stream = RandomStream.of(4);
        List<Episode> all = new ArrayList<>();
        for (int i = 0; i < episodes; i++) {
            float[] seen = new float[41];
            float[] acts = new float[40];
            seen[0] = (float) stream.nextDouble(-1, 1);
            int t = 0;
            do {
                acts[t] = (float) stream.nextDouble(-1, 1);
                seen[t + 1] = (float) (seen[t] + force * acts[t] + NOISE * stream.nextGaussian());
                t++;
            } while (t < 40 && !(ends && Math.abs(seen[t]) > 1));
            all.add(new Episode(
                    t,
                    Arrays.copyOf(seen, t + 1),
                    Arrays.copyOf(acts, t),
                    null,
                    ends && Math.abs(seen[t]) > 1 ? Ending.TERMINATED : Ending.TRUNCATED));
        }
        return new Episodes(all);
    }

    private static WorldTraining trained(TransitionRows log, boolean ends, int epochs) {
        WorldTraining training = new WorldTraining(SMALL, log, ends, RandomStream.of(1));
        while (!training.finished() && training.epochs() < epochs) {
            training.epoch();
        }
        return training;
    }

    @Test
    void findsTheLawAndHowSureItIs() {
        TransitionRows log = log(150, false);
        WorldTraining training = trained(log, false, 6);
        farFromTheLogItIsLessSure(log, training.world());
        WorldCheck check = WorldCheck.of(training.world(), log, training.heldOut(), RandomStream.of(2));
        double changes = 0.01 / 3 + NOISE * NOISE; // the variance of 0.1 a + noise
        assertThat(check.oneStep()).isCloseTo(NOISE * NOISE / changes, within(0.05));
        assertThat(check.coverage()).isCloseTo(0.9, within(0.06));
        assertThat(check.ahead()).extracting(WorldCheck.Ahead::steps).contains(1, 5, 10);
        // after ten steps the noise of world and system has ten variances each, in deviations of the states
        WorldCheck.Ahead ten = check.ahead().get(2);
        double deviation = 1 / training.world().standards().scale()[0];
        assertThat(ten.error()).isCloseTo(Math.sqrt(20) * NOISE / deviation, within(0.06));
    }

    @Test
    void learnsWhenEpisodesTerminate() {
        TransitionRows log = log(300, true);
        WorldTraining.Settings longer =
                new WorldTraining.Settings(2, 1, new int[] {16, 16}, 25, 25, 0.1, 0.25, 32, 3e-3, 0);
        WorldTraining training = new WorldTraining(longer, log, true, RandomStream.of(1));
        while (!training.finished()) {
            training.epoch();
        }
        WorldModel world = training.world();
        WorldModel.Worker worker = world.worker(1);
        int ended = 0;
        RandomStream random = RandomStream.of(9);
        for (int i = 0; i < 200; i++) {
            float[] said = worker.one(world.elites()[0], 1, new float[] {0.99f}, 0, new float[] {1}, 0);
            ended += worker.ends(said, 0, random) ? 1 : 0;
        }
        float[] middle = worker.one(world.elites()[0], 1, new float[] {0}, 0, new float[] {1}, 0);
        assertThat(Gaussian.probability(middle[2])).isLessThan(0.05);
        assertThat(ended).isGreaterThan(50);
    }

    /** Where few demonstrations contradict a long log, the world believes those that fill more of a pass. */
    @Test
    void demonstrationsAreRepeatedUpToTheirShare() {
        TransitionRows log = TransitionRows.of(moves(60, false, 0.1), moves(3, false, -0.1));
        assertThat(changeByActing(log, 0)).isGreaterThan(0.5);
        assertThat(changeByActing(log, 0.9)).isLessThan(-0.5);
    }

    /** In standard deviations of the changes. */
    private static double changeByActing(TransitionRows log, double share) {
        WorldTraining.Settings settings =
                new WorldTraining.Settings(2, 1, new int[] {16, 16}, 10, 10, 0.1, share, 32, 3e-3, 0);
        WorldTraining training = new WorldTraining(settings, log, false, RandomStream.of(1));
        while (!training.finished()) {
            training.epoch();
        }
        WorldModel world = training.world();
        return world.worker(1).one(world.elites()[0], 1, new float[] {0}, 0, new float[] {1}, 0)[0];
    }

    @Test
    void resumedOrOnOneThreadTheWorldIsTheSame() {
        TransitionRows log = log(60, false);
        Parallel.threads(2);
        Tensors whole = Tensors.of(trained(log, false, 4).world()::save);
        Parallel.threads(1);
        Tensors half = Tensors.of(trained(log, false, 2)::save);
        WorldTraining resumed = new WorldTraining(SMALL, log, false, RandomStream.of(1));
        resumed.restore(half);
        resumed.epoch();
        resumed.epoch();
        Tensors after = Tensors.of(resumed.world()::save);
        assertThat(after.names()).isEqualTo(whole.names());
        for (String name : whole.names()) {
            assertThat(after.get(name)).as(name).usingRecursiveComparison().isEqualTo(whole.get(name));
        }
        WorldModel loaded = WorldModel.load(after);
        assertThat(Tensors.of(loaded::save).names()).isEqualTo(after.names());
        assertThatExceptionOfType(BadInput.class)
                .isThrownBy(() -> new WorldTraining(SMALL, log(61, false), false, RandomStream.of(1)).restore(half))
                .withMessageContaining("the log is another");
    }

    @Test
    void roundsOfRolloutsAreTheSameOnAnyNumberOfThreads() {
        TransitionRows log = log(60, false);
        WorldModel world = trained(log, false, 2).world();
        Simulator.Termination rule = (seen, at) -> Math.abs(seen[at]) > 0.5;
        Uncertainty uncertainty = Uncertainty.of(Penalty.ENSEMBLE_STD, world, log);
        WorldSimulator simulator = new WorldSimulator(
                world,
                Optional.of(rule),
                (stream, into, at) -> log.state(stream.nextInt(log.count()), into, at),
                uncertainty,
                new Simulator.Space("line", 1, new Simulator.Actions.Box(1, 1), 40),
                600,
                3);
        float[] states = new float[600];
        simulator.begin(RandomStream.of(1), states);
        List<float[]> next = new ArrayList<>();
        for (int threads : new int[] {1, 2}) {
            Parallel.threads(threads);
            float[] then = new float[600];
            double[] stored = new double[600];
            boolean[] ended = new boolean[600];
            simulator.step(600, states, new float[600], RandomStream.of(2), then, stored, ended);
            for (int row = 0; row < 600; row++) {
                assertThat(ended[row]).isEqualTo(Math.abs(then[row]) > 0.5);
                assertThat(stored[row]).isBetween(0.0, Uncertainty.MOST);
            }
            next.add(then);
        }
        assertThat(next.get(1)).isEqualTo(next.get(0));
    }

    /** Twice as far from the log as the log is wide, the world is less sure than on the log. */
    private static void farFromTheLogItIsLessSure(TransitionRows log, WorldModel world) {
        Uncertainty uncertainty = Uncertainty.of(Penalty.ENSEMBLE_STD, world, log);
        float[][] said = world.worker(2).all(2, new float[] {0, 8}, 0, new float[] {0, 0}, 0);
        double near = uncertainty.of(said, 0, 1);
        double far = uncertainty.of(said, 2, 1);
        assertThat(near).isLessThan(0.5);
        assertThat(far).isGreaterThan(near + 0.5);
    }

    @Test
    void windowsOfDemonstrationsWithoutActionsHaveNone() {
        Episode bare = new Episode(3, new float[] {1, 2, 3, 4}, null, null, Ending.UNKNOWN);
        Episodes windows = Windows.of(Demonstrations.of("states.npz", new Episodes(List.of(bare))), 2)
                .episodes();
        assertThat(windows.hasActions()).isFalse();
        assertThat(windows.all().getLast().observations()).containsExactly(3, 4);
    }

    @Test
    void refusesMoreRolloutsThanFitTogether() {
        assertThatExceptionOfType(BadInput.class)
                .isThrownBy(() -> new Rollouts(1_000_000, 1000, Penalty.ENSEMBLE_STD, 1))
                .withMessageContaining("`rollout-batch` 1000000 times `rollout-length` 1000 is 1000000000 transitions");
    }

    @Test
    void refusesALogThatIsTooShort() {
        assertThatExceptionOfType(BadInput.class)
                .isThrownBy(() -> trained(log(1, false), false, 1))
                .withMessageContaining("a minibatch has 64");
    }
}
