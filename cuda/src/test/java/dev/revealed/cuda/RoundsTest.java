package dev.revealed.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class RoundsTest {
    private final AtomicInteger arrived = new AtomicInteger();
    private final List<Integer> arrivals = new ArrayList<>(); // at each round's work

    private final Rounds rounds = new Rounds(() -> arrivals.add(arrived.getAndSet(0)));

    private void arrive() {
        arrived.incrementAndGet();
        rounds.arrive();
    }

    @Test
    void workIsDoneOnceWhenAllHaveCome() {
        try (ExecutorService threads = Executors.newCachedThreadPool()) {
            for (int i = 0; i < 5; i++) {
                rounds.join();
            }
            for (int i = 0; i < 5; i++) {
                int turns = 10 + i; // they leave one after the other
                threads.execute(() -> {
                    for (int turn = 0; turn < turns; turn++) {
                        arrive();
                    }
                    rounds.leave();
                });
            }
        }
        assertThat(arrivals).hasSize(14);
        assertThat(arrivals.subList(0, 10)).containsOnly(5);
        assertThat(arrivals.subList(10, 14)).containsExactly(4, 3, 2, 1);
    }

    @Test
    void aMemberAloneNeedsNobody() {
        rounds.join();
        arrive();
        rounds.leave();
        rounds.join();
        arrive();
        assertThat(arrivals).containsExactly(1, 1);
    }

    @Test
    void workThatFailsIsToldToEverybody() {
        Rounds failing = new Rounds(() -> {
            throw new IllegalStateException("the device is gone");
        });
        failing.join();
        failing.join();
        CompletableFuture<Void> other = CompletableFuture.runAsync(failing::arrive);
        assertThatIllegalStateException().isThrownBy(failing::arrive).withMessage("the device is gone");
        assertThat(other.handle((done, e) -> e).join()).hasMessageContaining("the device is gone");
        assertThatIllegalStateException().isThrownBy(failing::arrive);
    }
}
