package dev.revealed.runs;

import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.Tensors;
import dev.revealed.runs.RunFolder.Body;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import java.util.zip.CheckedInputStream;
import java.util.zip.CheckedOutputStream;

/**
 * The checkpoints of a run, in {@code checkpoint/} of its folder. The state is one file per checkpoint. The replay, which
 * may be gigabytes, is append-only: each checkpoint adds a block with the rows since the last one. A manifest with lengths
 * and checksums is written last, so that a checkpoint is there whole or not at all. The last two are kept, or more of them
 * where that is asked for.
 *
 * <p>Only the command that goes on in the folder may write; anybody may read meanwhile.
 */
public final class Checkpoints {
    /** Default number of checkpoints that are kept. */
    public static final int USUAL = 2;

    private static final String HERE = RunFiles.CHECKPOINT;
    private static final Pattern OURS = Pattern.compile("\\d+\\.(json|safetensors)|replay-\\d+-\\d+\\.bin"
            + "|\\.(\\d+\\.(json|safetensors)|replay-\\d+-\\d+\\.bin)\\..*\\.revealed-tmp");
    private static final Pattern MANIFEST = Pattern.compile("\\d+\\.json");

    private final RunFolder folder;
    private final Path here;
    private final int keep;
    private final Runnable afterEachChange;
    private List<Manifest> kept = List.of(); // oldest first

    private Checkpoints(RunFolder folder, int keep, Runnable afterEachChange) {
        this.folder = folder;
        this.here = folder.path().resolve(HERE);
        this.keep = keep;
        this.afterEachChange = afterEachChange;
    }

    public static Checkpoints in(RunFolder folder) {
        return in(folder, USUAL);
    }

    /** @param keep how many of the last checkpoints stay, at least two: should one be damaged, the one before serves */
    public static Checkpoints in(RunFolder folder, int keep) {
        if (keep < USUAL) {
            throw new IllegalArgumentException("%d checkpoints to keep".formatted(keep));
        }
        return new Checkpoints(folder, keep, () -> {});
    }

    /** With a place after each change of the folder where a test may stop the program, as a kill would. */
    static Checkpoints in(RunFolder folder, Runnable afterEachChange) {
        return new Checkpoints(folder, USUAL, afterEachChange);
    }

    /** Rows {@code from} up to but not including {@code to} of the replay, as the body writes them; may be empty. */
    public record Block(long from, long to, Body rows) {
        public Block {
            if (from < 0 || to < from) {
                throw new IllegalArgumentException("rows from %d to %d".formatted(from, to));
            }
        }
    }

    /** A block that a checkpoint kept. */
    public record StoredBlock(long from, long to, Path file) {
        public InputStream open() throws IOException {
            return new BufferedInputStream(Files.newInputStream(file), 1 << 16);
        }
    }

    /** A whole checkpoint; its blocks in the order of their rows. */
    public record Restored(long step, Tensors state, Map<String, String> notes, List<StoredBlock> blocks) {}

    private record Stored(String file, long bytes, String crc32c) {}

    private record Rows(long from, long to, String file, long bytes, String crc32c) {}

    /** {@code crc32c} is of the manifest's own text with an empty one in its place. */
    private record Manifest(long step, Stored state, List<Rows> replay, String crc32c) {
        Manifest signed() {
            CRC32C sum = new CRC32C();
            sum.update(Json.write(new Manifest(step, state, replay, "")).getBytes(StandardCharsets.UTF_8));
            return new Manifest(step, state, replay, hex(sum));
        }

        Stream<String> files() {
            return Stream.concat(
                    Stream.of(name(step), state.file), replay.stream().map(Rows::file));
        }

        static String name(long step) {
            return step + ".json";
        }
    }

    /**
     * Adds a checkpoint, later than all before.
     *
     * @param block rows appended since the last checkpoint
     * @param oldestRow blocks wholly before this row are needed no longer
     */
    public void write(long step, Tensors state, Map<String, String> notes, Block block, long oldestRow) {
        Optional<Manifest> last = kept.isEmpty() ? Optional.empty() : Optional.of(kept.getLast());
        List<Rows> replay = new ArrayList<>(last.map(Manifest::replay).orElse(List.of()));
        if (last.isPresent() && last.get().step >= step) {
            throw new IllegalArgumentException(
                    "a checkpoint of step %d after that of step %d".formatted(step, last.get().step));
        }
        if (last.isEmpty() && !manifests().isEmpty()) {
            throw new IllegalStateException("there are checkpoints in %s: read the latest first".formatted(here));
        }
        if (!replay.isEmpty() && replay.getLast().to != block.from) {
            throw new IllegalArgumentException(
                    "rows from %d after rows to %d".formatted(block.from, replay.getLast().to));
        }
        List<String> begun = new ArrayList<>();
        try {
            if (block.to > block.from) {
                String name = "replay-%d-%d.bin".formatted(block.from, block.to);
                begun.add(name);
                Stored stored = store(name, block.rows);
                replay.add(new Rows(block.from, block.to, name, stored.bytes, stored.crc32c));
            }
            replay.removeIf(rows -> rows.to <= oldestRow);
            begun.add(step + ".safetensors");
            Stored stored = store(step + ".safetensors", out -> Safetensors.write(out, state, notes));
            Manifest made = seal(new Manifest(step, stored, List.copyOf(replay), "").signed());
            kept = last(Stream.concat(kept.stream(), Stream.of(made)).toList());
        } catch (BadInput e) {
            for (String name : begun) {
                if (kept.stream().flatMap(Manifest::files).noneMatch(name::equals)) {
                    delete(here.resolve(name));
                }
            }
            throw unfinished(e, step, last);
        }
        tidy();
    }

    /** Writes the manifest, with which the checkpoint is there. */
    private Manifest seal(Manifest made) {
        sync(); // what the manifest promises must be there before it, whenever the power fails
        store(Manifest.name(made.step), out -> out.write(Json.write(made).getBytes(StandardCharsets.UTF_8)));
        sync();
        return made;
    }

    private BadInput unfinished(BadInput why, long step, Optional<Manifest> last) {
        BadInput report = new BadInput(
                "the checkpoint of step %d was not finished: %s".formatted(step, why.problem()),
                "%s, then %s with `resume` `out` %s: %s."
                        .formatted(
                                DiskFull.is(why) ? "The disk is full: free some space" : "Make the folder writable",
                                last.isPresent() ? "go on" : "begin again",
                                folder.path(),
                                last.map(good -> "the checkpoint of step %d is whole".formatted(good.step))
                                        .orElse("there was no checkpoint before this one")));
        report.initCause(why);
        return report;
    }

    /** As many of them as are kept. */
    private List<Manifest> last(List<Manifest> all) {
        return List.copyOf(all.subList(Math.max(0, all.size() - keep), all.size()));
    }

    /** Writes a file; returns its length and checksum. */
    private Stored store(String name, Body body) {
        CRC32C sum = new CRC32C();
        folder.write(HERE + "/" + name, out -> body.write(new CheckedOutputStream(out, sum)));
        long length = here.resolve(name).toFile().length();
        afterEachChange.run();
        return new Stored(name, length, hex(sum));
    }

    /** Makes the names of the files last, not only their content, where the system can. */
    private void sync() {
        try (FileChannel names = FileChannel.open(here)) {
            names.force(true);
        } catch (IOException e) {
            // Some systems cannot open folders; they keep their names in order by other means.
        }
    }

    /**
     * The newest checkpoint that is whole: its manifest, and length and checksum of every file it names. One that is
     * damaged is passed over with a warning. Changes nothing.
     */
    public Optional<Restored> latest(Consumer<String> warn) {
        return newest(true, warn);
    }

    /**
     * The newest checkpoint of a run whose state is whole, without its replay, which may be gigabytes: for those who only
     * want to see how far the run has come, while it goes on or afterwards.
     */
    public static Optional<Restored> latestState(Path run, Consumer<String> warn) {
        return in(new RunFolder(run)).newest(false, warn);
    }

    /** The step of a run's newest checkpoint, whole or not; 0 where there is none. */
    public static long latestStep(Path run) {
        List<Long> steps = in(new RunFolder(run)).manifests();
        return steps.isEmpty() ? 0 : steps.getFirst();
    }

    /** The steps of a run that have a checkpoint, whole or not, the latest first. */
    public static List<Long> steps(Path run) {
        return in(new RunFolder(run)).manifests();
    }

    private Optional<Restored> newest(boolean withReplay, Consumer<String> warn) {
        List<Long> steps = manifests();
        for (int i = 0; i < steps.size(); i++) {
            long step = steps.get(i);
            try {
                Manifest manifest = manifest(step);
                Restored restored = restored(manifest, withReplay);
                List<Manifest> all = new ArrayList<>(before(steps.subList(i + 1, steps.size())));
                all.add(manifest);
                kept = last(all);
                return Optional.of(restored);
            } catch (BadInput e) {
                warn.accept("the checkpoint of step %d is damaged and passed over: %s".formatted(step, e.problem()));
            }
        }
        if (!steps.isEmpty()) {
            throw new BadInput(
                    "no checkpoint in %s is whole".formatted(here),
                    "Start again in a new folder, or bring back the files from a copy.");
        }
        return Optional.empty();
    }

    /** What a manifest names, once length and checksum of every file are as they were written. */
    private Restored restored(Manifest manifest, boolean withReplay) {
        check(manifest.state);
        List<Rows> replay = withReplay ? manifest.replay : List.of();
        for (Rows rows : replay) {
            check(new Stored(rows.file, rows.bytes, rows.crc32c));
        }
        Safetensors.Content content = Safetensors.read(here.resolve(manifest.state.file));
        return new Restored(
                manifest.step,
                content.tensors(),
                content.metadata(),
                replay.stream()
                        .map(rows -> new StoredBlock(rows.from, rows.to, here.resolve(rows.file)))
                        .toList());
    }

    /** The manifests before, oldest first, that can be read: their files are kept, too. */
    private List<Manifest> before(List<Long> steps) {
        List<Manifest> found = new ArrayList<>();
        for (long step : steps) {
            try {
                found.addFirst(manifest(step));
            } catch (BadInput e) {
                // Not needed now; if it is needed later, the damage is reported then.
            }
        }
        return found;
    }

    /**
     * The checkpoint of a step of another run, or of the same; it may be under way meanwhile.
     *
     * @throws BadInput where there is none that is whole, with the steps that have one
     */
    public static Restored at(Path run, long step) {
        Checkpoints there = in(new RunFolder(run));
        List<Long> steps = there.manifests();
        BadInput.when(
                !steps.contains(step),
                "%s has no checkpoint of step %d".formatted(run, step),
                steps.isEmpty()
                        ? "It has none at all: name the folder of a run."
                        : "There are those of the steps %s; `keep-checkpoints` keeps more of them."
                                .formatted(String.join(
                                        ", ",
                                        steps.reversed().stream()
                                                .map(String::valueOf)
                                                .toList())));
        return there.restored(there.manifest(step), true);
    }

    /**
     * Begins with the checkpoint of another run, whose state may have been changed. The blocks of its replay are not copied
     * where both folders lie on a disk that can give a file two names.
     */
    public void adopt(Restored from, Tensors state, Map<String, String> notes) {
        if (!manifests().isEmpty()) {
            throw new IllegalStateException("there are checkpoints in %s".formatted(here));
        }
        List<Rows> replay = new ArrayList<>();
        for (StoredBlock block : from.blocks) {
            replay.add(link(block));
        }
        Stored stored = store(from.step + ".safetensors", out -> Safetensors.write(out, state, notes));
        kept = List.of(seal(new Manifest(from.step, stored, List.copyOf(replay), "").signed()));
    }

    private Rows link(StoredBlock block) {
        String name = name(block.file);
        Path own = folder.file(HERE + "/" + name);
        try {
            Files.deleteIfExists(own); // of a command that was killed
            try {
                Files.createLink(own, block.file);
            } catch (UnsupportedOperationException | IOException e) {
                Files.copy(block.file, own);
            }
            CRC32C sum = new CRC32C();
            try (InputStream content = new CheckedInputStream(Files.newInputStream(own), sum)) {
                content.transferTo(OutputStream.nullOutputStream());
            }
            return new Rows(block.from, block.to, name, Files.size(own), hex(sum));
        } catch (IOException e) {
            throw new BadInput(
                    "%s cannot be copied to %s (%s)".formatted(block.file, own, e),
                    DiskFull.is(e) ? "The disk is full: free some space." : "Check that you may write there.");
        }
    }

    /**
     * Removes all but the checkpoints that are kept, what a killed command left behind included. For the command that goes on
     * in the folder, after {@link #latest}: a reader would take away what the writer is just making.
     */
    public void tidy() {
        Set<String> needed = new HashSet<>();
        kept.forEach(manifest -> manifest.files().forEach(needed::add));
        for (Path file : list(OURS)) {
            if (!needed.contains(name(file))) {
                delete(file);
                afterEachChange.run();
            }
        }
    }

    private static void delete(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            // It only takes up space, and the next checkpoint tries again.
        }
    }

    /** Steps that have a manifest, the latest first. */
    private List<Long> manifests() {
        return list(MANIFEST).stream()
                .map(file -> Long.valueOf(name(file).replace(".json", "")))
                .sorted(Comparator.reverseOrder())
                .toList();
    }

    /** Files by name: manifests go before the files they name, so that none is ever left without. */
    private List<Path> list(Pattern pattern) {
        if (!Files.isDirectory(here)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(here)) {
            return files.filter(file -> pattern.matcher(name(file)).matches())
                    .sorted(Comparator.comparing((Path file) -> !name(file).endsWith(".json"))
                            .thenComparing(Checkpoints::name))
                    .toList();
        } catch (IOException | UncheckedIOException e) {
            throw new BadInput(
                    "the folder %s cannot be read (%s)".formatted(here, BadInput.reason(e)),
                    "Check that you may read it.");
        }
    }

    private static String name(Path file) {
        return String.valueOf(file.getFileName());
    }

    private Manifest manifest(long step) {
        Path file = here.resolve(Manifest.name(step));
        String text;
        Manifest manifest;
        try {
            text = Files.readString(file);
            manifest = Json.whole(text, Manifest.class);
        } catch (IOException e) {
            throw damaged(file, "cannot be read (%s)".formatted(BadInput.reason(e)));
        } catch (BadInput e) {
            throw damaged(file, e.problem());
        }
        if (manifest.state == null
                || manifest.replay == null
                || !Json.write(manifest.signed()).equals(text)) {
            throw damaged(file, "the checksum of the manifest is wrong");
        }
        if (manifest.step != step) {
            throw damaged(file, "it is the manifest of step %d".formatted(manifest.step));
        }
        return manifest;
    }

    private void check(Stored stored) {
        Path file = here.resolve(stored.file);
        CRC32C sum = new CRC32C();
        try (InputStream content = new CheckedInputStream(Files.newInputStream(file), sum)) {
            long length = Files.size(file);
            if (length != stored.bytes) {
                throw damaged(file, "it has %d bytes where %d were written".formatted(length, stored.bytes));
            }
            content.transferTo(OutputStream.nullOutputStream());
        } catch (NoSuchFileException e) {
            throw damaged(file, "it is missing");
        } catch (IOException e) {
            throw damaged(file, "it cannot be read (%s)".formatted(BadInput.reason(e)));
        }
        if (!hex(sum).equals(stored.crc32c)) {
            throw damaged(file, "its checksum is %s where %s was written".formatted(hex(sum), stored.crc32c));
        }
    }

    private static BadInput damaged(Path file, String why) {
        return new BadInput("%s: %s".formatted(file, why), "The previous checkpoint is used.");
    }

    private static String hex(CRC32C sum) {
        return "%08x".formatted(sum.getValue());
    }
}
