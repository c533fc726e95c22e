package dev.revealed.app.tasks;

import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.numeric.task.TaskList;
import dev.revealed.numeric.task.TaskRunner;
import dev.revealed.numeric.task.Workers;
import dev.revealed.runs.Json;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The machines of a cluster. A task travels as the arguments of its command and its index, and comes back as JSON; the machine
 * that does it reads the same files as this one. A cluster's own libraries stay on a class path of their own, so that only
 * types of the JDK pass between the two.
 *
 * @param arguments the command, without what says who does its tasks
 * @param settings of the cluster's own program
 * @param earlier what the lists of tasks before found, by name: tasks may depend on it
 * @param asked whether there was anything to do
 */
public record Cluster(
        List<String> arguments, Map<String, String> settings, Map<String, List<String>> earlier, AtomicBoolean asked)
        implements Workers {
    /** Names in the description of a job. */
    public static final String ARGUMENTS = "arguments";

    public static final String LIST = "list";
    public static final String INPUTS = "inputs";
    public static final String WHICH = "which";
    public static final String SETTINGS = "settings";
    public static final String EARLIER = "earlier";
    public static final String QUESTION = "question";

    private static final String MASTER = "spark.master";

    private static volatile @Nullable BiConsumer<Map<String, Object>, BiConsumer<Integer, String>> engine;

    public Cluster(List<String> arguments, Map<String, String> settings) {
        this(arguments, settings, new ConcurrentHashMap<>(), new AtomicBoolean());
    }

    /** Called by the program that has a cluster's libraries: does a job, and hears of each task's result. */
    public static void connect(BiConsumer<Map<String, Object>, BiConsumer<Integer, String>> given) {
        engine = given;
    }

    /** The cluster's own program; refused where this one was started without it. */
    public static BiConsumer<Map<String, Object>, BiConsumer<Integer, String>> connected() {
        BiConsumer<Map<String, Object>, BiConsumer<Integer, String>> found = engine;
        if (found == null) {
            throw new BadInput(
                    "this program was started without Spark",
                    "Start it with ./revealed, which fetches Spark where --engine spark is typed, or with spark-submit.");
        }
        return found;
    }

    /** Keeps what a list of tasks has found, for the lists after it. */
    public TaskRunner remembering(TaskRunner runner) {
        return new TaskRunner() {
            @Override
            public <R> List<R> run(TaskList<R> tasks, ProgressListener listener) {
                List<R> found = runner.run(tasks, listener);
                if (!tasks.asks()) {
                    earlier.put(
                            tasks.name(),
                            found.stream()
                                    .map(each -> Json.line(Objects.requireNonNull(each)))
                                    .toList());
                }
                return found;
            }
        };
    }

    @Override
    public <R> void work(TaskList<R> tasks, int[] which, Results<R> results) {
        BiConsumer<Map<String, Object>, BiConsumer<Integer, String>> connected = connected();
        boolean first = asked.compareAndSet(false, true);
        if (which.length == 0) {
            return;
        }
        if (first) {
            Master.check(settings.getOrDefault(MASTER, "local"));
        }
        Map<String, Object> job = Map.of(
                ARGUMENTS,
                arguments,
                LIST,
                tasks.name(),
                INPUTS,
                tasks.inputs(),
                WHICH,
                which,
                SETTINGS,
                settings,
                EARLIER,
                earlier,
                QUESTION,
                tasks.question());
        try {
            connected.accept(job, (task, found) -> results.add(task, Json.whole(found, tasks.type())));
        } catch (UncheckedIOException e) { // what a job ends with that could not be done
            throw new BadInput(
                    "the %s could not be done: %s".formatted(tasks.name(), BadInput.reason(e)),
                    "Remove the cause. Where the command has left a folder, the same command with `resume` keeps what is finished; else type it again.");
        }
    }
}
