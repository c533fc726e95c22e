package dev.revealed.numeric.task;

import dev.revealed.numeric.Parallel;

/** Do tasks of a list, in any order: threads of this program, or other machines. */
public interface Workers {
    /** The threads of this program; calls of {@link Parallel} inside a task run on its own thread. */
    Workers THREADS = new Workers() {
        @Override
        public <R> void work(TaskList<R> tasks, int[] which, Results<R> results) {
            Parallel.tasks(which.length, k -> results.add(which[k], tasks.task().apply(which[k])));
        }
    };

    /** Hears what tasks found, as they finish, on any thread. */
    @FunctionalInterface
    interface Results<R> {
        void add(int task, R found);
    }

    /** Does the tasks with these indices, and returns when the last of them is done. */
    <R> void work(TaskList<R> tasks, int[] which, Results<R> results);
}
