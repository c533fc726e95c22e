package dev.revealed.imitate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Offset.offset;

import dev.revealed.mdp.Episode;
import dev.revealed.mdp.Episode.Ending;
import dev.revealed.mdp.Episodes;
import dev.revealed.neural.CpuTraining;
import dev.revealed.neural.Sac;
import dev.revealed.neural.Temperature;
import dev.revealed.neural.Training;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Tensors;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Which sign rewards get where demonstrations terminated, and that a resumed run keeps it. */
class GroundingTest {
    private static final int HORIZON = 20;

    /** The first steps of the expert that stays near a half. */
    private static Episode shown(int length, Ending ending) {
        Episode whole = Drift.expert(HORIZON).all().getFirst();
        return new Episode(
                length,
                Arrays.copyOf(whole.observations(), length + 1),
                Arrays.copyOf(whole.actions(), length),
                null,
                ending);
    }

    private static List<Episode> truncated(int count, int length) {
        return Collections.nCopies(count, shown(length, Ending.TRUNCATED));
    }

    private static Episodes together(List<Episode> truncated, int... terminated) {
        List<Episode> all = new ArrayList<>(truncated);
        for (int length : terminated) {
            all.add(shown(length, Ending.TERMINATED));
        }
        return new Episodes(all);
    }

    /** Of which terminating soon must have been the aim. */
    private static Episodes goals() {
        return together(List.of(), 5, 5);
    }

    private static ExpertAndAgent sides(Episodes demonstrations, Training training) {
        return new ExpertAndAgent(
                new ExpertAndAgent.Settings(200, 0, 200),
                false,
                1,
                AfterEnd.MASK,
                Demonstrations.of("demos.npz", demonstrations),
                new Drift(HORIZON).space(),
                agent(training));
    }

    private static Agent agent(Training training) {
        return new Agent(training, 0.99, Temperature.fixed(1), List.of(), RandomStream.of(3));
    }

    private static Training training() {
        RandomStream stream = RandomStream.of(3);
        Drift drift = new Drift(HORIZON);
        Sac.Settings settings = Sac.Settings.PAPER.withHidden(16, 16).withBatch(16);
        return new CpuTraining(
                List.of(drift),
                new Sac(drift.space(), settings, stream, 1),
                new Training.Schedule(100, 1, 5000),
                stream);
    }

    /** Nobody knows when a truncated demonstration or window would have terminated: it counts by its steps. */
    @Test
    void whatWasTruncatedDidNotTerminate() {
        try (Training training = training()) {
            ExpertAndAgent cut = sides(together(truncated(9, 10), 15), training);
            Episodes agent = together(List.of(), 12, 12, 12);
            assertThat(cut.length(agent)).isGreaterThan(1);
            assertThat(cut.expertTerminatesSooner(agent)).isFalse();

            ExpertAndAgent windows = sides(together(truncated(46, HORIZON), 3), training);
            Episodes rollouts = together(truncated(4, HORIZON), 19);
            assertThat(windows.length(rollouts)).isGreaterThan(1);
            assertThat(windows.expertTerminatesSooner(rollouts)).isFalse();
        }
    }

    @Test
    void theExpertTerminatesSoonerWhereItDoesSoPerStep() {
        try (Training training = training()) {
            Episodes seldom = together(truncated(4, HORIZON), 12);
            assertThat(sides(goals(), training).expertTerminatesSooner(seldom)).isTrue();
            assertThat(sides(goals(), training).expertTerminatesSooner(goals())).isFalse();
            assertThat(sides(Drift.expert(HORIZON), training).expertTerminatesSooner(together(truncated(4, HORIZON))))
                    .isFalse();
            ExpertAndAgent compared = sides(together(truncated(1, 10), 8), training); // on 10 steps
            assertThat(compared.expertTerminatesSooner(together(List.of(), 11, 12)))
                    .as("terminations after those steps are not seen")
                    .isTrue();
        }
    }

    private static Imitation imitation(Episodes demonstrations, int block, Training training) {
        Imitation.Settings settings = Imitation.Settings.USUAL
                .with(Map.of("reward", "state", "reward-hidden", "16,16", "first-activation", "tanh"))
                .with(Map.of("reward-clamp", 10, "reward-inputs", "standardised", "loss-scale", HORIZON))
                .with(Map.of("reward-learning-rate", 1e-12, "reward-roughness", 0, "ground-pace", 0.1))
                .with(Map.of("block", block, "recent", 200, "average-policy", 1));
        return new Imitation(
                settings, Demonstrations.of("demos.npz", demonstrations), new Drift(HORIZON).space(), agent(training));
    }

    /** A checkpoint, as a run of before the sign would have written it if {@code old}. */
    private static Tensors saved(Imitation imitation, Training training, boolean old) {
        Tensors all = new Tensors();
        training.save(all);
        imitation.save(all);
        Tensors kept = new Tensors();
        all.names().stream()
                .filter(name -> !old || !name.equals("imitate.sign"))
                .forEach(name -> kept.put(name, all.get(name)));
        return kept;
    }

    /** Goes on from a checkpoint in another training, whose learner and replay are those of the first. */
    private static Imitation resumed(
            Tensors saved, Episodes demonstrations, int block, Training from, Training training) {
        Imitation resumed = imitation(demonstrations, block, training);
        training.restore(saved);
        ByteArrayOutputStream rows = new ByteArrayOutputStream();
        try {
            from.writeRows(0, from.remembered(), rows);
            training.readRows(0, from.remembered(), new ByteArrayInputStream(rows.toByteArray()));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        resumed.restore(saved);
        return resumed;
    }

    /** What a reward step did to the constant, and how far away it was. */
    private record Move(double made, double toPositive, double toNegative) {}

    /** The first reward step from here on that sees an episode, with a reward that is higher than it was. */
    private static Move move(Imitation imitation, double raised) {
        imitation.current().raise(raised);
        List<Score> scores = new ArrayList<>();
        do {
            imitation.advance(1, made -> {}, scores::add);
        } while (scores.getLast().isEmpty());
        Score score = scores.getLast();
        Visits visits = score.expert().visits();
        double now = Score.of(imitation.current(), visits, Features.of(visits), visits, 1)
                .expertReward();
        double worst = Math.min(score.expert().low(), score.agent().low());
        double best = Math.max(score.expert().high(), score.agent().high());
        double margin = 0.1 * (score.expertReward() - worst);
        return new Move(now - score.expertReward(), margin - worst, -margin - best);
    }

    @Test
    void aResumedRunKeepsTheSign() {
        try (Training first = training();
                Training second = training()) {
            Imitation whole = imitation(goals(), 200, first);
            whole.advance(2, made -> {}, score -> {});
            Imitation resumed = resumed(saved(whole, first, false), goals(), 200, first, second);
            Move move = move(resumed, 1);
            assertThat(move.toNegative()).isLessThan(-0.5);
            assertThat(move.made()).isCloseTo(0.1 * move.toNegative(), offset(1e-4));
            assertThat(move(whole, 1)).isEqualTo(move);
        }
    }

    /** A run that was resumed before it saw an episode decides and moves as if it had not stopped. */
    @Test
    void theFirstMoveGoesAllTheWayInAResumedRunToo() {
        for (boolean old : new boolean[] {false, true}) {
            for (boolean goals : new boolean[] {false, true}) {
                Episodes demonstrations = goals ? goals() : Drift.expert(HORIZON);
                try (Training first = training();
                        Training second = training()) {
                    Imitation whole = imitation(demonstrations, 5, first);
                    whole.advance(
                            1, made -> {}, score -> assertThat(score.isEmpty()).isTrue());
                    Imitation resumed = resumed(saved(whole, first, old), demonstrations, 5, first, second);
                    Move move = move(resumed, goals ? 1 : -1);
                    double way = goals ? move.toNegative() : move.toPositive();
                    assertThat(Math.abs(way)).isGreaterThan(0.5);
                    assertThat(move.made()).as("%s, %s", old, goals).isCloseTo(way, offset(1e-4));
                }
            }
        }
    }

    /** Runs from before there was a sign were not grounded where a demonstration terminated, and go on like that. */
    @Test
    void olderRunsGoOnAsTheyBegan() {
        for (boolean terminated : new boolean[] {false, true}) {
            Episodes demonstrations = terminated ? goals() : Drift.expert(HORIZON);
            try (Training first = training();
                    Training second = training()) {
                Imitation whole = imitation(demonstrations, 200, first);
                whole.advance(1, made -> {}, score -> {});
                Imitation resumed = resumed(saved(whole, first, true), demonstrations, 200, first, second);
                Move move = move(resumed, -1);
                assertThat(move.made()).isCloseTo(terminated ? 0 : 0.1 * move.toPositive(), offset(1e-4));
            }
        }
    }
}
