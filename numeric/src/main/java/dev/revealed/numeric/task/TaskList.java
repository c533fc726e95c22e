package dev.revealed.numeric.task;

import dev.revealed.numeric.BadInput;
import java.util.function.IntFunction;

/**
 * Independent tasks, such as the replications of a bootstrap. What a task finds depends on {@code inputs}, its index and
 * the question alone: its random stream is addressed by that index, so that it finds the same on any thread and any
 * machine, in any order, and when it is done again.
 *
 * @param name what the tasks are, in a word; one command has no two lists of the same name
 * @param inputs everything else that tasks depend on, as text or as a checksum; results under other inputs belong to
 *     another job
 * @param type of what a task finds: a record that can be written as JSON
 * @param question numbers that are sent along; none for most lists. The same list may be asked another question, and keeps
 *     what is costly to find in between, such as what it has read
 */
public record TaskList<R>(String name, String inputs, Class<R> type, int count, Answer<R> answer, double[][] question) {

    /** What a task finds. */
    @FunctionalInterface
    public interface Answer<R> {
        R to(double[][] question, int task);
    }

    public TaskList {
        BadInput.count("the number of tasks", count);
    }

    public TaskList(String name, String inputs, Class<R> type, int count, IntFunction<R> task) {
        this(name, inputs, type, count, (question, index) -> task.apply(index), new double[0][]);
    }

    /** The same tasks with another question. */
    public TaskList<R> asking(double[]... other) {
        return new TaskList<>(name, inputs, type, count, answer, other);
    }

    /** Whether there is a question: what such tasks find is of no use to later lists of the command. */
    public boolean asks() {
        return question.length > 0;
    }

    public IntFunction<R> task() {
        return index -> answer.to(question, index);
    }
}
