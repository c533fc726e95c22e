package dev.revealed.numeric.task;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** What the tasks of a list have found so far; any thread may add to it. */
public final class TaskResults<R> implements Workers.Results<R> {
    private final AtomicReferenceArray<@Nullable R> found;
    private final AtomicInteger size = new AtomicInteger();

    public TaskResults(TaskList<R> tasks) {
        found = new AtomicReferenceArray<>(tasks.count());
    }

    /** Takes a result; one with an index beyond the list was kept by a command that asked for more. */
    @Override
    public void add(int task, R result) {
        if (task < found.length() && found.getAndSet(task, result) == null) {
            size.incrementAndGet();
        }
    }

    /** How many there are. */
    public int size() {
        return size.get();
    }

    /** The tasks without a result, in their order. */
    public int[] missing() {
        return IntStream.range(0, found.length())
                .filter(task -> found.get(task) == null)
                .toArray();
    }

    /** All of them, in the order of the tasks; none may be missing. */
    public List<R> all() {
        return IntStream.range(0, found.length())
                .mapToObj(task -> Objects.requireNonNull(found.get(task), "a task without a result"))
                .toList();
    }
}
