package dev.revealed.estimate;

import java.lang.management.ManagementFactory;

/** Wall and CPU seconds of a fit, with the time spent on looking at it taken out. */
public final class Clock {
    private final long wallStart = System.nanoTime();
    private final long cpuStart = cpu();
    private long pausedAtWall;
    private long pausedAtCpu;
    private long pausedWall;
    private long pausedCpu;

    private static long cpu() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    public void pause() {
        pausedAtWall = System.nanoTime();
        pausedAtCpu = cpu();
    }

    public void resume() {
        pausedWall += System.nanoTime() - pausedAtWall;
        pausedCpu += cpu() - pausedAtCpu;
    }

    public double wallSeconds() {
        return (System.nanoTime() - wallStart - pausedWall) * 1e-9;
    }

    /** CPU seconds of the calling thread. */
    public double cpuSeconds() {
        return (cpu() - cpuStart - pausedCpu) * 1e-9;
    }
}
