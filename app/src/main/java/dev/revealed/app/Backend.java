package dev.revealed.app;

import dev.revealed.mdp.Simulator;
import dev.revealed.neural.CpuTraining;
import dev.revealed.neural.Sac;
import dev.revealed.neural.Training;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.RandomStream;
import java.util.List;

/** Where agents learn: on the processor, or on a GPU that many of them share. */
interface Backend extends AutoCloseable {
    double GIB = 1 << 30;

    /** An agent at its first step; the caller closes it, and afterwards the simulators. */
    Training training(ExpertRun.Plan plan, List<Simulator> simulators, RandomStream stream, int threads);

    /** Whether policies are tested while learning goes on; else learning has the processor to itself. */
    boolean testsBeside();

    /** What a result says of it. */
    String device();

    @Override
    default void close() {}

    /** The processor. */
    static Backend processor() {
        return new Backend() {
            @Override
            public Training training(
                    ExpertRun.Plan plan, List<Simulator> simulators, RandomStream stream, int threads) {
                Simulator.Space space = simulators.getFirst().space();
                checkMemory(plan, space, Runtime.getRuntime().maxMemory());
                return new CpuTraining(
                        simulators, new Sac(space, plan.sac(), stream, threads), plan.schedule(), stream);
            }

            @Override
            public boolean testsBeside() {
                return false;
            }

            @Override
            public String device() {
                return "cpu";
            }
        };
    }

    /** A replay that will not fit is told at once, not hours later. */
    private static void checkMemory(ExpertRun.Plan plan, Simulator.Space space, long heap) {
        double bytes = (double) plan.replayBytes(space);
        if (bytes > heap * 2.0 / 3) { // as much as the collector leaves to what lives long
            throw new BadInput(
                    "the replay comes to %.1f GiB, and of the memory of %.1f GiB two thirds are free for it"
                            .formatted(bytes / GIB, heap / GIB),
                    "Keep fewer transitions with --replay, or allow more: REVEALED_JAVA_OPTS=-Xmx%dg."
                            .formatted((long) Math.ceil(1.6 * bytes / GIB)));
        }
    }
}
