package dev.revealed.imitate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.revealed.imitate.world.OfflineMlIrl;
import dev.revealed.mdp.Simulator;
import dev.revealed.neural.Sac;
import dev.revealed.neural.Temperature;
import dev.revealed.settings.Settings;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The settings that what we publish was made with: whoever changes them makes results/table1 anew. */
class PresetTest {
    private static final Simulator.Space HOPPER = space("hopper", 11, 3, 1);
    private static final Simulator.Space HUMANOID = space("humanoid", 376, 17, 0.4f);

    private static Simulator.Space space(String name, int observations, int actions, float bound) {
        return new Simulator.Space(name, observations, new Simulator.Actions.Box(actions, bound), 1000);
    }

    /** A faster actor, cloning and averaging go together: the first is for an actor that the second holds. */
    @Test
    void onlyOursClonesOffline() {
        OfflineMlIrl offline = new OfflineMlIrl();
        Imitation.Settings ours = offline.preset(Preset.REVEALED, HOPPER).loop();
        assertThat(ours.learner().cloning()).isEqualTo(10);
        assertThat(ours.learner().average()).isEqualTo(30);
        assertThat(offline.sac(Preset.REVEALED, HOPPER))
                .isEqualTo(Preset.REVEALED
                        .sac(HOPPER.observations())
                        .with(Map.of("actor-every", 1, "actor-learning-rate", 3e-4)));
        for (Preset other : List.of(Preset.REVEALED_1, Preset.PAPER)) {
            RewardProblem.PolicySettings simulated =
                    other.imitation(RewardModel.Of.STATE_ACTION, HOPPER).learner();
            assertThat(offline.preset(other, HOPPER).loop().learner()).isEqualTo(simulated);
        }
        assertThat(offline.sac(Preset.REVEALED_1, HOPPER)).isEqualTo(Preset.REVEALED_1.sac(HOPPER.observations()));
    }

    @Test
    void oursIsOneSetButForLargeRobots() {
        Preset ours = Preset.REVEALED;
        Preset first = Preset.REVEALED_1;
        assertThat(first.sac(HOPPER.observations())).isEqualTo(Sac.Settings.PAPER.withLearningRate(5e-4));
        assertThat(first.sac(HUMANOID.observations()))
                .isEqualTo(
                        Sac.Settings.PAPER.withLearningRate(3e-4).withTemperature(Temperature.halving(0.2, 500_000)));
        for (Simulator.Space space : new Simulator.Space[] {HOPPER, HUMANOID}) {
            Map<String, ?> steadier = Map.of(
                    "batch",
                    128,
                    "layer-norm",
                    true,
                    "actor-every",
                    2,
                    "actor-learning-rate",
                    6e-5,
                    "temperature",
                    0.05,
                    "temperature-halving",
                    0);
            assertThat(ours.sac(space.observations()))
                    .isEqualTo(first.sac(space.observations()).with(steadier));
            RewardModel.Of both = RewardModel.Of.STATE_ACTION;
            Map<String, ?> calmer = Map.of(
                    "expert-rows",
                    0.25,
                    "policy-inputs",
                    "scaled",
                    "reward-learning-rate",
                    space.equals(HUMANOID) ? 3e-4 : 1e-3,
                    "reward-halvings",
                    5,
                    "ground-pace",
                    space.equals(HUMANOID) ? 0.1 : 0.01);
            Imitation.Settings with = first.imitation(both, space).with(calmer);
            assertThat(Settings.same(ours.imitation(both, space), with)).isTrue();
        }
        assertThat(ours.iterations(HOPPER)).isEqualTo(180);
        assertThat(ours.iterations(HUMANOID)).isEqualTo(1020);
        assertThat(ours.iterations(space("pendulum", 3, 1, 2))).isEqualTo(150);
        assertThat(ours.schedule().updatesPerStep()).isEqualTo(2);
        assertThat(first.schedule().updatesPerStep()).isEqualTo(1);
        assertThat(ours.imitation(RewardModel.Of.STATE_ACTION, HOPPER).reward().hidden())
                .containsExactly(64, 64);
        assertThat(ours.imitation(RewardModel.Of.STATE_ACTION, HUMANOID)
                        .reward()
                        .hidden())
                .containsExactly(128, 128);
        for (Simulator.Space space : new Simulator.Space[] {HOPPER, HUMANOID}) {
            Imitation.Settings settings = ours.imitation(RewardModel.Of.STATE, space);
            assertThat(settings.sampling().block()).isEqualTo(1000);
            assertThat(settings.sampling().rollouts()).isZero();
            assertThat(settings.afterEnd()).isEqualTo(AfterEnd.MASK);
            assertThat(settings.reward().inputs()).isEqualTo(RewardModel.Inputs.SCALED);
            assertThat(settings.reward().stateOnly()).isTrue();
        }
    }
}
