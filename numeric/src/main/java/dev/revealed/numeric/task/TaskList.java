package dev.revealed.numeric.task;

import dev.revealed.numeric.BadInput;
import java.util.function.IntFunction;

/**
 * Independent tasks, such as the replications of a bootstrap. What a task finds depends on {@code inputs} and its index
 * alone: its random stream is addressed by that index, so that it finds the same on any thread and any machine, in any
 * order, and when it is done again.
 *
 * @param name what the tasks are, in a word; one command has no two lists of the same name
 * @param inputs everything else that tasks depend on, as text or as a checksum; results under other inputs belong to
 *     another job
 * @param type of what a task finds: a record that can be written as JSON
 */
public record TaskList<R>(String name, String inputs, Class<R> type, int count, IntFunction<R> task) {
    public TaskList {
        BadInput.count("the number of tasks", count);
    }
}
