package dev.revealed.runs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.Tensors;
import dev.revealed.runs.Checkpoints.Block;
import dev.revealed.runs.Checkpoints.Restored;
import dev.revealed.runs.Checkpoints.StoredBlock;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A run whose replay holds three checkpoints' worth of rows: row r is the bytes r and 2r. */
class CheckpointsTest {
    private static final int ROWS = 10;
    private static final int CAPACITY = 25;

    @TempDir
    private Path folder;

    private final List<String> warnings = new ArrayList<>();

    private static final class Killed extends Error {
        private static final long serialVersionUID = 1L;
    }

    private RunFolder run() throws IOException {
        return RunFolder.resume(Files.createDirectories(folder.resolve("run")));
    }

    private Path file(String name) {
        return folder.resolve("run/checkpoint").resolve(name);
    }

    /** The k-th checkpoint, at step 100 k, with rows 10 (k-1) to 10 k. */
    private static void write(Checkpoints checkpoints, int k) {
        Tensors state = new Tensors().put("weights", new float[] {k, k * k}).put("step", 100L * k);
        checkpoints.write(
                100L * k, state, Map.of("metrics", "" + 7 * k), block(ROWS * (k - 1), ROWS * k), ROWS * k - CAPACITY);
    }

    private static Block block(int from, int to) {
        return new Block(from, to, out -> {
            for (int row = from; row < to; row++) {
                out.write(row);
                out.write(new byte[] {0, (byte) (2 * row)}, 1, 1);
            }
        });
    }

    /** What a run of so many checkpoints must give back. */
    private void holds(Restored restored, int k) throws IOException {
        assertThat(restored.step()).isEqualTo(100L * k);
        assertThat(restored.state().floats("weights")).containsExactly(k, k * k);
        assertThat(restored.notes()).containsExactly(Map.entry("metrics", "" + 7 * k));
        ByteArrayOutputStream rows = new ByteArrayOutputStream();
        long next = restored.blocks().getFirst().from();
        int oldest = Math.max(0, ROWS * k - CAPACITY);
        assertThat(next).isEqualTo((long) oldest / ROWS * ROWS);
        for (StoredBlock block : restored.blocks()) {
            assertThat(block.from()).isEqualTo(next);
            next = block.to();
            try (InputStream in = block.open()) {
                in.transferTo(rows);
            }
        }
        assertThat(next).isEqualTo((long) ROWS * k);
        byte[] expected = new byte[2 * (ROWS * k - oldest / ROWS * ROWS)];
        for (int i = 0; i < expected.length; i++) {
            int row = oldest / ROWS * ROWS + i / 2;
            expected[i] = (byte) (i % 2 == 0 ? row : 2 * row);
        }
        assertThat(rows.toByteArray()).isEqualTo(expected);
    }

    private Map<String, List<Byte>> content() throws IOException {
        Map<String, List<Byte>> content = new TreeMap<>();
        try (Stream<Path> files = Files.list(folder.resolve("run/checkpoint"))) {
            for (Path file : files.toList()) {
                List<Byte> bytes = new ArrayList<>();
                for (byte b : Files.readAllBytes(file)) {
                    bytes.add(b);
                }
                content.put(String.valueOf(file.getFileName()), bytes);
            }
        }
        return content;
    }

    private void clear() throws IOException {
        for (String name : content().keySet()) {
            Files.delete(file(name));
        }
    }

    private Checkpoints written(int count) throws IOException {
        Checkpoints checkpoints = Checkpoints.in(run());
        for (int k = 1; k <= count; k++) {
            write(checkpoints, k);
        }
        return checkpoints;
    }

    @Test
    void keepsAsManyAsAskedForAlsoWhenResumed() throws IOException {
        Checkpoints four = Checkpoints.in(run(), 4);
        for (int k = 1; k <= 6; k++) {
            write(four, k);
        }
        assertThat(content()).containsKeys("300.json", "400.json", "500.json", "600.json", "replay-0-10.bin");
        assertThat(content()).doesNotContainKeys("200.json", "200.safetensors");
        for (int k = 3; k <= 6; k++) {
            holds(Checkpoints.at(folder.resolve("run"), 100L * k), k);
        }
        Checkpoints resumed = Checkpoints.in(run(), 4);
        holds(resumed.latest(warnings::add).orElseThrow(), 6);
        resumed.tidy();
        write(resumed, 7);
        assertThat(content()).containsKeys("400.json", "500.json", "600.json", "700.json");
        assertThat(content()).doesNotContainKeys("300.json", "300.safetensors", "replay-0-10.bin");
        holds(Checkpoints.at(folder.resolve("run"), 400), 4);
        assertThat(warnings).isEmpty();
    }

    @Test
    void aStepWithoutACheckpointIsNamedWithThoseThatHaveOne() throws IOException {
        written(3);
        assertThatExceptionOfType(BadInput.class)
                .isThrownBy(() -> Checkpoints.at(folder.resolve("run"), 100))
                .satisfies(e -> assertThat(e.problem() + e.remedy())
                        .contains("run has no checkpoint of step 100", "200, 300", "`keep-checkpoints`"));
        assertThatExceptionOfType(BadInput.class)
                .isThrownBy(() -> Checkpoints.at(folder.resolve("nowhere"), 100))
                .satisfies(e -> assertThat(e.remedy()).contains("none at all"));
    }

    /** With the blocks of the other's replay, and a life of its own from there. */
    @Test
    void beginsWithTheCheckpointOfAnotherRun() throws IOException {
        Checkpoints first = Checkpoints.in(run(), 4);
        for (int k = 1; k <= 4; k++) {
            write(first, k);
        }
        Restored from = Checkpoints.at(folder.resolve("run"), 300);
        RunFolder other = RunFolder.create(folder.resolve("other"));
        Checkpoints.in(other).adopt(from, from.state(), from.notes());
        Checkpoints own = Checkpoints.in(other);
        holds(own.latest(warnings::add).orElseThrow(), 3);
        write(own, 4);
        write(own, 5);
        write(own, 6); // by now no block of the first run is needed
        holds(Checkpoints.at(other.path(), 600), 6);
        holds(Checkpoints.at(folder.resolve("run"), 300), 3);
        assertThat(warnings).isEmpty();
        assertThatIllegalStateException().isThrownBy(() -> own.adopt(from, from.state(), from.notes()));
    }

    @Test
    void keepsTwoAndTheBlocksTheyNeed() throws IOException {
        written(6);
        assertThat(content().keySet())
                .containsExactlyInAnyOrder(
                        "500.json",
                        "500.safetensors",
                        "600.json",
                        "600.safetensors",
                        "replay-20-30.bin", // row 25 is the oldest at step 500
                        "replay-30-40.bin",
                        "replay-40-50.bin",
                        "replay-50-60.bin");
        holds(Checkpoints.in(run()).latest(warnings::add).orElseThrow(), 6);
        assertThat(warnings).isEmpty();
    }

    @Test
    void nothingIsNothing() throws IOException {
        assertThat(Checkpoints.in(run()).latest(warnings::add)).isEmpty();
        assertThat(warnings).isEmpty();
    }

    @Test
    void aRunWithoutReplayHasNoBlocks() throws IOException {
        Checkpoints checkpoints = Checkpoints.in(run());
        checkpoints.write(1, new Tensors().put("n", 1L), Map.of(), new Block(0, 0, out -> {}), 0);
        assertThat(content().keySet()).containsExactly("1.json", "1.safetensors");
        assertThat(Checkpoints.in(run()).latest(warnings::add).orElseThrow().blocks())
                .isEmpty();
    }

    @Test
    void anyDamagedByteMakesThePreviousOneBeUsed() throws IOException {
        written(4);
        for (String name : List.of("400.json", "400.safetensors", "replay-30-40.bin")) {
            byte[] good = Files.readAllBytes(file(name));
            for (int i = 0; i < good.length; i += 3) {
                byte[] bad = good.clone();
                bad[i] ^= 1;
                Files.write(file(name), bad);
                fallsBack(name);
            }
            for (int length = 0; length < good.length; length += 7) {
                Files.write(file(name), Arrays.copyOf(good, length));
                fallsBack(name);
            }
            if (!name.endsWith(".json")) {
                Files.delete(file(name));
                fallsBack(name);
                assertThat(warnings).first().asString().contains("missing");
            }
            Files.write(file(name), good);
        }
        holds(Checkpoints.in(run()).latest(warnings::add).orElseThrow(), 4);
    }

    private void fallsBack(String name) throws IOException {
        warnings.clear();
        holds(Checkpoints.in(run()).latest(warnings::add).orElseThrow(), 3);
        assertThat(warnings).singleElement().asString().contains("step 400", name);
    }

    @Test
    void damageToAllIsRefused() throws IOException {
        written(2);
        Files.write(file("replay-0-10.bin"), new byte[20]); // both need it
        assertThatExceptionOfType(BadInput.class)
                .isThrownBy(() -> Checkpoints.in(run()).latest(warnings::add))
                .withMessageContaining("no checkpoint in")
                .withMessageContaining("run/checkpoint");
        assertThat(warnings).hasSize(2).allMatch(warning -> warning.contains("replay-0-10.bin"));
    }

    @Test
    void aRunThatLostItsLastCheckpointEndsWithTheSameBytes() throws IOException {
        written(6);
        Map<String, List<Byte>> expected = content();
        clear();
        written(4);
        Files.write(file("400.safetensors"), new byte[3]);
        Checkpoints resumed = Checkpoints.in(run());
        holds(resumed.latest(warnings::add).orElseThrow(), 3);
        for (int k = 4; k <= 6; k++) {
            write(resumed, k);
        }
        assertThat(content()).isEqualTo(expected);
    }

    @Test
    void killedAfterAnyChangeAndResumedItEndsWithTheSameBytes() throws IOException {
        int last = 6;
        written(last);
        Map<String, List<Byte>> expected = content();
        int kills = 0;
        for (int limit = 0; ; limit++, kills++) {
            clear();
            int[] left = {limit};
            Checkpoints doomed = Checkpoints.in(run(), () -> {
                if (left[0]-- == 0) {
                    throw new Killed();
                }
            });
            int done = 0;
            try {
                while (done < last) {
                    write(doomed, done + 1);
                    done++;
                }
                break; // this one was never killed
            } catch (Killed e) {
                Files.write(
                        file(".replay-7-8.bin.1-2.revealed-tmp"), new byte[100]); // half of a file, as kills leave it
            }
            Checkpoints resumed = Checkpoints.in(run());
            int from = resumed.latest(warnings::add)
                    .map(restored -> (int) restored.step() / 100)
                    .orElse(0);
            assertThat(from).isBetween(done, done + 1);
            resumed.tidy();
            for (int k = from + 1; k <= last; k++) {
                write(resumed, k);
            }
            assertThat(content()).isEqualTo(expected);
        }
        assertThat(warnings).isEmpty();
        assertThat(kills).isGreaterThan(3 * last);
    }

    @Test
    void aReaderChangesNothing() throws IOException {
        written(3);
        Files.write(file("replay-30-40.bin"), new byte[7]); // the writer is at it
        Map<String, List<Byte>> before = content();
        Checkpoints.in(run()).latest(warnings::add);
        assertThat(content()).isEqualTo(before);
    }

    @Test
    void aStateCanBeReadWithoutItsReplay() throws IOException {
        written(4);
        Files.write(file("replay-30-40.bin"), new byte[3]);
        Files.writeString(folder.resolve("run/result.json"), "{}"); // nor does it matter whether the run is over
        Restored state =
                Checkpoints.latestState(folder.resolve("run"), warnings::add).orElseThrow();
        assertThat(state.step()).isEqualTo(400);
        assertThat(state.state().floats("weights")).containsExactly(4, 16);
        assertThat(state.blocks()).isEmpty();
        assertThat(warnings).isEmpty();
        Files.write(file("400.safetensors"), new byte[3]);
        assertThat(Checkpoints.latestState(folder.resolve("run"), warnings::add)
                        .orElseThrow()
                        .step())
                .isEqualTo(300);
        assertThat(warnings).singleElement().asString().contains("step 400");
    }

    @Test
    void aFullDiskLeavesThePreviousOne() throws IOException {
        Checkpoints checkpoints = written(2);
        Map<String, List<Byte>> before = content();
        Block tooLarge = new Block(20, 30, out -> {
            out.write(new byte[100_000]);
            throw new IOException("No space left on device");
        });
        Tensors state = new Tensors().put("n", 1L);
        assertThatExceptionOfType(BadInput.class)
                .isThrownBy(() -> checkpoints.write(300, state, Map.of(), tooLarge, 0))
                .withMessageContaining("step 300 was not finished")
                .withMessageContaining("No space left")
                .withMessageContaining("`resume` `out` " + folder.resolve("run"))
                .withMessageContaining("step 200 is whole");
        assertThat(content()).isEqualTo(before);
        holds(Checkpoints.in(run()).latest(warnings::add).orElseThrow(), 2);
        write(checkpoints, 3); // and it can be tried again
        holds(Checkpoints.in(run()).latest(warnings::add).orElseThrow(), 3);
    }

    @Test
    void aFullDiskLaterInACheckpointLeavesNothingOfIt() throws IOException {
        Checkpoints checkpoints = written(2);
        Map<String, List<Byte>> before = content();
        Files.createDirectories(file("300.safetensors")); // the block fits, the state does not
        assertThatExceptionOfType(BadInput.class).isThrownBy(() -> write(checkpoints, 3));
        Files.deleteIfExists(file("300.safetensors"));
        assertThat(content()).isEqualTo(before);
    }

    @Test
    void theFirstCheckpointThatFailsSaysSo() throws IOException {
        Checkpoints checkpoints = Checkpoints.in(run());
        Block full = new Block(0, 1, out -> {
            throw new IOException("No space left on device");
        });
        assertThatExceptionOfType(BadInput.class)
                .isThrownBy(() -> checkpoints.write(1, new Tensors(), Map.of(), full, 0))
                .withMessageContaining("no checkpoint before")
                .withMessageContaining("`resume` `out` " + folder.resolve("run"));
    }

    @Test
    void checkpointsGoForwardWithoutGaps() throws IOException {
        Checkpoints checkpoints = written(2);
        Tensors state = new Tensors();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> checkpoints.write(200, state, Map.of(), block(20, 20), 0));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> checkpoints.write(300, state, Map.of(), block(21, 30), 0));
        Checkpoints unread = Checkpoints.in(run());
        assertThatIllegalStateException().isThrownBy(() -> unread.write(300, state, Map.of(), block(20, 30), 0));
    }

    @Test
    void otherFilesAreLeftAlone() throws IOException {
        Path journal = file("journal.jsonl");
        Files.createDirectories(journal.resolveSibling(""));
        Files.writeString(journal, "{}");
        written(3);
        assertThat(journal).hasContent("{}");
    }
}
