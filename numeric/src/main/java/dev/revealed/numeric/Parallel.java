package dev.revealed.numeric;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Loops cut into blocks that depend on the length alone. Which thread runs a block is left to chance; what a block
 * computes, and the order in which the sums of blocks are added, is not. Results are therefore the same to the last
 * bit whatever the number of threads.
 */
public final class Parallel {
    /** Items per block: small enough to share out evenly, large enough to hide the cost of handing over. */
    public static final int BLOCK = 8192;

    private static volatile Pool pool = new Pool(Runtime.getRuntime().availableProcessors());

    private Parallel() {}

    /** Sets how many threads work from now on; results do not depend on it. */
    public static void threads(int threads) {
        BadInput.count("`threads`", threads);
        Pool old = pool;
        pool = new Pool(threads);
        old.close();
    }

    /** What is done to the items {@code from} (inclusive) to {@code to} (exclusive). */
    @FunctionalInterface
    public interface Range {
        void run(int from, int to);
    }

    /** What is added up over a range: contributions go to {@code sums}, one cell per quantity. */
    @FunctionalInterface
    public interface Summand {
        void add(int from, int to, double[] sums);
    }

    /** Runs {@code body} over {@code [0, n)} in blocks of {@link #BLOCK} items. */
    public static void range(int n, Range body) {
        tasks(blocks(n), block -> body.run(block * BLOCK, (int) Math.min(n, (block + 1L) * BLOCK)));
    }

    /** Adds up {@code count} quantities over {@code [0, n)}, block sums in block order. */
    public static double[] sums(int n, int count, Summand body) {
        double[][] partial = new double[blocks(n)][];
        tasks(partial.length, block -> {
            double[] own = new double[count];
            body.add(block * BLOCK, (int) Math.min(n, (block + 1L) * BLOCK), own);
            partial[block] = own;
        });
        double[] total = new double[count];
        for (double[] own : partial) {
            for (int i = 0; i < count; i++) {
                total[i] += own[i];
            }
        }
        return total;
    }

    /**
     * Runs tasks {@code 0 .. count-1}. A call from inside a task, or while another caller holds the pool, runs on the
     * calling thread: slower, never a deadlock. The first exception of a task reaches the caller.
     */
    public static void tasks(int count, IntConsumer body) {
        if (count <= 1 || !pool.run(count, body)) {
            for (int i = 0; i < count; i++) {
                body.accept(i);
            }
        }
    }

    /** The same, with a report of how many are done. */
    public static void tasks(int count, String stage, ProgressListener listener, IntConsumer body) {
        AtomicInteger done = new AtomicInteger();
        listener.progress(stage, 0, count);
        tasks(count, i -> {
            body.accept(i);
            listener.progress(stage, done.incrementAndGet(), count);
        });
    }

    /** How many blocks {@link #range} cuts n items into. */
    public static int blocks(int n) {
        return (int) ((n + BLOCK - 1L) / BLOCK);
    }

    /** The callers' thread and {@code threads - 1} daemons that sleep between jobs. */
    private static final class Pool {
        private final ReentrantLock lock = new ReentrantLock();
        private final Thread[] helpers;
        private volatile @Nullable Job current;
        private volatile boolean closed;

        Pool(int threads) {
            helpers = new Thread[threads - 1];
            Arrays.setAll(
                    helpers,
                    i -> Thread.ofPlatform()
                            .daemon()
                            .name("revealed-numeric-" + i)
                            .start(this::serve));
        }

        boolean run(int count, IntConsumer body) {
            if (helpers.length == 0 || lock.isHeldByCurrentThread() || !lock.tryLock()) {
                return false;
            }
            try {
                Job job = new Job(count, body);
                current = job;
                for (Thread helper : helpers) {
                    LockSupport.unpark(helper);
                }
                job.work();
                job.await();
                return true;
            } finally {
                current = null;
                lock.unlock();
            }
        }

        void close() {
            closed = true;
            for (Thread helper : helpers) {
                LockSupport.unpark(helper);
            }
        }

        private void serve() {
            @Nullable Job done = null;
            while (!closed) {
                Job job = current;
                if (job != null && job != done) {
                    job.work();
                    done = job;
                } else {
                    LockSupport.park(this);
                }
            }
        }
    }

    private static final class Job {
        private final int count;
        private final IntConsumer body;
        private final Thread owner = Thread.currentThread();
        private final AtomicInteger next = new AtomicInteger();
        private final AtomicInteger finished = new AtomicInteger();
        private volatile @Nullable Throwable failure;

        Job(int count, IntConsumer body) {
            this.count = count;
            this.body = body;
        }

        void work() {
            for (int i = next.getAndIncrement(); i < count; i = next.getAndIncrement()) {
                try {
                    if (failure == null) {
                        body.accept(i);
                    }
                } catch (Throwable e) {
                    failure = e;
                }
                if (finished.incrementAndGet() == count) {
                    LockSupport.unpark(owner);
                }
            }
        }

        void await() {
            for (int spins = 0; finished.get() < count; spins++) {
                if (spins < 2000) {
                    Thread.onSpinWait();
                } else {
                    LockSupport.park(this);
                }
            }
            rethrow(failure);
        }
    }

    /** Throws what a task threw, on another thread perhaps; tasks cannot throw checked exceptions. */
    public static void rethrow(@Nullable Throwable failure) {
        if (failure instanceof RuntimeException e) {
            throw e;
        } else if (failure instanceof Error e) {
            throw e;
        }
    }
}
