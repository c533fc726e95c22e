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
 * One thing that a continuation of a checkpoint does otherwise than its original: once where it begins, or at every reward
 * step. What falls without it and stands with it says what falls are made of.
 */
public enum Intervention {
    /** Nothing. */
    NONE,

    /** One weight of the policy is one unit in the last place larger: what any change of bits brings about. */
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

    /** The reward stays as it is but for its constant, which goes on following it. */
    FREEZE_SLOPES {
        @Override
        void step(RewardStep by) {
            by.ground();
        }
    },

    /** The constant in the reward stays; the rest of it is learnt. */
    FREEZE_CONSTANT {
        @Override
        void step(RewardStep by) {
            float constant = by.reward().constant();
            by.ascend();
            by.reward().constant(constant);
        }
    },

    /** Where the constant in the reward moves, values move with it by what it is worth for ever. */
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

    /** The optimisers of policy and critics begin anew. */
    RESET_MOMENTS {
        @Override
        public SavedTraining begin(Beginning at) {
            return at.saved().withoutMoments();
        }

        @Override
        public void check(Sac.Settings settings) {
            BadInput.when(
                    settings.temperature().halving() > 0,
                    "the updates are counted anew when moments are reset, and the temperature halves by their number",
                    "Choose another intervention, or fork a run whose `temperature-halving` is 0.");
        }
    },

    /** The critics begin anew, and learn from the replay before anything else goes on. */
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
            return Rows.between(all.from, Math.min(firstOpen, all.from + (all.to - all.from) / 2));
        }
    },

    /** The newest 50,000 rows of the replay are replaced by older ones, but for the episodes that are under way. */
    DROP_NEWEST_50K {
        @Override
        public Optional<Rows> dropped(Rows all, long firstOpen) {
            BadInput.when(
                    all.to - all.from <= NEWEST,
                    "the replay has %d rows, and the newest %d are to be dropped".formatted(all.to - all.from, NEWEST),
                    "Fork a run that has made more steps.");
            return Rows.between(all.to - NEWEST, firstOpen);
        }
    },

    /** The averaged policy acts, the one that is evaluated, rather than the one of the last update. */
    ACT_BY_AVERAGE {
        @Override
        void act(Training training, Supplier<Actor> average) {
            training.actBy(average.get());
        }
    };

    private static final long NEWEST = 50_000;

    /** Rows of a replay, {@code to} not included. */
    public record Rows(long from, long to) {
        static Optional<Rows> between(long from, long to) {
            return from < to ? Optional.of(new Rows(from, to)) : Optional.empty();
        }
    }

    /** Where a continuation begins. */
    public interface Beginning {
        /** The checkpoint. */
        SavedTraining saved();

        /** The random stream of the intervention, another one for each continuation. */
        RandomStream stream();

        /** The checkpoint with critics that begin anew and have learnt from its replay. */
        SavedTraining withFreshCritics();
    }

    /** A reward step, in its parts. */
    interface RewardStep {
        /** Goes up the likelihood. */
        void ascend();

        /** Moves the constant, where it is to be moved. */
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
     * Rows to be replaced by others, spread evenly over those that stay.
     *
     * @param firstOpen first row of the episodes that are under way
     */
    public Optional<Rows> dropped(Rows all, long firstOpen) {
        return Optional.empty();
    }

    /** Refuses learners that it does not fit. */
    public void check(Sac.Settings settings) {}

    void step(RewardStep by) {
        by.ascend();
        by.ground();
    }

    /** After each change of the average, and where a run goes on. */
    void act(Training training, Supplier<Actor> average) {}
}
