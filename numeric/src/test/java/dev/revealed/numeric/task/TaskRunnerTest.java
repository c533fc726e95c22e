package dev.revealed.numeric.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.revealed.numeric.BadInput;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TaskRunnerTest {
    private static final TaskList<Integer> SQUARES = new TaskList<>("squares", "", Integer.class, 50, i -> i * i);

    @Test
    void resultsAreInTheOrderOfTheTasks() {
        List<Long> reported = new ArrayList<>();
        List<Integer> found = TaskRunner.THREADS.run(SQUARES, (stage, done, total) -> {
            synchronized (reported) {
                reported.add(done);
            }
        });
        assertThat(found)
                .containsExactlyElementsOf(
                        IntStream.range(0, 50).map(i -> i * i).boxed().toList());
        assertThat(reported).contains(0L, 50L);
    }

    @Test
    void whatIsMissingIsKnown() {
        TaskResults<Integer> results = new TaskResults<>(new TaskList<>("few", "", Integer.class, 4, i -> i));
        results.add(2, 7);
        results.add(2, 7); // done twice, as after a lost machine
        results.add(9, 81); // of a command that asked for more
        assertThat(results.size()).isEqualTo(1);
        assertThat(results.missing()).containsExactly(0, 1, 3);
        assertThatThrownBy(results::all).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> new TaskList<>("none", "", Integer.class, 0, i -> i))
                .isInstanceOf(BadInput.class);
    }
}
