package dev.revealed.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.Parallel;
import dev.revealed.numeric.ProgressListener;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What is timed must also be right; how long it took is not asked here. */
class BenchTest {
    @AfterEach
    void restore() {
        Parallel.threads(Runtime.getRuntime().availableProcessors());
    }

    @Test
    void everyWayToSweepGetsTheSameValues() {
        BellmanBench.Result result = new BellmanBench(20_000, 3, 4, 5).run(1, 2, ProgressListener.NONE);
        assertThat(result.nonzeros()).isEqualTo(20_000L * 3 * 4);
        var rows = result.rows();
        assertThat(rows)
                .extracting(BellmanBench.Row::name)
                .containsExactly("revealed", "revealed", "separate passes", "memory read");
        double sum = rows.get(0).checksum();
        assertThat(rows.get(1).checksum()).as("two threads, same bits").isEqualTo(sum);
        assertThat(rows.get(2).checksum()).isCloseTo(sum, within(1e-9 * Math.abs(sum)));
    }

    @Test
    void boardsThatAreTooSmallAreRefused() {
        assertThatThrownBy(() -> new BellmanBench(50, 3, 4, 5).run(1, 1, ProgressListener.NONE))
                .isInstanceOf(BadInput.class)
                .hasMessageContaining("50 states");
    }

    /**
     * Every step costs 1 but at the corner, where the agent may stay for ever at a gain of log 5 of choice per step: far
     * away the value is less, and nowhere is it above log 5 / (1 - gamma).
     */
    @Test
    void solvedBoardsAreFixedPoints() {
        SolveBench.Result result = new SolveBench(20, 1e-10).run(new double[] {0.9, 0.999}, 1, ProgressListener.NONE);
        assertThat(result.rows()).hasSize(2).allSatisfy(row -> {
            assertThat(row.residualSpan()).isLessThan(1e-9);
            assertThat(row.valueAtCorner()).isLessThan(Math.log(5) / (1 - row.discount()));
            assertThat(row.valueFarAway()).isLessThan(row.valueAtCorner());
        });
    }
}
