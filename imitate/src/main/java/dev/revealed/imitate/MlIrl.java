package dev.revealed.imitate;

import dev.revealed.imitate.Imitation.Settings;
import dev.revealed.imitate.world.OfflineMlIrl;
import dev.revealed.mdp.Simulator;
import dev.revealed.neural.GaussianActor;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** ML-IRL: a reward by maximum likelihood, and a policy with it. */
public final class MlIrl implements ImitationMethod<Settings> {
    public static final String NAME = "ml-irl";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public String about() {
        return "recovers a reward by maximum likelihood, and a policy with it";
    }

    @Override
    public ImitationMethod<?> offline() {
        return new OfflineMlIrl();
    }

    @Override
    public Class<Settings> settings() {
        return Settings.class;
    }

    @Override
    public Settings preset(Preset preset, Simulator.Space space) {
        return preset.imitation(RewardModel.Of.STATE_ACTION, space);
    }

    @Override
    public long block(Settings settings) {
        return settings.sampling().block();
    }

    @Override
    public void check(Settings settings, Set<String> named) {
        settings.check(named);
    }

    @Override
    public LearningProblem problem(Settings settings, String preset, Demonstrations demonstrations) {
        return new Problem(settings, preset, demonstrations, Intervention.NONE);
    }

    /** To recover the reward behind demonstrations. */
    record Problem(
            Settings settings,
            String preset,
            Demonstrations shown,
            Intervention intervention,
            @Nullable GaussianActor reference)
            implements Imitation.Problem {
        Problem(Settings settings, String preset, Demonstrations shown, Intervention intervention) {
            this(settings, preset, shown, intervention, null);
        }

        @Override
        public LearningProblem under(Intervention other) {
            return new Problem(settings, preset, shown, other, reference);
        }

        @Override
        public LearningProblem relativeTo(GaussianActor policy) {
            return new Problem(settings, preset, shown, intervention, policy);
        }

        @Override
        public String kind() {
            return NAME;
        }

        @Override
        public Settings loop() {
            return settings;
        }

        @Override
        public Imitation algorithm(Simulator.Space space, Agent agent) {
            if (reference != null) {
                agent.training().referTo(reference);
            }
            return new Imitation(settings, shown, space, agent, intervention);
        }
    }
}
