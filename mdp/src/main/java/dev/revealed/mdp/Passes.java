package dev.revealed.mdp;

/**
 * Counts passes over the kernel: backups, evaluation sweeps, occupancy sweeps, Krylov products, columns of a tracked
 * derivative. The cost of a method in the one unit that is the same on every machine.
 */
public final class Passes {
    private long count;
    private Runnable watcher = () -> {};

    public long count() {
        return count;
    }

    /** Has something looked at with every pass; what it throws ends a computation that takes too long. */
    public void watch(Runnable look) {
        watcher = look;
    }

    void add(long passes) {
        count += passes;
        watcher.run();
    }
}
