package dev.revealed.runs;

import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.numeric.task.TaskList;
import dev.revealed.numeric.task.TaskResults;
import dev.revealed.numeric.task.TaskRunner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Reads what all shards of a command have found. Shards do the first list of tasks of a command; what comes after it needs
 * their results, and is done here.
 */
public final class GatheredTasks implements TaskRunner {
    private final Path folder;
    private final Function<Shard, String> command;
    private boolean gathered;

    /** @param command what to type for a shard that is missing */
    public GatheredTasks(Path folder, Function<Shard, String> command) {
        this.folder = folder;
        this.command = command;
    }

    @Override
    public <R> List<R> run(TaskList<R> tasks, ProgressListener listener) {
        if (gathered) {
            return TaskRunner.THREADS.run(tasks, listener);
        }
        List<Shard> shards = shards();
        TaskResults<R> results = new TaskResults<>(tasks);
        for (Shard shard : shards) {
            listener.progress("shards", shard.number(), shard.of());
            KeptTasks.add(folder.resolve(shard.file()), tasks, results);
        }
        refuseMissing(results.missing());
        gathered = true;
        return results.all();
    }

    private List<Shard> shards() {
        List<Shard> shards;
        try (Stream<Path> files = Files.list(folder)) {
            shards = files.map(Shard::of)
                    .flatMap(Optional::stream)
                    .sorted(Comparator.comparingInt(Shard::number))
                    .toList();
        } catch (IOException e) {
            throw new BadInput(
                    "the folder %s cannot be read (%s)".formatted(folder, BadInput.reason(e)),
                    "Name the folder that the shards were given with `out`.");
        }
        BadInput.when(
                shards.isEmpty(),
                "there are no shards in %s".formatted(folder),
                "Name the folder that the shards were given with `out`.");
        BadInput.when(
                shards.stream().map(Shard::of).distinct().count() > 1,
                "%s holds shards of differing cuts: %s"
                        .formatted(folder, shards.stream().map(Shard::toString).collect(Collectors.joining(", "))),
                "Keep the files of one cut, and take the others away.");
        return shards;
    }

    /** Names the shards that tasks without a result belong to, with what to type for them. */
    public void refuseMissing(int[] tasks) {
        int of = shards().getFirst().of();
        List<Shard> missing = Arrays.stream(tasks)
                .map(task -> task % of + 1)
                .sorted()
                .distinct()
                .mapToObj(number -> new Shard(number, of))
                .toList();
        BadInput.when(
                !missing.isEmpty(),
                "%d tasks are not done yet, of the shards %s"
                        .formatted(
                                tasks.length,
                                missing.stream().map(Shard::toString).collect(Collectors.joining(", "))),
                "Do them, each in a program of its own, and gather again; what a shard has done already it does not do again:\n"
                        + missing.stream()
                                .map(shard -> "  " + command.apply(shard))
                                .collect(Collectors.joining("\n")));
    }
}
