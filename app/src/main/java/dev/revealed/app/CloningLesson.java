package dev.revealed.app;

import dev.revealed.imitate.Cloning;
import dev.revealed.mdp.Episodes;
import dev.revealed.mdp.Simulator;
import dev.revealed.neural.Training;
import dev.revealed.numeric.RandomStream;
import java.util.List;
import java.util.Optional;

/**
 * To find the expert's actions likely, and nothing else. Its steps are updates: it takes none of a simulator.
 *
 * @param demos the file of the demonstrations
 */
record CloningLesson(Cloning.Settings settings, String demos, Episodes demonstrations) implements Lesson {
    @Override
    public String learners() {
        return "Clones";
    }

    /** By the task's own reward, of which the agent knows nothing. */
    @Override
    public String measure() {
        return "true return";
    }

    @Override
    public boolean remembers() {
        return false;
    }

    @Override
    public String stage() {
        return "clone";
    }

    @Override
    public Optional<Labels> labels(Simulator.Space space, TrainingPlan plan) {
        return Optional.empty();
    }

    @Override
    public int simulators(int threads) {
        return 0;
    }

    @Override
    public Training training(
            Backend backend, TrainingPlan plan, List<Simulator> simulators, RandomStream stream, int threads) {
        return new Cloning(settings, demonstrations, plan.space(), stream);
    }

    @Override
    public Pupil pupil(TrainingPlan plan, Training training, List<Simulator> simulators, RandomStream stream) {
        return new Cloner(this, training);
    }

    @Override
    public Optional<Episodes> shown() {
        return Optional.of(demonstrations);
    }

    @Override
    public Class<? extends Trained> result() {
        return CloningResult.class;
    }
}
