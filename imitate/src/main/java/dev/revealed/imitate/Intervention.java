package dev.revealed.imitate;

import dev.revealed.neural.Actor;
import dev.revealed.neural.Sac;
import dev.revealed.neural.Training;
import dev.revealed.neural.saved.SavedTraining;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.RandomStream;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * One change that a continuation of a checkpoint makes to its original: once at its beginning, or at every reward step.
 * Comparing forks with and without it shows whether what it changes causes falls.
 */
public enum Intervention {
    /** Nothing. */
    NONE,

    /** One weight of the policy is one unit in the last place larger: the smallest change, to compare others with. */
    PLACEBO {
        @Override
        public SavedTraining begin(Beginning at) {
            return at.saved().nudged(at.stream());
        }
    },

    /** The reward stays as it is, its constant included. */
    FREEZE_REWARD {
        @Override
        void step(RewardStep by) {}
    },

    /** The reward stays as it is but for its constant, which is still adjusted. */
    FREEZE_SLOPES {
        @Override
        void step(RewardStep by) {
            by.ground();
        }
    },

    /** The constant in the reward stays as it is; the rest of the reward is learnt. */
    FREEZE_CONSTANT {
        @Override
        void step(RewardStep by) {
            float constant = by.reward().constant();
            by.ascend();
            by.reward().constant(constant);
        }
    },

    /** Where the constant in the reward changes by c, the critics' values change by c / (1 - discount). */
    SHIFT_CRITICS {
        @Override
        void step(RewardStep by) {
            float before = by.reward().constant();
            super.step(by);
            double moved = by.reward().constant() - before;
            if (moved != 0) {
                Training training = by.training();
                training.restore(SavedTraining.of(training)
                        .withValuesRaised(moved / (1 - by.discount()))
                        .tensors());
            }
        }
    },

    /** The optimisers of policy and critics are reset. */
    RESET_MOMENTS {
        @Override
        public SavedTraining begin(Beginning at) {
            return at.saved().withoutMoments();
        }

        @Override
        public void check(Sac.Settings settings) {
            BadInput.when(
                    settings.temperature().halving() > 0 || settings.actorHalving() > 0,
                    "resetting the moments sets the number of updates to 0, on which temperature and step size depend here",
                    "Choose another intervention, or fork a run whose `temperature-halving` and `actor-halving` are 0.");
        }
    },

    /** The critics are initialised again and learn from the replay before training continues. */
    FRESH_CRITICS {
        @Override
        public SavedTraining begin(Beginning at) {
            return at.withFreshCritics();
        }
    },

    /** The older half of the replay is replaced by rows of the newer one. */
    DROP_OLDEST_HALF {
        @Override
        public Optional<Rows> dropped(Rows all, long firstOpen) {
            long middle = all.from + (all.to - all.from) / 2;
            BadInput.when(
                    middle == all.from,
                    "the replay has %d rows, and the older half is to be dropped".formatted(all.to - all.from),
                    "Fork a later checkpoint.");
            BadInput.when(
                    firstOpen < middle,
                    "unfinished episodes begin at row %d, and the older half of the replay ends at row %d"
                            .formatted(firstOpen, middle),
                    "Fork a later checkpoint, or a run with fewer `simulators` or a larger `replay`.");
            return Optional.of(new Rows(all.from, middle));
        }
    },

    /**
     * The newest 50,000 rows of the replay are replaced by older ones, except those from the first row of an unfinished
     * episode on. These may be at most half of the 50,000.
     */
    DROP_NEWEST_50K {
        @Override
        public Optional<Rows> dropped(Rows all, long firstOpen) {
            BadInput.when(
                    all.to - all.from <= NEWEST,
                    "the replay has %d rows, and the newest %d are to be dropped".formatted(all.to - all.from, NEWEST),
                    "Fork a later checkpoint.");
            BadInput.when(
                    firstOpen < all.to - NEWEST / 2,
                    "unfinished episodes begin %d rows before the end of the replay, and the newest %d are to be dropped"
                            .formatted(all.to - firstOpen, NEWEST),
                    "Fork another checkpoint, or a run with fewer `simulators`.");
            return Optional.of(new Rows(all.to - NEWEST, firstOpen));
        }
    },

    /** The averaged policy, which evaluations use, acts instead of the policy of the last update. */
    ACT_BY_AVERAGE {
        @Override
        void act(Training training, Supplier<Actor> average) {
            training.actBy(average.get());
        }
    };

    private static final long NEWEST = 50_000;

    /** Rows of a replay, {@code to} not included. */
    public record Rows(long from, long to) {}

    /** Where a continuation begins. */
    public interface Beginning {
        /** The checkpoint. */
        SavedTraining saved();

        /** The random stream of the intervention; each continuation has its own. */
        RandomStream stream();

        /** The checkpoint with newly initialised critics that have learnt from its replay. */
        SavedTraining withFreshCritics();
    }

    /** A reward step, in its parts. */
    interface RewardStep {
        /** Updates the reward by a gradient step on the likelihood. */
        void ascend();

        /** Adjusts the constant, where the settings ask for it. */
        void ground();

        RewardModel reward();

        Training training();

        double discount();
    }

    /** The checkpoint that a continuation begins with. */
    public SavedTraining begin(Beginning at) {
        return at.saved();
    }

    /**
     * Rows to be replaced by others, spread evenly over those that stay. Refuses a replay where too few rows can be dropped.
     *
     * @param firstOpen first row of the unfinished episodes
     */
    public Optional<Rows> dropped(Rows all, long firstOpen) {
        return Optional.empty();
    }

    /** Refuses settings of a learner under which it cannot be done. */
    public void check(Sac.Settings settings) {}

    void step(RewardStep by) {
        by.ascend();
        by.ground();
    }

    /** Called after each change of the average, and when a run is resumed. */
    void act(Training training, Supplier<Actor> average) {}
}
