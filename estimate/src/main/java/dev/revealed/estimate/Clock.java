package dev.revealed.estimate;

import java.lang.management.ManagementFactory;

/** Wall and CPU seconds of a fit, with the time spent on looking at it taken out. */
final class Clock {
    private final long wallStart = System.nanoTime();
    private final long cpuStart = cpu();
    private long pausedAtWall;
    private long pausedAtCpu;
    private long pausedWall;
    private long pausedCpu;

    private static long cpu() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    void pause() {
        pausedAtWall = System.nanoTime();
        pausedAtCpu = cpu();
    }

    void resume() {
        pausedWall += System.nanoTime() - pausedAtWall;
        pausedCpu += cpu() - pausedAtCpu;
    }

    double wallSeconds() {
        return (System.nanoTime() - wallStart - pausedWall) * 1e-9;
    }

    /** CPU seconds of the calling thread. */
    double cpuSeconds() {
        return (cpu() - cpuStart - pausedCpu) * 1e-9;
    }
}
