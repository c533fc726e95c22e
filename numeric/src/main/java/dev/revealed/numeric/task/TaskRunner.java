package dev.revealed.numeric.task;

import dev.revealed.numeric.ProgressListener;
import java.util.List;

/**
 * Sees to it that all tasks of a list are done. This is the one seam for replications: a runner may use threads, keep what
 * is finished, do only a share of them, or read what other machines have found.
 */
public interface TaskRunner {
    /** On the threads of this program, keeping nothing. */
    TaskRunner THREADS = by(Workers.THREADS);

    /** All tasks by these workers, keeping nothing. */
    static TaskRunner by(Workers workers) {
        return new TaskRunner() {
            @Override
            public <R> List<R> run(TaskList<R> tasks, ProgressListener listener) {
                TaskResults<R> results = new TaskResults<>(tasks);
                listener.progress(tasks.name(), 0, tasks.count());
                workers.work(tasks, results.missing(), (task, found) -> {
                    results.add(task, found);
                    listener.progress(tasks.name(), results.size(), tasks.count());
                });
                return results.all();
            }
        };
    }

    /** What the tasks found, in their order. */
    <R> List<R> run(TaskList<R> tasks, ProgressListener listener);
}
