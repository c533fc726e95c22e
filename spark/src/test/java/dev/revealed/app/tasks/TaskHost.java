package dev.revealed.app.tasks;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;

/**
 * Stands in for the real one in tests: tasks square their number, and add what they are asked. Task 3 fails as often as the first argument of the command
 * says.
 */
public final class TaskHost {
    private static final Map<String, AtomicInteger> FAILURES = new ConcurrentHashMap<>();

    private TaskHost() {}

    public static BiFunction<double[][], Integer, String> tasks(
            List<String> arguments, String name, String inputs, Map<String, List<String>> earlier, int threads) {
        AtomicInteger left =
                FAILURES.computeIfAbsent(name, own -> new AtomicInteger(Integer.parseInt(arguments.getFirst())));
        return (question, task) -> {
            if (task == 3 && left.getAndDecrement() > 0) {
                throw new IllegalStateException("stumbled over " + inputs);
            }
            return Integer.toString(task * task + (question.length == 0 ? 0 : (int) question[0][0]));
        };
    }
}
