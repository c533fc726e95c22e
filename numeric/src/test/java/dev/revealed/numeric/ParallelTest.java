package dev.revealed.numeric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ParallelTest {
    @AfterEach
    void restore() {
        Parallel.threads(Runtime.getRuntime().availableProcessors());
    }

    private static double[] momentSums(double[] x) {
        return Parallel.sums(x.length, 2, (from, to, sums) -> {
            for (int i = from; i < to; i++) {
                sums[0] += x[i];
                sums[1] += x[i] * x[i];
            }
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 8191, 8192, 8193, 100_001})
    void sumsAreTheSameBitsOnAnyNumberOfThreads(int n) {
        double[] x = RandomStream.of(n).doubles(n, -1, 1).map(Math::exp).toArray();
        double expected = 0;
        for (double value : x) {
            expected += value;
        }
        Parallel.threads(1);
        double[] one = momentSums(x);
        assertThat(one[0]).isCloseTo(expected, within(1e-11 * expected));
        for (int threads = 2; threads <= 3; threads++) {
            Parallel.threads(threads);
            for (int repeat = 0; repeat < 20; repeat++) {
                assertThat(momentSums(x)).containsExactly(one);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void everyItemIsVisitedOnce(int threads) {
        Parallel.threads(threads);
        int n = 5 * Parallel.BLOCK + 17;
        var visits = new AtomicIntegerArray(n);
        for (int repeat = 1; repeat <= 50; repeat++) {
            Parallel.range(n, (from, to) -> {
                assertThat(from % Parallel.BLOCK).isZero();
                for (int i = from; i < to; i++) {
                    visits.incrementAndGet(i);
                }
            });
            assertThat(visits.get(0)).isEqualTo(repeat);
        }
        for (int i = 0; i < n; i++) {
            assertThat(visits.get(i)).isEqualTo(50);
        }
    }

    @Test
    void nothingToDoIsNothingDone() {
        Parallel.range(0, (from, to) -> {
            throw new AssertionError("no items");
        });
        assertThat(Parallel.sums(0, 2, (from, to, sums) -> sums[0] = 1)).containsExactly(0, 0);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void exceptionsReachTheCallerAndThePoolLivesOn(int threads) {
        Parallel.threads(threads);
        for (int bad = 0; bad < 8; bad++) {
            int index = bad;
            assertThatThrownBy(() -> Parallel.tasks(8, i -> {
                        if (i == index) {
                            throw new IllegalStateException("task " + i);
                        }
                    }))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("task " + index);
        }
        assertThatThrownBy(() -> Parallel.tasks(8, i -> {
                    throw new StackOverflowError();
                }))
                .isInstanceOf(StackOverflowError.class);
        assertThat(momentSums(new double[] {1, 2})).containsExactly(3, 5);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void callsInsideTasksWork(int threads) {
        Parallel.threads(threads);
        int n = 3 * Parallel.BLOCK;
        double[] totals = new double[6];
        Parallel.tasks(6, i -> {
            totals[i] = Parallel.sums(n, 1, (from, to, sums) -> sums[0] = (double) i * (to - from))[0];
        });
        assertThat(totals).containsExactly(0, n, 2 * n, 3 * n, 4 * n, 5 * n);
    }

    @Test
    void callersOnOtherThreadsAreServedToo() throws InterruptedException {
        Parallel.threads(2);
        double[] x = RandomStream.of(1).doubles(50_000).toArray();
        double[] expected = momentSums(x);
        double[][] got = new double[4][];
        Thread[] callers = new Thread[4];
        for (int i = 0; i < 4; i++) {
            int own = i;
            callers[i] = Thread.ofPlatform().start(() -> {
                for (int repeat = 0; repeat < 50; repeat++) {
                    got[own] = momentSums(x);
                }
            });
        }
        for (Thread caller : callers) {
            caller.join();
        }
        for (double[] sums : got) {
            assertThat(sums).containsExactly(expected);
        }
    }

    @Test
    void thereIsAtLeastOneThread() {
        assertThatThrownBy(() -> Parallel.threads(0))
                .isInstanceOf(BadInput.class)
                .hasMessageContaining("`threads` is 0");
    }
}
