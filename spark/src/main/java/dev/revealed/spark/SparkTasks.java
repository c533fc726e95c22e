package dev.revealed.spark;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;

/**
 * The tasks of one command, as they travel to an executor: the arguments of the command and what its list must be. An executor
 * makes the list once and keeps it for all of its tasks.
 *
 * @param arguments the command, without what says who does its tasks
 * @param list name of the list of tasks
 * @param inputs what the list depends on, so that a machine with other files is noticed
 */
record SparkTasks(List<String> arguments, String list, String inputs) implements Serializable {
    private static final Map<SparkTasks, BiFunction<double[][], Integer, String>> MADE = new ConcurrentHashMap<>();

    /** One result, as it travels back. */
    record Found(int task, String result) implements Serializable {}

    SparkTasks {
        arguments = new ArrayList<>(arguments);
    }

    /**
     * Does some of them, on an executor.
     *
     * @param earlier what lists of the command before this one found, by name; asked where the list is made
     */
    List<Found> work(
            Supplier<? extends Map<String, List<String>>> earlier,
            double[][] question,
            TaskContext context,
            Iterator<Integer> which) {
        boolean here = SparkEnv.get().executorId().equals("driver");
        try {
            BiFunction<double[][], Integer, String> tasks = MADE.computeIfAbsent(
                    this,
                    made -> Program.loaded().tasks(arguments, list, inputs, earlier.get(), here ? 0 : context.cpus()));
            List<Found> found = new ArrayList<>();
            while (which.hasNext()) {
                int task = which.next();
                found.add(new Found(task, tasks.apply(question, task)));
            }
            return found;
        } catch (RuntimeException e) {
            throw plain(e);
        }
    }

    /** An exception that travels: the driver's Spark does not know the classes of our own. */
    private static IllegalStateException plain(RuntimeException e) {
        IllegalStateException plain = new IllegalStateException(e.getMessage() == null ? e.toString() : e.getMessage());
        plain.setStackTrace(e.getStackTrace());
        return plain;
    }
}
