package dev.revealed.imitate.rivals;

import dev.revealed.imitate.Agent;
import dev.revealed.imitate.Demonstrations;
import dev.revealed.imitate.ExpertAndAgent.Comparison;
import dev.revealed.imitate.ImitationMethod;
import dev.revealed.imitate.LearningProblem;
import dev.revealed.imitate.Preset;
import dev.revealed.imitate.world.LoggedTransitions;
import dev.revealed.imitate.world.TransitionRows;
import dev.revealed.mdp.Episode;
import dev.revealed.mdp.Episodes;
import dev.revealed.mdp.Simulator;
import dev.revealed.neural.Sac;
import dev.revealed.neural.Training;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Tensors;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * IQ-Learn without a simulator: its loss on rows of the demonstrations and of a log, both as they were recorded. It needs no
 * learnt world, since critics look at transitions alone. Without a log the demonstrations take its place.
 */
public final class OfflineIqLearn implements ImitationMethod<IqLearn.Settings> {
    public static final String NAME = "offline-iq-learn";

    private static final int FITTED = 10; // logged episodes that the reward's network is fitted on in an iteration
    private static final IqLearn ONLINE = new IqLearn();

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public String about() {
        return "learns the critics of iq-learn from demonstrations and a log, without a step of the simulator";
    }

    @Override
    public Class<IqLearn.Settings> settings() {
        return IqLearn.Settings.class;
    }

    @Override
    public ImitationMethod<?> offline() {
        return this;
    }

    /** Logged actions are regularised: a log does not say where other actions lead. Nor is a logged end a failure. */
    @Override
    public IqLearn.Settings preset(Preset preset, Simulator.Space space) {
        return ONLINE.preset(preset, space).with(Map.of("iq-actions", "stored", "iq-end", "zero"));
    }

    @Override
    public Sac.Settings sac(Preset preset, Simulator.Space space) {
        return ONLINE.sac(preset, space);
    }

    @Override
    public Training.Schedule schedule(Preset preset) {
        return IqLearn.SLOW;
    }

    @Override
    public long iterations(long usual) {
        return 150;
    }

    @Override
    public long block(IqLearn.Settings settings) {
        return ONLINE.block(settings);
    }

    @Override
    public void check(IqLearn.Settings settings, Set<String> named) {
        ONLINE.check(settings, named);
        BadInput.when(
                settings.sampling().rollouts() > 0,
                "`rollouts` has no effect on %s, which has no world to make them in".formatted(NAME),
                "Leave it out.");
    }

    @Override
    public LearningProblem problem(IqLearn.Settings settings, String preset, Demonstrations demonstrations) {
        return new LogProblem(settings, preset, demonstrations, demonstrations.episodes());
    }

    private record LogProblem(IqLearn.Settings settings, String preset, Demonstrations shown, Episodes log)
            implements IqLearn.SoftQ {
        @Override
        public LearningProblem with(Episodes other) {
            return new LogProblem(settings, preset, shown, other);
        }

        @Override
        public String kind() {
            return NAME;
        }

        @Override
        public String title() {
            return "Offline imitation";
        }

        @Override
        public List<Simulator> worlds(Simulator.Space space, int environments, int threads) {
            TransitionRows rows = TransitionRows.of(log);
            return Stream.<Simulator>generate(() -> new LoggedTransitions(rows, space))
                    .limit(environments)
                    .toList();
        }

        @Override
        public Loop algorithm(Simulator.Space space, Agent agent) {
            return new Loop(this, space, agent);
        }
    }

    /** The reward is fitted on logged episodes. Nothing is seen of the agent, so there is nothing to compare it by. */
    private static final class Loop extends IqLearn.Loop {
        private static final String LOG = "offline.data"; // in checkpoints

        private final Demonstrations log;

        Loop(LogProblem problem, Simulator.Space space, Agent agent) {
            super(problem.settings, problem.shown, space, agent);
            log = Demonstrations.of("the log", problem.log);
        }

        @Override
        List<Episode> episodes(RandomStream random) {
            RandomStream own = random.named("logged").at(training().steps());
            List<Episode> some = new ArrayList<>();
            for (int i = 0; i < FITTED; i++) {
                some.add(log.episodes().all().get(own.nextInt(log.episodes().size())));
            }
            return some;
        }

        @Override
        Comparison compared(Seen seen) {
            return Comparison.NONE;
        }

        @Override
        public void save(Tensors into) {
            super.save(into);
            log.save(LOG, into);
        }

        @Override
        public void restore(Tensors from) {
            log.check(LOG, from);
            super.restore(from);
        }
    }
}
