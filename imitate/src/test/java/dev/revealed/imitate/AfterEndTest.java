package dev.revealed.imitate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.within;

import dev.revealed.mdp.Episode;
import dev.revealed.mdp.Episode.Ending;
import dev.revealed.mdp.Episodes;
import dev.revealed.mdp.Simulator;
import dev.revealed.neural.CpuTraining;
import dev.revealed.neural.Rollouts;
import dev.revealed.neural.Sac;
import dev.revealed.neural.Temperature;
import dev.revealed.neural.Training;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Tensors;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What is seen of episodes that end, are cut off, or have not ended yet; and how far apart two sets of them are. */
class AfterEndTest {
    private static final int HORIZON = 20;

    private static Training training(int simulators) {
        List<Simulator> all = new ArrayList<>();
        for (int i = 0; i < simulators; i++) {
            all.add(new Drift(HORIZON));
        }
        RandomStream stream = RandomStream.of(4);
        return new CpuTraining(
                all,
                new Sac(
                        all.getFirst().space(),
                        Sac.Settings.PAPER.withHidden(16, 16).withBatch(16),
                        stream,
                        1),
                new Training.Schedule(100, 1, 5000),
                stream);
    }

    private static Episode episode(int length, Ending ending) {
        return new Episode(length, new float[length + 1], new float[length], null, ending);
    }

    private static Imitation.Settings settings(AfterEnd afterEnd, int block, int rollouts) {
        return Imitation.Settings.USUAL
                .with(Map.of("rollouts", rollouts, "after-end", afterEnd, "block", block, "recent", block))
                .with(Map.of("reward-hidden", "8,8", "reward-clamp", 10, "reward-inputs", "standardised"))
                .with(Map.of("reward-learning-rate", 3e-3, "loss-scale", HORIZON))
                .with(Map.of("reward-roughness", 0, "average-policy", 1));
    }

    /** Rollouts that go on have all rows up to the horizon; those that do not have none after the fall. */
    @Test
    void afterTheFallThereIsAllOrNothing() {
        try (Training training = training(1)) {
            List<Drift> one = List.of(new Drift(HORIZON));
            List<Episode> through = Rollouts.through(training.policy(), one, 20, RandomStream.of(5))
                    .all();
            List<Episode> ended = Rollouts.of(training.policy(), one, 0, 20, false, RandomStream.of(5))
                    .all();
            int fell = 0;
            for (int i = 0; i < 20; i++) {
                Episode whole = through.get(i);
                Episode part = ended.get(i);
                assertThat(whole.length()).isEqualTo(HORIZON);
                assertThat(whole.ending()).isEqualTo(Ending.TRUNCATED);
                assertThat(part.observations()) // the same until one of them ends
                        .isEqualTo(Arrays.copyOf(whole.observations(), part.length() + 1));
                boolean out = Math.abs(part.observations()[part.length()]) > 1;
                assertThat(part.ending() == Ending.TERMINATED).isEqualTo(out);
                assertThat(rows(part, false)).isEqualTo(part.length());
                assertThat(rows(part, true)).isEqualTo(out ? HORIZON : part.length());
                assertThat(rows(whole, false)).isEqualTo(HORIZON);
                fell += part.length() < HORIZON ? 1 : 0;
            }
            assertThat(fell).isPositive();
        }
    }

    private static int rows(Episode episode, boolean absorb) {
        return Visits.of(new Episodes(List.of(episode)), false, 1, HORIZON, absorb, false)
                .count();
    }

    /** The learner of 0.9 is paid nine more steps where the fallen stay; nothing where they do not. */
    @Test
    void whatComesAfterTheEndIsWorthWhatTheLearnersDiscountSays() {
        assertThat(settings(AfterEnd.ABSORB, 1, 0).forEver(0.9)).isCloseTo(9, within(1e-12));
        assertThat(settings(AfterEnd.MASK, 1, 0).forEver(0.9)).isZero();
        assertThat(settings(AfterEnd.SIMULATE, 1, 1).forEver(0.9)).isZero();
        assertThatExceptionOfType(BadInput.class)
                .isThrownBy(() -> settings(AfterEnd.SIMULATE, 1, 0))
                .satisfies(e -> assertThat(e.remedy()).contains("`rollouts`"));
    }

    /** The comparison goes as far as the recordings do; terminated ones are complete. */
    @Test
    void theHorizonIsThatOfTheRecordings() {
        Episode ended = episode(2, Ending.TERMINATED);
        Episode cut = episode(2, Ending.UNKNOWN);
        Episode longer = episode(3, Ending.TRUNCATED);
        assertThat(ExpertAndAgent.horizon(new Episodes(List.of(ended)), 4)).isEqualTo(4);
        assertThat(ExpertAndAgent.horizon(new Episodes(List.of(ended, cut)), 4)).isEqualTo(2);
        assertThat(ExpertAndAgent.horizon(new Episodes(List.of(cut, longer)), 4))
                .isEqualTo(3);
        assertThat(ExpertAndAgent.horizon(new Episodes(List.of(longer)), 2)).isEqualTo(2);
        assertThat(ExpertAndAgent.horizon(new Episodes(List.of(episode(3, Ending.TERMINATED), cut)), 4))
                .as("nothing that the expert did is lost beside a recording that was cut off")
                .isEqualTo(3);
    }

    /** As long as no episode has ended there is nothing to compare the expert with, and the reward stays. */
    @Test
    void withoutAnEpisodeTheRewardStays() {
        Episodes expert = new Episodes(List.of(episode(HORIZON, Ending.TRUNCATED)));
        try (Training training = training(3)) { // two steps are less than one each
            Imitation imitation = new Imitation(
                    settings(AfterEnd.MASK, 2, 0),
                    Demonstrations.of("demos.npz", expert),
                    new Drift(HORIZON).space(),
                    new Agent(training, 0.99, Temperature.fixed(1), List.of(), RandomStream.of(3)));
            float[] before = imitation.current().learnt().parameters().clone();
            List<Score> scores = new ArrayList<>();
            imitation.advance(2, made -> {}, scores::add);
            assertThat(imitation.current().learnt().parameters()).isEqualTo(before);
            assertThat(scores).hasSize(2).allMatch(score -> score.isEmpty() && Double.isNaN(score.gap()));
            imitation.advance(200, made -> {}, scores::add);
            assertThat(imitation.current().learnt().parameters()).isNotEqualTo(before);
            assertThat(imitation.iterations()).isEqualTo(202);
        }
    }

    /** By hand: one input a deviation of the expert higher, the other of twice the deviation. */
    @Test
    void theDistanceIsThatOfMeansAndDeviations() {
        Features expert = Features.of(new Visits(2, 2, new float[] {-1, 8, 1, 12}, new float[] {0.5f, 0.5f}));
        assertThat(expert.means()).containsExactly(0, 10);
        assertThat(expert.deviations()).containsExactly(1, 2);
        assertThat(expert.distance(expert)).isZero();
        Features agent = Features.of(new Visits(2, 2, new float[] {0, 6, 2, 14}, new float[] {0.5f, 0.5f}));
        assertThat(expert.distance(agent)).isCloseTo(Math.sqrt((1 + 1) / 2.0), within(1e-6));
    }

    /** Adam's first step is the learning rate, whatever the gradient; steps of SGD fall with the root of their number. */
    @Test
    void stepsGoUp() {
        float[] theta = {1, 1};
        new Ascent(new Ascent.Settings(Ascent.Kind.ADAM_L2, 0.1, 0, 7, 0), 2, 0).step(theta, new float[] {3, -5}, 1);
        assertThat(theta[0]).isCloseTo(1.1f, within(1e-6f));
        assertThat(theta[1]).isCloseTo(0.9f, within(1e-6f));
        theta = new float[] {1, 2};
        new Ascent(new Ascent.Settings(Ascent.Kind.SGD_DECAYING, 0.1, 0.5, 2, 0), 2, 0)
                .step(theta, new float[] {3, -5}, 4);
        assertThat(theta[0]).isCloseTo(1 + 0.05f * (6 - 0.5f), within(1e-6f));
        assertThat(theta[1]).isCloseTo(2 + 0.05f * (-10 - 1), within(1e-6f));
    }

    /** With the same gradient every step of Adam is as long as its learning rate, which halves twice in four steps here. */
    @Test
    void adamsStepsCanHalve() {
        Ascent ascent = new Ascent(new Ascent.Settings(Ascent.Kind.ADAM_L2, 0.1, 0, 1, 2), 1, 4);
        float[] theta = {0};
        double sum = 0;
        for (long k = 1; k <= 5; k++) {
            ascent.step(theta, new float[] {3}, k);
            sum += 0.1 * Math.pow(0.5, (k - 1) / 2.0);
            assertThat((double) theta[0]).isCloseTo(sum, within(1e-6));
        }
        assertThatExceptionOfType(BadInput.class)
                .isThrownBy(() ->
                        new Ascent.Settings(Ascent.Kind.SGD_DECAYING, 0.1, 0, 1, 2).check(Set.of("reward-halvings")))
                .withMessageContaining("reward-halvings");
    }

    /** Theorem 1: alpha0 over the root of K at every step of a run of K, 400 here; a run that goes on keeps it. */
    @Test
    void theConstantStepDependsOnTheLengthOfTheRun() {
        Ascent.Settings settings = new Ascent.Settings(Ascent.Kind.SGD_CONSTANT, 0.1, 0.5, 2, 0);
        Ascent ascent = new Ascent(settings, 2, 400);
        Ascent longer = new Ascent(settings, 2, 1600);
        longer.restore(Tensors.of(ascent::save));
        for (Ascent each : List.of(ascent, longer)) {
            for (long k : new long[] {1, 4, 400}) {
                float[] theta = {1, 2};
                each.step(theta, new float[] {3, -5}, k);
                assertThat(theta[0]).isCloseTo(1 + 0.005f * (6 - 0.5f), within(1e-6f));
                assertThat(theta[1]).isCloseTo(2 + 0.005f * (-10 - 1), within(1e-6f));
            }
        }
        assertThatExceptionOfType(BadInput.class)
                .isThrownBy(() -> new Ascent(settings, 2, 0))
                .withMessageContaining("sgd-constant");
    }
}
