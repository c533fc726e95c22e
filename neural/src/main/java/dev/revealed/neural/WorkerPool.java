package dev.revealed.neural;

import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.Parallel;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A few threads for jobs that take a fraction of a millisecond: helpers stay awake between jobs, at first spinning, then
 * yielding, and sleep only after some milliseconds without work. Any thread may run any task, so tasks must not
 * depend on it.
 */
@SuppressWarnings("ThreadPriorityCheck") // yielding is what keeps waiting cheap on a busy machine
public final class WorkerPool implements AutoCloseable {
    private static final int SPINS = 2000;
    private static final long AWAKE_NANOS = 5_000_000;
    private static final long FIELD = 0xffff;

    private final Thread[] helpers;

    /** Number of the job, then how many tasks it has, then how many of them were taken: 32, 16 and 16 bits. */
    private final AtomicLong ticket = new AtomicLong();

    private final AtomicInteger finished = new AtomicInteger();
    private final AtomicInteger asleep = new AtomicInteger();
    private IntConsumer body = WorkerPool::nothing;
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    private volatile boolean closed;

    private static void nothing(int index) {}

    public WorkerPool(int threads) {
        helpers = new Thread[BadInput.count("`threads`", threads) - 1];
        try {
            Arrays.setAll(
                    helpers,
                    i -> Thread.ofPlatform()
                            .daemon()
                            .name("revealed-neural-" + i)
                            .start(this::serve));
        } catch (OutOfMemoryError e) { // no more threads: those that began must not wait for work for ever
            closed = true;
            throw e;
        }
    }

    /** Runs tasks 0 to {@code count - 1} and returns when all are done. The first exception reaches the caller. */
    public void run(int count, IntConsumer task) {
        if (helpers.length == 0 || count == 1) {
            for (int i = 0; i < count; i++) {
                task.accept(i);
            }
            return;
        }
        if (count > FIELD) {
            throw new IllegalArgumentException(count + " tasks");
        }
        body = task;
        finished.set(0);
        ticket.set(((ticket.get() >>> 32) + 1) << 32 | (long) count << 16);
        if (asleep.get() > 0) {
            for (Thread helper : helpers) {
                LockSupport.unpark(helper);
            }
        }
        while (work()) {}
        for (int spins = 0; finished.get() < count; spins++) {
            pause(spins);
        }
        body = WorkerPool::nothing;
        Parallel.rethrow(failure.getAndSet(null));
    }

    /** Takes one task, if there is one. Its job cannot end before it is done, so the body is the right one. */
    private boolean work() {
        long seen = ticket.get();
        int taken = (int) (seen & FIELD);
        if (taken >= (int) (seen >>> 16 & FIELD)) {
            return false;
        }
        if (ticket.compareAndSet(seen, seen + 1)) {
            try {
                body.accept(taken);
            } catch (Throwable e) {
                failure.compareAndSet(null, e);
            }
            finished.incrementAndGet();
        }
        return true;
    }

    private void serve() {
        int spins = 0;
        long idleSince = 0;
        while (!closed) {
            if (work()) {
                spins = 0;
            } else if (++spins < SPINS) {
                Thread.onSpinWait();
            } else if (spins == SPINS) {
                idleSince = System.nanoTime();
            } else if (System.nanoTime() - idleSince < AWAKE_NANOS) {
                Thread.yield();
            } else {
                sleep();
                spins = 0;
            }
        }
    }

    private void sleep() {
        long seen = ticket.get();
        asleep.incrementAndGet();
        if (ticket.get() == seen && !closed) {
            LockSupport.park(this);
        }
        asleep.decrementAndGet();
    }

    private static void pause(int spins) {
        if (spins < SPINS) {
            Thread.onSpinWait();
        } else {
            Thread.yield();
        }
    }

    @Override
    public void close() {
        closed = true;
        for (Thread helper : helpers) {
            LockSupport.unpark(helper);
        }
    }
}
