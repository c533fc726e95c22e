package dev.revealed.runs;

import dev.revealed.numeric.BadInput;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * One of several shares of a command's tasks, cut by arithmetic alone: shard i of n has the tasks i-1, i-1+n, i-1+2n and
 * so on. Each is for a program of its own, on any machine that sees the folder.
 */
public record Shard(int number, int of) {
    /** What the option that names a shard is called. */
    public static final String SETTING = "shard";

    private static final Pattern TEXT = Pattern.compile("(\\d{1,9})/(\\d{1,9})");
    private static final Pattern FILE = Pattern.compile("shard-(\\d{1,9})-of-(\\d{1,9})\\.jsonl");

    public Shard {
        BadInput.when(
                number < 1 || number > of,
                "`%s` is %d/%d".formatted(SETTING, number, of),
                "Shards count from 1: the shards of 4 are 1/4, 2/4, 3/4 and 4/4.");
    }

    /** All tasks. */
    public static final Shard WHOLE = new Shard(1, 1);

    public static Shard parse(String text) {
        Matcher matcher = TEXT.matcher(text.strip());
        if (!matcher.matches()) {
            throw new BadInput(
                    "`%s` is '%s'".formatted(SETTING, text),
                    "Write which of how many, such as 3/8: the shards of 8 are 1/8 to 8/8.");
        }
        return new Shard(Integer.parseInt(matcher.group(1)), Integer.parseInt(matcher.group(2)));
    }

    /** Whether a task belongs to it. */
    public boolean has(int task) {
        return task % of == number - 1;
    }

    /** The items that belong to it. */
    public <T> List<T> of(List<T> all) {
        return IntStream.range(0, all.size())
                .filter(this::has)
                .mapToObj(all::get)
                .toList();
    }

    /** Where it keeps its results in the folder of the command. */
    public String file() {
        return "shard-%d-of-%d.jsonl".formatted(number, of);
    }

    static Optional<Shard> of(Path file) {
        Matcher matcher = FILE.matcher(String.valueOf(file.getFileName()));
        return matcher.matches()
                ? Optional.of(new Shard(Integer.parseInt(matcher.group(1)), Integer.parseInt(matcher.group(2))))
                : Optional.empty();
    }

    @Override
    public String toString() {
        return "%d/%d".formatted(number, of);
    }
}
