package dev.revealed.imitate;

import dev.revealed.imitate.Imitation.Settings;
import dev.revealed.mdp.Episode;
import dev.revealed.mdp.Episode.Ending;
import dev.revealed.mdp.Simulator;
import dev.revealed.neural.GaussianActor;
import dev.revealed.neural.Training.ExpertRows;
import dev.revealed.numeric.BadInput;
import dev.revealed.settings.Item;
import java.util.ArrayList;
import java.util.IntSummaryStatistics;
import java.util.List;
import java.util.Optional;
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
        BadInput.when(
                named.contains("ground") && settings.ground() && settings.afterEnd() != AfterEnd.MASK,
                "`ground` has no effect with %s after the end".formatted(Item.text(settings.afterEnd())),
                "Leave it out: it belongs to mask, a value of `after-end`.");
        boolean rows = settings.expertRows() > 0 && !settings.reward().stateOnly();
        for (String name : List.of("expert-rows", "cloning")) {
            double wanted = name.equals("cloning") ? settings.cloning() : settings.expertRows();
            BadInput.when(
                    named.contains(name) && wanted > 0 && !rows,
                    "`%s` has no effect without rows of the expert in batches".formatted(name),
                    "Leave it out, or choose `reward` state-action and `expert-rows` above 0.");
        }
    }

    @Override
    public Class<? extends Details> details() {
        return MlIrlLearning.Result.class;
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
            implements LearningProblem {
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
        public String title() {
            return "Imitation";
        }

        @Override
        public Optional<Labels> labels(Simulator.Space space, double discount) {
            return Optional.of(new Labels(settings.reward().shape(space), settings.forEver(discount)));
        }

        @Override
        public ExpertRows expertRows() {
            return settings.expertRows(shown.episodes());
        }

        @Override
        public int rollouts(int threads) {
            return Math.min(threads, settings.sampling().rollouts());
        }

        @Override
        public Learning begin(Simulator.Space space, Agent agent) {
            if (reference != null) {
                agent.training().referTo(reference);
            }
            return new MlIrlLearning(
                    this, agent.training(), new Imitation(settings, shown, space, agent, intervention));
        }

        @Override
        public Optional<Demonstrations> demonstrations() {
            return Optional.of(shown);
        }

        /** Refuses to read more of training than was kept, or than can be read at once. */
        @Override
        public void check(Simulator.Space space, int environments, int replay) {
            int recent = settings.sampling().recent();
            if (settings.sampling().rollouts() > 0) {
                return; // then nothing is read
            }
            BadInput.when(
                    recent > replay,
                    "`recent` is %d, and the replay keeps %d transitions".formatted(recent, replay),
                    "Give at most as many with `recent`, or keep more with `replay`.");
            long whole = (long) space.horizon() * environments; // while one ends, others go on in turn
            BadInput.when(
                    whole > replay,
                    "the replay keeps %d transitions, and a whole episode lies within %d".formatted(replay, whole),
                    "Keep as many with `replay`, or draw `rollouts`.");
            long least = Math.min(settings.sampling().block(), whole);
            BadInput.when(
                    recent < least,
                    "`recent` is %d: most episodes would end unseen, and the reward would learn nothing from them"
                            .formatted(recent),
                    ("Give at least %d, the steps of an iteration (`block`) or those that a whole episode lies within; or"
                                    + " draw `rollouts`.")
                            .formatted(least));
            long most = Imitation.mostRecent(space, environments);
            BadInput.when(
                    recent > most,
                    "`recent` is %d, and at most %d steps of this task can be read at once".formatted(recent, most),
                    "Give fewer: the preset's are usually enough.");
        }

        /** Trajectories that differ in length, or end before the task would end them, are compared with care. */
        @Override
        public List<String> cautions(Simulator.Space space) {
            List<Episode> all = shown.episodes().all();
            List<String> cautions = new ArrayList<>();
            IntSummaryStatistics lengths =
                    all.stream().mapToInt(Episode::length).summaryStatistics();
            long ended = all.stream()
                    .filter(episode -> episode.ending() == Ending.TERMINATED)
                    .count();
            int compared = Imitation.horizon(shown.episodes(), space.horizon());
            if (lengths.getMin() < lengths.getMax()) {
                String known = ended == 0
                        ? "none is known to have terminated, and all"
                        : "%d of them terminated, which `after-end` %s treats, and the others"
                                .formatted(ended, Item.text(settings.afterEnd()));
                cautions.add(
                        "the demonstrations have from %d to %d steps; %s are taken to be truncated: they count by the steps they have"
                                .formatted(lengths.getMin(), lengths.getMax(), known));
            }
            if (compared < space.horizon()) {
                cautions.add(
                        "the demonstrations have at most %d steps, and episodes of this task %d: expert and agent are compared on the first %d"
                                .formatted(lengths.getMax(), space.horizon(), compared));
            }
            if (ended > 0 && settings.afterEnd() == AfterEnd.MASK) {
                cautions.add(
                        ("with `after-end` mask and demonstrations that terminated (%d of %d), nothing determines the"
                                        + " constant in the reward: consider `after-end` absorb")
                                .formatted(ended, all.size()));
            }
            return cautions;
        }
    }
}
