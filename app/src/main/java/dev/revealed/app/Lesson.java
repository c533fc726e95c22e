package dev.revealed.app;

import dev.revealed.mdp.Episodes;
import dev.revealed.mdp.Simulator;
import dev.revealed.neural.Mlp;
import dev.revealed.neural.Network;
import dev.revealed.neural.RewardNetwork;
import dev.revealed.neural.Training;
import dev.revealed.numeric.RandomStream;
import java.util.List;
import java.util.Optional;

/** What an agent is to learn: the task's own reward, a recovered one, or what demonstrations show. */
interface Lesson {
    /** Rewards that a network gives when batches are drawn: what a GPU must have room for. */
    record Labels(Mlp shape, double forEver) {
        RewardNetwork network(Simulator.Space space) {
            return new RewardNetwork(new Network(shape, new float[shape.parameters()]), space, forEver);
        }
    }

    /** Who learns it, in the plural. */
    String learners();

    /** What tests measure, in a word or two. */
    default String measure() {
        return "return";
    }

    /** Whether transitions are kept to learn from. */
    default boolean remembers() {
        return true;
    }

    /** What it is called while it goes on. */
    String stage();

    /** How rewards come about; nothing where they are those that were stored. */
    Optional<Labels> labels(Simulator.Space space, TrainingPlan plan);

    /** Simulators it needs besides those that the agent lives and is tested in. */
    int simulators(int threads);

    /** An agent at its first step; the caller closes it. */
    default Training training(
            Backend backend, TrainingPlan plan, List<Simulator> simulators, RandomStream stream, int threads) {
        return backend.training(plan, simulators, stream, threads);
    }

    Pupil pupil(TrainingPlan plan, Training training, List<Simulator> simulators, RandomStream stream);

    /** What its runs come to. */
    Class<? extends Trained> result();

    /** Demonstrations that it learns from, where there are any. */
    default Optional<Episodes> shown() {
        return Optional.empty();
    }

    default List<String> cautions() {
        return List.of();
    }
}
