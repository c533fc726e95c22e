package dev.revealed.imitate.rivals;

import dev.revealed.imitate.Agent;
import dev.revealed.imitate.Demonstrations;
import dev.revealed.imitate.Drift;
import dev.revealed.imitate.ExpertAndAgent.Comparison;
import dev.revealed.imitate.IteratedLearning;
import dev.revealed.mdp.Episode;
import dev.revealed.mdp.Simulator;
import dev.revealed.neural.CpuTraining;
import dev.revealed.neural.Learner;
import dev.revealed.neural.Sac;
import dev.revealed.neural.Temperature;
import dev.revealed.neural.Training;
import dev.revealed.numeric.RandomStream;
import java.util.ArrayList;
import java.util.List;

/** What tests of the methods share: a point on a line, and an expert that stays near a half. */
final class Rivals {
    static final int HORIZON = 20;
    static final Simulator.Space SPACE = new Drift(HORIZON).space();

    private Rivals() {}

    static Sac.Settings sac() {
        return Sac.Settings.PAPER.withHidden(16, 16).withBatch(32);
    }

    static Training training(long seed) {
        return training(new Sac(SPACE, sac(), RandomStream.of(seed), 1), seed);
    }

    static Training training(Learner learner, long seed) {
        return new CpuTraining(
                List.of(new Drift(HORIZON)), learner, new Training.Schedule(100, 1, 5000), RandomStream.of(seed));
    }

    static Agent agent(Training training, long seed) {
        return new Agent(training, 0.99, Temperature.fixed(1), List.of(), RandomStream.of(seed));
    }

    /** As long as it may, near a half. */
    static Demonstrations expert() {
        return Demonstrations.of("demos.npz", Drift.expert(HORIZON));
    }

    static List<Comparison> run(IteratedLearning.Loop loop, int iterations) {
        List<Comparison> seen = new ArrayList<>();
        loop.run(iterations, made -> {}, seen::add);
        return seen;
    }

    /** Where the agent is in the second half of its last episodes. */
    static double meanPlace(Training training) {
        double sum = 0;
        int count = 0;
        for (Episode episode : training.episodes(400)) {
            for (int t = HORIZON / 2; t < episode.length(); t++) {
                sum += episode.observations()[t];
                count++;
            }
        }
        return sum / count;
    }
}
