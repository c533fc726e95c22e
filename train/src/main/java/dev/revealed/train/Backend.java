package dev.revealed.train;

import dev.revealed.mdp.Simulator;
import dev.revealed.neural.CpuTraining;
import dev.revealed.neural.Learner;
import dev.revealed.neural.Training;
import dev.revealed.numeric.RandomStream;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The device on which agents learn: the processor, or a GPU that several of them share. */
public interface Backend extends AutoCloseable {
    /** An agent at its first step; the caller closes it, and afterwards the simulators. */
    Training training(TrainingPlan plan, List<Simulator> simulators, RandomStream stream, int threads);

    /** Whether policies are evaluated while learning goes on; else learning has the processor to itself. */
    boolean evaluatesAlongside();

    /** What a result says of it. */
    String device();

    @Override
    default void close() {}

    /** One that is made when a run first needs it: by then the run's folder is locked. */
    static Backend when(Supplier<Backend> made) {
        return new Backend() {
            private @Nullable Backend backend;

            private Backend made() {
                if (backend == null) {
                    backend = made.get();
                }
                return backend;
            }

            @Override
            public Training training(TrainingPlan plan, List<Simulator> simulators, RandomStream stream, int threads) {
                return made().training(plan, simulators, stream, threads);
            }

            @Override
            public boolean evaluatesAlongside() {
                return made().evaluatesAlongside();
            }

            @Override
            public String device() {
                return made().device();
            }

            @Override
            public void close() {
                if (backend != null) {
                    backend.close();
                }
            }
        };
    }

    /** The processor. */
    static Backend processor() {
        return new Backend() {
            @Override
            public Training training(TrainingPlan plan, List<Simulator> simulators, RandomStream stream, int threads) {
                Simulator.Space space = simulators.getFirst().space();
                double bytes = (double) plan.replayBytes(space);
                long heap = Runtime.getRuntime().maxMemory();
                if (!ReplayMemory.fits(bytes, heap)) { // reported at once, not hours later
                    throw ReplayMemory.tooMuch("the replay comes", bytes, heap, "");
                }
                Learner learner = plan.problem().learner(space, plan.sac(), stream, threads);
                try {
                    return new CpuTraining(simulators, learner, plan.schedule(), stream);
                } catch (RuntimeException | Error e) {
                    learner.close();
                    throw e;
                }
            }

            @Override
            public boolean evaluatesAlongside() {
                return false;
            }

            @Override
            public String device() {
                return "cpu";
            }
        };
    }
}
