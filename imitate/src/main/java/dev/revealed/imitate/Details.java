package dev.revealed.imitate;

import dev.revealed.mdp.Episodes;
import dev.revealed.settings.Label;
import dev.revealed.settings.Part;
import java.util.List;
import java.util.Optional;

/** Results of one kind of problem, in addition to those of every training run: a record whose labels say how to show it. */
@Part
public interface Details {
    /** What a run of its kind on that task is called. */
    String title(String task);

    /** Whether the task's own reward was learnt; else its return is called the true return. */
    default boolean learntTaskReward() {
        return false;
    }

    /** What all methods that learn from demonstrations have in common; nothing for other problems. */
    default Optional<ImitationSummary> imitation() {
        return Optional.empty();
    }

    /** How it stood at each evaluation, in records of one kind. */
    default List<? extends Record> marks() {
        return List.of();
    }

    /** Every step whose data was learnt from, at each evaluation; empty where these are just the steps. */
    default List<Long> countedSteps() {
        return List.of();
    }

    /**
     * What was imitated, and what it took.
     *
     * @param demos the file of the demonstrations
     * @param countedSteps every step whose data was learnt from, rollouts included; {@code evaluationSteps} are not
     * @param expertReturn of the demonstrations, where their rewards are known
     * @param ratio of the last policy's return to that
     */
    @Part
    record ImitationSummary(
            String method,
            @Label("demonstrations") String demos,
            String demosHash,
            @Label("trajectories") int trajectories,
            @Label("counted steps") long countedSteps,
            @Label("steps of evaluations, not counted") long evaluationSteps,
            double expertReturn,
            double ratio) {
        static ImitationSummary of(
                String method, Demonstrations shown, long counted, long evaluated, double meanReturn) {
            Episodes all = shown.episodes();
            double expert = all.meanReturn();
            return new ImitationSummary(
                    method, shown.source(), all.hash(), all.size(), counted, evaluated, expert, meanReturn / expert);
        }
    }
}
