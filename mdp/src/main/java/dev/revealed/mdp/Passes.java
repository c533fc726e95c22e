package dev.revealed.mdp;

/**
 * Counts passes over the kernel: backups, evaluation sweeps, occupancy sweeps, Krylov products, columns of a tracked
 * derivative. The cost of a method in the one unit that is the same on every machine.
 */
public final class Passes {
    private long count;

    public long count() {
        return count;
    }

    void add(long passes) {
        count += passes;
    }
}
