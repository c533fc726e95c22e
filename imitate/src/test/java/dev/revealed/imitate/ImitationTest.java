package dev.revealed.imitate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.data.Offset.offset;

import dev.revealed.mdp.Episode;
import dev.revealed.mdp.Episode.Ending;
import dev.revealed.mdp.Episodes;
import dev.revealed.mdp.Resample;
import dev.revealed.mdp.Simulator;
import dev.revealed.neural.Batch;
import dev.revealed.neural.CpuTraining;
import dev.revealed.neural.DivergenceFailure;
import dev.revealed.neural.Network;
import dev.revealed.neural.Sac;
import dev.revealed.neural.Temperature;
import dev.revealed.neural.Training;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Tensors;
import dev.revealed.settings.Settings;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class ImitationTest {
    private static final int HORIZON = 20;

    private static Training training(int simulators, long seed) {
        return training(simulators, seed, 0);
    }

    private static Training training(int simulators, long seed, double reward) {
        List<Simulator> all = new ArrayList<>();
        for (int i = 0; i < simulators; i++) {
            all.add(new Drift(HORIZON, reward));
        }
        RandomStream stream = RandomStream.of(seed);
        Sac.Settings settings = Sac.Settings.PAPER.withHidden(16, 16).withBatch(16);
        return new CpuTraining(
                all, new Sac(all.getFirst().space(), settings, stream, 1), new Training.Schedule(100, 1, 5000), stream);
    }

    private static Episodes expert() {
        return Drift.expert(HORIZON);
    }

    /** Whole episodes, whichever simulators took turns: each step follows from the last, and lengths are the task's own. */
    @Test
    void readsTheLastEpisodesOffTheReplay() {
        for (int simulators = 1; simulators <= 3; simulators++) {
            try (Training training = training(simulators, 4)) {
                training.advance(600, Batch.Rewards.STORED, made -> {});
                List<Episode> ended = training.episodes(300);
                assertThat(ended).isNotEmpty();
                long steps = 0;
                for (Episode episode : ended) {
                    steps += episode.length();
                    float[] actions = Objects.requireNonNull(episode.actions());
                    for (int t = 0; t < episode.length(); t++) {
                        float moved = episode.observations()[t] + 0.2f * actions[t];
                        assertThat(episode.observations()[t + 1]).isCloseTo(moved, offset(1e-5f));
                    }
                    float last = Math.abs(episode.observations()[episode.length()]);
                    assertThat(episode.ending() == Ending.TERMINATED).isEqualTo(last > 1);
                    assertThat(episode.ending() == Ending.TERMINATED || episode.length() == HORIZON)
                            .isTrue();
                }
                assertThat(steps).isBetween(300L - 2L * HORIZON * simulators, 300L + (long) HORIZON * simulators);
            }
        }
    }

    private static Imitation.Settings settings(double learningRate, boolean ground) {
        return settings(learningRate, ground, 200);
    }

    private static Imitation.Settings settings(double learningRate, boolean ground, int block) {
        return Imitation.Settings.USUAL
                .with(Map.of("reward", "state", "reward-hidden", "16,16", "first-activation", "tanh"))
                .with(Map.of("reward-clamp", 10, "reward-inputs", "standardised", "loss-scale", HORIZON))
                .with(Map.of("reward-learning-rate", learningRate, "reward-roughness", 0, "ground", ground))
                .with(Map.of("block", block, "recent", 200, "average-policy", 1));
    }

    private static Imitation imitation(Imitation.Settings settings, Episodes demonstrations, Training training) {
        return new Imitation(
                settings,
                Demonstrations.of("demos.npz", demonstrations),
                new Drift(HORIZON).space(),
                new Agent(training, 0.99, Temperature.fixed(1), List.of(), RandomStream.of(3)));
    }

    /** The agent comes to where the expert is and stays there, though nobody told it what is good there. */
    @Test
    void recoversAPolicyFromOneTrajectory() {
        try (Training training = training(1, 3)) {
            Imitation imitation = imitation(settings(3e-3, true), expert(), training);
            List<Score> scores = new ArrayList<>();
            imitation.advance(31, made -> {}, scores::add);
            assertThat(scores.getLast().distance()).isLessThan(scores.getFirst().distance() / 3);
            assertThat(scores.getLast().length()).isGreaterThan(0.95);
            assertThat(Math.abs(meanPlace(training) - 0.5)).isLessThan(0.2);
            assertThat(imitation.countedSteps()).isEqualTo(31 * 200);
        }
    }

    /**
     * Nothing that is learnt depends on the task's own reward, which the replay holds as well: where it is no number, policy
     * and reward come out the same, bit by bit. A learner that read it would diverge, which shows that it is there.
     */
    @Test
    void theTasksOwnRewardMayBeNoNumber() {
        for (Map<String, Object> other : List.of(
                Map.<String, Object>of(),
                Map.<String, Object>of("reward", "state-action", "expert-rows", 0.25, "cloning", 0.1),
                Map.<String, Object>of("rollouts", 2, "after-end", "absorb"),
                Map.<String, Object>of("rollouts", 2, "after-end", "simulate"))) {
            assertThat(learnt(Double.NaN, other))
                    .usingRecursiveComparison()
                    .as("%s", other)
                    .isEqualTo(learnt(0, other));
        }
        try (Training training = training(1, 3, Double.NaN)) {
            assertThatExceptionOfType(DivergenceFailure.class)
                    .isThrownBy(() -> training.advance(200, Batch.Rewards.STORED, made -> {}));
        }
    }

    /** All that a run has learnt where every step of the task pays so much. */
    private static List<Tensors> learnt(double reward, Map<String, Object> other) {
        try (Training training = training(2, 3, reward)) {
            Imitation imitation = new Imitation(
                    settings(3e-3, true).with(other),
                    Demonstrations.of("demos.npz", expert()),
                    new Drift(HORIZON).space(),
                    new Agent(
                            training,
                            0.99,
                            Temperature.fixed(1),
                            List.of(new Drift(HORIZON, reward)),
                            RandomStream.of(3)));
            imitation.advance(3, made -> {}, score -> {});
            return List.of(
                    Tensors.of(imitation::save),
                    Tensors.of(imitation.reward()::save),
                    Tensors.of(training.policy()::save));
        }
    }

    /** Every step of the demonstrations comes to the training as a transition, and ends where its episode was terminated. */
    @Test
    void batchesHaveRowsOfTheExpert() {
        Episode whole = expert().all().getFirst();
        Episode ended =
                new Episode(2, new float[] {0.1f, 0.2f, 0.3f}, new float[] {0.5f, 0.6f}, null, Ending.TERMINATED);
        List<Batch> given = new ArrayList<>();
        Episodes all = new Episodes(List.of(whole, ended));
        try (Training training = training(1, 3)) {
            imitation(settings(1e-3, true).with(Map.of("reward", "state-action", "expert-rows", 0.25)), all, training);
            training.advance(101, given::add, made -> {});
        }
        float[] states = given.getFirst().states();
        float[] next = given.getFirst().nextStates();
        float[] actions = given.getFirst().actions();
        for (int i = 12; i < 16; i++) { // a quarter of 16, the last ones
            int row = i;
            assertThat(all.all()).anySatisfy(one -> {
                float[] acts = Objects.requireNonNull(one.actions());
                List<Integer> same = new ArrayList<>();
                for (int t = 0; t < one.length(); t++) {
                    if (one.observations()[t] == states[row]
                            && one.observations()[t + 1] == next[row]
                            && acts[t] == actions[row]) {
                        same.add(t);
                    }
                }
                assertThat(same).hasSize(1);
                boolean end = one.ending() == Ending.TERMINATED && same.getFirst() == one.length() - 1;
                assertThat(given.getFirst().live()[row]).isEqualTo(end ? 0 : 1);
            });
        }
    }

    /** Divided by what the demonstrations deviate, resampled or not, where that is above one; actions are not. */
    @Test
    void policiesTakeObservationsInUnitsOfTheDemonstrations() {
        Episode one = expert().all().getFirst();
        for (double wanted : new double[] {0.5, 8}) {
            float[] places = one.observations().clone();
            for (int t = 0; t < places.length; t++) {
                places[t] = (float) (t % 2 == 0 ? wanted : -wanted);
            }
            Episodes swinging =
                    new Episodes(List.of(new Episode(HORIZON, places, one.actions(), null, Ending.TRUNCATED)));
            Map<String, float[]> plain = firstLayers("plain", swinging);
            Map<String, float[]> scaled = firstLayers("scaled", swinging);
            double factor = wanted > 1 ? 1 / wanted : 1; // places of the expert deviate by what is wanted
            plain.forEach((name, before) -> {
                float[] after = Objects.requireNonNull(scaled.get(name));
                for (int i = 0; i < before.length; i++) {
                    double of = i < 16 ? factor : 1; // rows of 16 weights: the observation, then the critics' action
                    assertThat((double) after[i]).as("%s %d", name, i).isCloseTo(of * before[i], within(1e-9));
                }
            });
        }
    }

    /** First weights of the actor, a critic and a target before anything is learnt. */
    private static Map<String, float[]> firstLayers(String inputs, Episodes demonstrations) {
        try (Training training = training(1, 3)) {
            imitation(settings(1e-3, true).with(Map.of("policy-inputs", inputs)), demonstrations, training);
            Tensors saved = Tensors.of(training::save);
            Map<String, float[]> found = new TreeMap<>();
            for (String name : List.of("actor", "critic1", "target0")) {
                found.put(name, saved.floats(name + ".weight0"));
            }
            return found;
        }
    }

    /** A reward of states is learnt from states alone, actions or not. */
    @Test
    void rewardsOfStatesTakeNoRowsOfTheExpert() {
        Imitation.Settings both =
                settings(1e-3, true).with(Map.of("reward", "state-action", "expert-rows", 0.5, "cloning", 3));
        Demonstrations shown = Demonstrations.of("demos.npz", expert());
        assertThat(both.expertRows(shown)).isEqualTo(new Training.ExpertRows(HORIZON, 0.5, 3));
        assertThat(both.with(Map.of("reward", "state")).expertRows(shown)).isEqualTo(Training.ExpertRows.NONE);
    }

    /** A trajectory that a bootstrap sample has twice gives twice as many rows, and one that it does not have gives none. */
    @Test
    void batchesHaveRowsOfTheResampledExpert() {
        Episode one = expert().all().getFirst();
        List<Episode> three = new ArrayList<>();
        for (int k = 1; k <= 3; k++) {
            float[] places = one.observations().clone();
            for (int t = 0; t < places.length; t++) {
                places[t] += 10 * k;
            }
            three.add(new Episode(HORIZON, places, one.actions(), null, Ending.TRUNCATED));
        }
        Demonstrations resampled = new Demonstrations("demos.npz", new Episodes(three), new Resample.Trajectories());
        int[] times = new int[4];
        try (Training training = training(1, 3)) {
            new Imitation(
                    settings(1e-3, true).with(Map.of("reward", "state-action", "expert-rows", 0.5)),
                    resampled,
                    new Drift(HORIZON).space(),
                    new Agent(training, 0.99, Temperature.fixed(1), List.of(), RandomStream.of(3)));
            training.advance(
                    400,
                    batch -> {
                        for (int i = 8; i < 16; i++) {
                            times[Math.round(batch.states()[i] / 10 - 0.05f)]++;
                        }
                    },
                    made -> {});
        }
        Arrays.sort(times);
        assertThat(times[0]).isZero(); // nothing of the agent
        assertThat(times[1]).isZero(); // what was not drawn
        assertThat((double) times[3] / times[2]).isBetween(1.8, 2.2); // 800 and 1600 of 2400 are expected: +-6 %
    }

    /** Where it is born, not in the critic that learns from it. */
    @Test
    void aRewardThatRunsOffIsToldAsSuch() {
        try (Training training = training(1, 3)) {
            Imitation imitation = imitation(settings(1e60, true), expert(), training);
            assertThatExceptionOfType(DivergenceFailure.class)
                    .isThrownBy(() -> imitation.advance(3, made -> {}, score -> {}))
                    .withMessageContaining("reward's parameter");
        }
    }

    /** Where nothing comes after the end, nobody is paid less than nothing: one row of a hundred aside, and a step's change. */
    @Test
    void toBeAliveIsNeverPaidLessThanNotToBe() {
        try (Training training = training(1, 3)) {
            Imitation imitation = imitation(settings(5e-4, true), expert(), training);
            List<Score> scores = new ArrayList<>();
            imitation.advance(1, made -> {}, scores::add);
            Score score = scores.getFirst();
            assertThat(Math.min(score.expert().low(), score.agent().low())).isLessThan(-0.02);
            for (VisitRewards side : List.of(score.expert(), score.agent())) {
                assertThat(now(imitation, side.visits()).low()).isGreaterThan(-0.02);
            }
        }
    }

    /** A reward that learns next to nothing moves by its constant alone: all the way at first, then a tenth of it. */
    @Test
    void theConstantFollowsAtItsPace() {
        try (Training training = training(1, 3)) {
            Imitation imitation = imitation(settings(1e-12, true), expert(), training);
            for (double pace : new double[] {1, 0.1, 0.1}) {
                imitation.current().raise(-1);
                List<Score> scores = new ArrayList<>();
                imitation.advance(1, made -> {}, scores::add);
                Score score = scores.getFirst();
                double worst = Math.min(score.expert().low(), score.agent().low());
                double wanted = 0.1 * (score.expertReward() - worst);
                assertThat(wanted - worst).isGreaterThan(0.5);
                assertThat(moved(imitation, score)).isCloseTo(pace * (wanted - worst), offset(1e-4));
            }
        }
    }

    /** Nothing can be compared before an episode has ended, which takes six steps at least; the first time comes then. */
    @Test
    void theFirstStepWaitsForTheFirstEpisode() {
        try (Training training = training(1, 3)) {
            Imitation imitation = imitation(settings(1e-12, true, 5), expert(), training);
            imitation.current().raise(-1);
            List<Score> scores = new ArrayList<>();
            imitation.advance(1, made -> {}, scores::add);
            assertThat(scores.getFirst().isEmpty()).isTrue();
            while (scores.getLast().isEmpty()) {
                imitation.advance(1, made -> {}, scores::add);
            }
            Score score = scores.getLast();
            double worst = Math.min(score.expert().low(), score.agent().low());
            assertThat(moved(imitation, score))
                    .isCloseTo(0.1 * (score.expertReward() - worst) - worst, offset(1e-4))
                    .isGreaterThan(0.5);
        }
    }

    /** Demonstrations that terminate sooner than the agent's first episodes are meant to: rewards become negative. */
    @Test
    void terminatingSoonMakesRewardsNegative() {
        assertThat(constantAfterOneStep(true, 0)).isNegative();
    }

    /** One that terminates among many that do not is not, and rewards become positive, as where none terminates. */
    @Test
    void terminatingSeldomMakesRewardsPositive() {
        assertThat(constantAfterOneStep(true, 19)).isPositive();
    }

    @Test
    void theConstantStaysWhereItIsUngrounded() {
        assertThat(constantAfterOneStep(false, 0)).isCloseTo(0, offset(1e-6));
    }

    /** Where the constant goes that begins at 0, with a demonstration that terminated early and others that did not. */
    private static double constantAfterOneStep(boolean ground, int others) {
        Episode one = expert().all().getFirst();
        Episode fell = new Episode(
                5, Arrays.copyOf(one.observations(), 6), Arrays.copyOf(one.actions(), 5), null, Ending.TERMINATED);
        List<Episode> shown = new ArrayList<>(Collections.nCopies(others, one));
        shown.add(fell);
        try (Training training = training(1, 3)) {
            Imitation imitation = imitation(settings(1e-12, ground), new Episodes(shown), training);
            List<Score> scores = new ArrayList<>();
            imitation.advance(1, made -> {}, scores::add);
            return moved(imitation, scores.getFirst());
        }
    }

    @Test
    void theRewardIsTheMeanOverAllSteps() {
        try (Training training = training(1, 3)) {
            Imitation imitation = imitation(settings(1e-2, true), expert(), training);
            double[] sum = new double[imitation.current().learnt().parameters().length];
            for (int step = 1; step <= 3; step++) {
                imitation.advance(1, made -> {}, score -> {});
                float[] now = imitation.current().learnt().parameters();
                float[] mean = imitation.reward().learnt().parameters();
                for (int i = 0; i < sum.length; i++) {
                    sum[i] += now[i];
                    assertThat((double) mean[i]).isCloseTo(sum[i] / step, offset(1e-6));
                }
            }
            assertThat(imitation.reward().plain().parameters())
                    .isNotEqualTo(imitation.current().plain().parameters());
            Tensors saved = new Tensors();
            imitation.save(saved);
            Imitation other = imitation(settings(1e-2, true), expert(), training);
            other.restore(saved);
            assertThat(other.reward().plain().parameters())
                    .isEqualTo(imitation.reward().plain().parameters());
        }
    }

    /** What the reward pays as it is now. */
    private static VisitRewards now(Imitation imitation, Visits visits) {
        return Score.of(imitation.current(), visits, Features.of(visits), visits, 1)
                .expert();
    }

    /** How much more the expert is paid now than when the score was made. */
    private static double moved(Imitation imitation, Score score) {
        Visits visits = score.expert().visits();
        return now(imitation, visits).mean() - score.expertReward();
    }

    /** Rows that a bootstrap sample left out are nobody's. */
    @Test
    void whatWeighsNothingIsNotTheWorst() {
        float[] rewards = new float[300];
        float[] weights = new float[300];
        for (int row = 0; row < 300; row++) {
            boolean drawn = row % 3 > 0;
            weights[row] = drawn ? 0.005f : 0;
            rewards[row] = drawn ? row : -row;
        }
        VisitRewards paid = new VisitRewards(new Visits(300, 1, new float[300], weights), rewards);
        assertThat(paid.low()).isEqualTo(4); // the third of 1, 2, 4, 5, ...
    }

    private static Imitation.Settings seeing(Imitation.Pairing pairing, Imitation.ExpertSample expert) {
        return settings(1e-2, true)
                .with(Settings.values(new ExpertAndAgent.Settings(200, 0, 200)))
                .with(Settings.values(new Imitation.Pairs(pairing, expert)));
    }

    private static Score first(Imitation.Pairing pairing) {
        try (Training training = training(1, 3)) {
            List<Score> scores = new ArrayList<>();
            imitation(seeing(pairing, Imitation.ExpertSample.ALL), expert(), training)
                    .advance(1, made -> {}, scores::add);
            return scores.getFirst();
        }
    }

    /** Of states alone a shifted row is the next one: the agent's begin a step later, the expert's do not. */
    @Test
    void pairsAreShiftedForTheAgentAlone() {
        Score aligned = first(Imitation.Pairing.ALIGNED);
        Score shifted = first(Imitation.Pairing.SHIFTED);
        float[] rows = aligned.agent().visits().inputs();
        float[] later = shifted.agent().visits().inputs();
        int length = 0;
        while (later[length] == rows[length + 1]) {
            length++;
        }
        assertThat(length).as("rows of the first episode that are the next").isGreaterThan(3);
        assertThat(later[0]).isNotEqualTo(rows[0]);
        assertThat(shifted.expert().visits().inputs())
                .isEqualTo(aligned.expert().visits().inputs());
    }

    /** One whole trajectory at a time, each in its turn by chance. */
    @Test
    void aRewardStepMaySeeOneTrajectory() {
        Episode one = expert().all().getFirst();
        float[] elsewhere = one.observations().clone();
        elsewhere[0] += 0.125f;
        Episode other = new Episode(one.length(), elsewhere, one.actions(), null, one.ending());
        try (Training training = training(1, 3)) {
            Imitation imitation = imitation(
                    seeing(Imitation.Pairing.ALIGNED, Imitation.ExpertSample.ONE),
                    new Episodes(List.of(one, other)),
                    training);
            List<Float> begun = new ArrayList<>();
            imitation.advance(20, made -> {}, score -> {
                assertThat(score.expert().visits().count()).isEqualTo(one.length());
                begun.add(score.expert().visits().inputs()[0]);
            });
            float usual = one.observations()[0];
            assertThat(begun).containsOnly(usual, elsewhere[0]).contains(usual, elsewhere[0]);
            assertThat(begun.stream().filter(each -> each == usual).count()).isBetween(4L, 16L);
        }
    }

    /** Nor is one chosen after which nothing is known any more; the last is, where nothing ever was. */
    @Test
    void whatIsNoNumberIsNotChosen() {
        Imitation.Settings settings = settings(1e-2, true);
        try (Training training = training(1, 3)) {
            IteratedLearning learning = new IteratedLearning(
                    new MlIrl.Problem(
                            settings, "revealed", Demonstrations.of("demos.npz", expert()), Intervention.NONE),
                    training,
                    imitation(settings, expert(), training));
            assertThat(learning.add(mark(Double.NaN))).isTrue(); // there is no other yet
            assertThat(learning.add(mark(Double.NaN))).isTrue(); // nor a better one
            assertThat(learning.add(mark(0.5))).isTrue();
            assertThat(learning.add(mark(Double.NaN))).isFalse();
            assertThat(learning.add(mark(0.6))).isFalse();
            assertThat(learning.add(mark(0.4))).isTrue();
        }
    }

    private static IteratedLearning.Mark mark(double unlikeness) {
        return new IteratedLearning.Mark(0, 0, 0, 0, 0, unlikeness);
    }

    private static double meanPlace(Training training) {
        List<Episode> last = training.episodes(400);
        double sum = 0;
        int count = 0;
        for (Episode episode : last) {
            for (int t = HORIZON / 2; t < episode.length(); t++) {
                sum += episode.observations()[t];
                count++;
            }
        }
        return sum / count;
    }

    /** After the first step two paces differ by their share of what the second step asks for. */
    @Test
    void theConstantMovesAtItsPace() {
        List<Score> scores = new ArrayList<>();
        double whole = constantAfterTwo(1, scores);
        double half = constantAfterTwo(0.5, new ArrayList<>());
        Score second = scores.get(1);
        double worst = Math.min(second.expert().low(), second.agent().low());
        double asked = 0.1 * Math.max(0, second.expertReward() - worst) - worst;
        assertThat(asked).isNotCloseTo(0, within(1e-4));
        assertThat(whole - half).isCloseTo(0.5 * asked, within(1e-5));
    }

    private static double constantAfterTwo(double pace, List<Score> scores) {
        try (Training training = training(1, 3)) {
            Imitation imitation = imitation(settings(1e-1, true).with(Map.of("ground-pace", pace)), expert(), training);
            imitation.advance(2, made -> {}, scores::add);
            Network reward = imitation.current().learnt();
            return reward.parameters()[reward.shape().biases(reward.shape().layers() - 1)];
        }
    }

    private static Episodes flat(int observations, int actions, float action) {
        float[] taken = new float[HORIZON * actions];
        Arrays.fill(taken, action);
        return new Episodes(
                List.of(new Episode(HORIZON, new float[(HORIZON + 1) * observations], taken, null, Ending.TRUNCATED)));
    }

    /** With the words of the file reader. */
    @Test
    void demonstrationsThatDoNotFitAreRefused() {
        Map<String, Episodes> wrong = Map.of(
                "shown.npz: observations have 2 columns where drift needs 1", flat(2, 1, 0),
                "shown.npz: actions have 2 columns where drift needs 1", flat(1, 2, 0),
                "shown.npz: actions are 5.0 at trajectory 0, step 0, column 0, outside -1.0..1.0", flat(1, 1, 5));
        try (Training training = training(1, 4)) {
            Simulator.Space space = new Drift(HORIZON).space();
            Agent agent = new Agent(training, 0.99, Temperature.fixed(1), List.of(), RandomStream.of(1));
            wrong.forEach((words, episodes) -> {
                Demonstrations shown = Demonstrations.of("shown.npz", episodes);
                assertThatExceptionOfType(BadInput.class)
                        .isThrownBy(() -> new Imitation(settings(1e-3, false), shown, space, agent))
                        .withMessageContaining(words);
                assertThatExceptionOfType(BadInput.class)
                        .isThrownBy(() -> new BehaviourCloning()
                                .problem(Cloning.Settings.usual(), "", shown)
                                .training(space, RandomStream.of(1)))
                        .withMessageContaining(words);
            });
        }
    }

    @Test
    void aReplaySmallerThanABatchIsRefused() {
        RandomStream stream = RandomStream.of(1);
        Simulator one = new Drift(HORIZON);
        try (Sac sac = new Sac(one.space(), Sac.Settings.PAPER.withHidden(8).withBatch(16), stream, 1)) {
            assertThatExceptionOfType(BadInput.class)
                    .isThrownBy(() -> new CpuTraining(List.of(one), sac, new Training.Schedule(0, 1, 15), stream))
                    .withMessageContaining("`replay` keeps 15 transitions, and an update takes 16 (`batch`)");
        }
    }
}
