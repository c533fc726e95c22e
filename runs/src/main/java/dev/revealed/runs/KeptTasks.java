package dev.revealed.runs;

import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.numeric.task.TaskList;
import dev.revealed.numeric.task.TaskResults;
import dev.revealed.numeric.task.TaskRunner;
import dev.revealed.numeric.task.Workers;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;

/**
 * Keeps what each task found in a file as soon as it is found. A program that was killed does the missing ones when it is
 * started again, and a shard does only its own.
 *
 * @param file of the list of that name
 */
public record KeptTasks(Function<String, Path> file, Shard shard, Workers workers) implements TaskRunner {
    /** A line of the file. */
    private record Entry(int task, Object found) {}

    @Override
    public <R> List<R> run(TaskList<R> tasks, ProgressListener listener) {
        Path path = file.apply(tasks.name());
        TaskResults<R> results = new TaskResults<>(tasks);
        try (Journal<Entry> journal = journal(path, tasks)) {
            add(journal, path, tasks, results);
            int[] missing = Arrays.stream(results.missing()).filter(shard::has).toArray();
            listener.progress(tasks.name(), results.size(), own(tasks));
            workers.work(tasks, missing, (task, found) -> {
                journal.append(new Entry(task, found));
                results.add(task, found);
                listener.progress(tasks.name(), results.size(), own(tasks));
            });
        }
        if (shard.of() > 1) {
            throw new ShardFinished(shard, own(tasks), tasks.count());
        }
        return results.all();
    }

    private int own(TaskList<?> tasks) {
        return (tasks.count() - shard.number() + shard.of()) / shard.of();
    }

    private static Journal<Entry> journal(Path path, TaskList<?> tasks) {
        return Journal.open(path, tasks.name(), tasks.inputs(), Entry.class);
    }

    /** Adds what the file of a shard, or of a whole list, holds. */
    static <R> void add(Path path, TaskList<R> tasks, TaskResults<R> results) {
        try (Journal<Entry> journal = journal(path, tasks)) {
            add(journal, path, tasks, results);
        }
    }

    private static <R> void add(Journal<Entry> journal, Path path, TaskList<R> tasks, TaskResults<R> results) {
        for (Entry entry : journal.entries()) {
            BadInput.when(
                    entry.task < 0,
                    "%s holds a task with the number %d".formatted(path, entry.task),
                    "The file is damaged: take it away, and its tasks are done again.");
            results.add(
                    entry.task,
                    BadInput.placed(
                            "%s, task %d".formatted(path, entry.task),
                            () -> Json.whole(Json.line(entry.found), tasks.type())));
        }
    }
}
