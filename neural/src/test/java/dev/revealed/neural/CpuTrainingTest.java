package dev.revealed.neural;

import static org.assertj.core.api.Assertions.assertThat;

import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Tensors;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class CpuTrainingTest {

    /** Acts with a number that tells how many updates it had, and remembers what it learnt from. */
    private static final class Teller implements Learner, Actor {
        @Override
        public int batch() {
            return 4;
        }

        private long updates;
        private double checksum;
        private final List<Float> acted = new ArrayList<>();

        @Override
        public void update(Batch batch, Runnable beside) {
            beside.run();
            for (int i = 0; i < batch.size(); i++) {
                checksum = 0.9 * checksum + batch.states()[2 * i] + batch.actions()[i] + batch.rewards()[i];
            }
            updates++;
        }

        @Override
        public void scaleInputs(float[] scale) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void act(float[] observations, int offset, RandomStream noise, float[] actions, int to) {
            actions[to] = (float) (updates * 1e-4);
            acted.add(actions[to]);
        }

        @Override
        public void actDeterministic(float[] observations, int offset, float[] actions, int to) {
            actions[to] = 0;
        }

        @Override
        public Actor actor() {
            return this;
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
        public Map<String, Double> diagnostics() {
            return Map.of();
        }

        @Override
        public void save(Tensors into) {
            into.put("teller", new double[] {updates, checksum});
        }

        @Override
        public void restore(Tensors from) {
            updates = (long) from.doubles("teller")[0];
            checksum = from.doubles("teller")[1];
        }

        @Override
        public void close() {}
    }

    private static CpuTraining training(Learner learner, double ratio) {
        return new CpuTraining(List.of(new Line(7)), learner, new Training.Schedule(10, ratio, 50), RandomStream.of(5));
    }

    @Test
    void aStepActsWithThePolicyBeforeTheUpdateItRunsBeside() {
        Teller teller = new Teller();
        CpuTraining training = training(teller, 1);
        training.advance(15, Batch.Rewards.STORED, made -> {});
        assertThat(training.updates()).isEqualTo(5);
        assertThat(teller.acted).containsExactly(0f, 1e-4f, 2e-4f, 3e-4f, 4e-4f);
    }

    @Test
    void updatesComeAtTheAskedRatio() {
        CpuTraining half = training(new Teller(), 0.5);
        half.advance(30, Batch.Rewards.STORED, made -> {});
        assertThat(half.updates()).isEqualTo(10);
        CpuTraining triple = training(new Teller(), 3);
        triple.advance(30, Batch.Rewards.STORED, made -> {});
        assertThat(triple.updates()).isEqualTo(60);
    }

    /** Steps count, not what is still remembered of them. */
    @Test
    void aReplayShorterThanTheRandomStepsStillLearns() {
        CpuTraining training = new CpuTraining(
                List.of(new Line(7)), new Teller(), new Training.Schedule(20, 1, 5), RandomStream.of(5));
        training.advance(30, Batch.Rewards.STORED, made -> {});
        assertThat(training.updates()).isEqualTo(10);
    }

    /** Half of four rows are the expert's, the last ones, and each of those is drawn some time. */
    @Test
    void batchesHaveTheirShareOfTheExpert() {
        Batch expert = Batch.of(3, new Line(7).space());
        for (int i = 0; i < 3; i++) {
            expert.states()[2 * i] = 100 + i;
            expert.actions()[i] = 200 + i;
            expert.live()[i] = 0.5f;
            expert.nextStates()[2 * i + 1] = 300 + i;
        }
        CpuTraining training = training(new Teller(), 1);
        training.learnFrom(expert, new Training.ExpertRows(3, 0.5, 0));
        Set<Integer> drawn = new HashSet<>();
        training.advance(
                40,
                batch -> {
                    for (int i = 0; i < 4; i++) {
                        boolean experts = batch.live()[i] == 0.5f;
                        assertThat(experts).isEqualTo(i >= 2);
                        if (experts) {
                            int which = Math.round(batch.states()[2 * i]) - 100;
                            assertThat(batch.actions()[i]).isEqualTo(200 + which);
                            assertThat(batch.nextStates()[2 * i + 1]).isEqualTo(300 + which);
                            drawn.add(which);
                        }
                    }
                },
                made -> {});
        assertThat(drawn).containsExactlyInAnyOrder(0, 1, 2);
    }

    @Test
    void sharesAreRoundedToNeitherNoneNorAllRows() {
        assertThat(new Training.ExpertRows(10, 0.25, 0).in(100)).isEqualTo(25);
        assertThat(new Training.ExpertRows(10, 0.001, 0).in(100)).isEqualTo(1);
        assertThat(new Training.ExpertRows(10, 0.999, 0).in(100)).isEqualTo(99);
        assertThat(Training.ExpertRows.NONE.in(100)).isZero();
    }

    @Test
    void learnsFromTheRewardOfTheDay() {
        Teller stored = new Teller();
        training(stored, 1).advance(40, Batch.Rewards.STORED, made -> {});
        Teller relabelled = new Teller();
        training(relabelled, 1)
                .advance(
                        40,
                        batch -> {
                            for (int i = 0; i < batch.size(); i++) {
                                batch.rewards()[i] += 1;
                            }
                        },
                        made -> {});
        double weights = 0; // of the 120 rows learnt from, in the teller's running sum
        for (int i = 0; i < 120; i++) {
            weights = 0.9 * weights + 1;
        }
        assertThat(relabelled.checksum - stored.checksum).isCloseTo(weights, org.assertj.core.data.Offset.offset(1e-4));
    }

    @Test
    void countsEpisodesByTheirOwnLengthsAndReturns() {
        CpuTraining training = training(new Teller(), 1);
        training.advance(10, Batch.Rewards.STORED, made -> {});
        Training.Episodes first = training.takeEpisodes();
        training.advance(60, Batch.Rewards.STORED, made -> {});
        Training.Episodes rest = training.takeEpisodes();
        assertThat(first.count() * first.meanLength() + rest.count() * rest.meanLength())
                .isLessThanOrEqualTo(70)
                .isGreaterThan(63); // what is missing is the episode that goes on
        assertThat(rest.meanReturn()).isNegative();
        assertThat(training.takeEpisodes().count()).isZero();
    }

    @Test
    void goesOnFromACheckpointAsIfNothingHadHappened() throws IOException {
        for (int cut : new int[] {3, 12, 61, 77}) { // before learning, while learning, and with the replay full
            Teller whole = new Teller();
            CpuTraining left = training(whole, 0.7);
            left.advance(120, Batch.Rewards.STORED, made -> {});

            CpuTraining first = training(new Teller(), 0.7);
            first.advance(cut, Batch.Rewards.STORED, made -> {});
            Tensors saved = new Tensors();
            first.save(saved);
            ByteArrayOutputStream rows = new ByteArrayOutputStream();
            first.replay().write(first.replay().oldest(), first.replay().added(), rows);

            Teller late = new Teller();
            CpuTraining second = training(late, 0.7);
            second.restore(saved);
            second.replay()
                    .read(
                            first.replay().oldest(),
                            first.replay().added(),
                            new ByteArrayInputStream(rows.toByteArray()));
            second.advance(120 - cut, Batch.Rewards.STORED, made -> {});

            assertThat(late.checksum).as("cut at %d", cut).isEqualTo(whole.checksum);
            assertThat(second.updates()).isEqualTo(left.updates());
            assertThat(second.takeEpisodes()).isEqualTo(left.takeEpisodes());
        }
    }

    /** Two simulators take turns, each with chance of its own, and a checkpoint keeps both. */
    @Test
    void livesInManySimulators() throws IOException {
        CpuTraining whole = inTwo(new Teller());
        whole.advance(60, Batch.Rewards.STORED, made -> {});
        CpuTraining first = inTwo(new Teller());
        first.advance(25, Batch.Rewards.STORED, made -> {});
        Tensors saved = new Tensors();
        first.save(saved);
        ByteArrayOutputStream rows = new ByteArrayOutputStream();
        first.writeRows(0, 25, rows);
        assertThat(saved.doubles("environment0.simulator")).isNotEqualTo(saved.doubles("environment1.simulator"));

        CpuTraining second = inTwo(new Teller());
        second.restore(saved);
        second.readRows(0, 25, new ByteArrayInputStream(rows.toByteArray()));
        second.advance(35, Batch.Rewards.STORED, made -> {});

        Tensors end = new Tensors();
        Tensors again = new Tensors();
        whole.save(end);
        second.save(again);
        for (String name : end.names()) {
            assertThat(again.get(name)).as(name).usingRecursiveComparison().isEqualTo(end.get(name));
        }
        Training.Episodes episodes = whole.takeEpisodes();
        assertThat(episodes.count()).isEqualTo(8); // of 7 steps each, in two environments of 30 steps
        assertThat(episodes.meanLength()).isEqualTo(7);
    }

    private static CpuTraining inTwo(Teller teller) {
        return new CpuTraining(
                List.of(new Line(7), new Line(7)), teller, new Training.Schedule(10, 1, 100), RandomStream.of(5));
    }

    /** A pool of any size plays the same episodes, and they can be asked for in parts. */
    @Test
    void episodesDoNotDependOnTheSizeOfThePool() {
        RandomStream stream = RandomStream.of(5);
        GaussianActor actor = GaussianActor.random(new Line(9).space(), new int[] {4}, false, RandomStream.of(2));
        double[] alone = Scores.of(Rollouts.of(actor, List.of(new Line(9)), 0, 7, false, stream))
                .returns();
        List<Line> three = List.of(new Line(9), new Line(9), new Line(9));
        assertThat(Scores.of(Rollouts.of(actor, three, 0, 7, false, stream)).returns())
                .isEqualTo(alone);
        assertThat(Scores.of(Rollouts.of(actor, three, 4, 2, false, stream)).returns())
                .isEqualTo(Arrays.copyOfRange(alone, 4, 6));
        assertThat(Arrays.stream(alone).distinct().count()).isEqualTo(7);
    }

    @Test
    void scoresDoNotDependOnWhoPlaysThem() {
        List<Line> lines = List.of(new Line(7), new Line(7), new Line(7));
        Scores together = Scores.of(Rollouts.of(new Teller(), lines, 0, 3, true, RandomStream.of(1)));
        assertThat(together.lengths()).containsExactly(7, 7, 7);
        for (int i = 0; i < 3; i++) {
            double x = RandomStream.of(1).at(i).named("reset").nextDouble(-1, 1);
            assertThat(together.returns()[i]).isCloseTo(-7 * x * x, org.assertj.core.data.Offset.offset(1e-12));
        }
        assertThat(together.standardError())
                .isCloseTo(
                        Math.sqrt(java.util.stream.IntStream.range(0, 3)
                                        .mapToDouble(i -> Math.pow(together.returns()[i] - together.meanReturn(), 2))
                                        .sum()
                                / 6),
                        org.assertj.core.data.Offset.offset(1e-12));
    }
}
