package dev.revealed.app;

import dev.revealed.imitate.RewardModel;
import dev.revealed.mdp.Simulator;
import dev.revealed.neural.Training;
import dev.revealed.numeric.RandomStream;
import java.util.List;
import java.util.Optional;

/**
 * To earn a reward that imitation recovered, which stays as it is: the test of a reward is what it teaches. The task's own
 * return is what tests tell.
 */
record RewardLesson(RewardFile reward, String task) implements Lesson {
    @Override
    public String learners() {
        return "Policies";
    }

    /** By the task's own reward, not the one that is learnt. */
    @Override
    public String measure() {
        return "true return";
    }

    @Override
    public String stage() {
        return "recovered reward";
    }

    @Override
    public Optional<Labels> labels(Simulator.Space space, TrainingPlan plan) {
        RewardModel model = reward.forLearner(space, plan.sac().discount());
        return Optional.of(new Labels(model.plain().shape(), model.labels().forEver()));
    }

    @Override
    public int simulators(int threads) {
        return 0;
    }

    @Override
    public Pupil pupil(TrainingPlan plan, Training training, List<Simulator> simulators, RandomStream stream) {
        RewardModel model = reward.forLearner(plan.space(), plan.sac().discount());
        return new Expertise(training, model.labels(), Optional.of(reward));
    }

    @Override
    public Class<? extends Trained> result() {
        return ExpertResult.class;
    }

    @Override
    public List<String> cautions() {
        String learnt = reward.task();
        return learnt == null || learnt.equals(task)
                ? List.of()
                : List.of("caution: the reward in %s was recovered on %s, and is tried on %s"
                        .formatted(reward.file(), learnt, task));
    }
}
