package dev.revealed.runs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.revealed.numeric.BadInput;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JournalTest {
    @TempDir
    Path folder;

    record Entry(int number, double[] values, String note) {}

    private Path file() {
        return folder.resolve("entries.jsonl");
    }

    private Journal<Entry> open(String fingerprint) {
        return Journal.open(file(), "bootstrap", fingerprint, Entry.class);
    }

    private void write(Entry... entries) {
        try (Journal<Entry> journal = open("abc")) {
            for (Entry entry : entries) {
                journal.append(entry);
            }
        }
    }

    private static Entry entry(int number) {
        return new Entry(number, new double[] {number / 3.0, -0.0, 1e-300}, "line\nfeed");
    }

    @Test
    void givesBackToTheBitWhatWasAppended() {
        write(entry(4));
        write(entry(1), entry(2));
        try (Journal<Entry> journal = open("abc")) {
            assertThat(journal.entries()).extracting(Entry::number).containsExactly(4, 1, 2);
            assertThat(journal.entries().getFirst().values()).containsExactly(entry(4).values());
            assertThat(journal.entries().getFirst().note()).isEqualTo("line\nfeed");
        }
    }

    @Test
    void dropsALineThatWasCutOffInWriting() throws IOException {
        write(entry(1), entry(2), entry(3));
        byte[] whole = Files.readAllBytes(file());
        int header = new String(whole, java.nio.charset.StandardCharsets.UTF_8).indexOf('\n') + 1;
        for (int length = 0; length < whole.length; length++) {
            Files.write(file(), java.util.Arrays.copyOf(whole, length));
            int kept;
            try (Journal<Entry> journal = open("abc")) {
                kept = journal.entries().size();
                assertThat(kept).isLessThan(3);
                for (int next = kept + 1; next <= 3; next++) {
                    journal.append(entry(next));
                }
            }
            assertThat(length > header || kept == 0).isTrue();
            assertThat(Files.readAllBytes(file())).isEqualTo(whole);
        }
    }

    @Test
    void refusesTheJournalOfAnotherProblemAndLeavesItAlone() throws IOException {
        write(entry(1));
        byte[] before = Files.readAllBytes(file());
        assertThatThrownBy(() -> open("abd"))
                .isInstanceOf(BadInput.class)
                .hasMessageContaining("belongs to another model, panel, method or seed");
        assertThat(Files.readAllBytes(file())).isEqualTo(before);
        write(entry(2)); // the refusal has let go of the file
    }

    @ParameterizedTest
    @ValueSource(strings = {"bus_id,group\n1,2\n", "no line at all", "\n"})
    void refusesAFileThatIsNoJournalAndLeavesItAlone(String content) throws IOException {
        Files.writeString(file(), content);
        assertThatThrownBy(() -> open("abc")).isInstanceOf(BadInput.class).hasMessageContaining("is not a journal");
        assertThat(file()).hasContent(content);
    }

    @Test
    void saysWhichLineCannotBeRead() throws IOException {
        write(entry(1));
        Files.writeString(file(), "{\"number\":x}\n{}\n", StandardOpenOption.APPEND);
        assertThatThrownBy(() -> open("abc")).isInstanceOf(BadInput.class).hasMessageContaining("line 3");
    }

    @Test
    void isWrittenByOneCommandAtATime() {
        try (Journal<Entry> journal = open("abc")) {
            assertThat(journal.entries()).isEqualTo(List.of());
            assertThatThrownBy(() -> open("abc"))
                    .isInstanceOf(BadInput.class)
                    .hasMessageContaining("being written by another command");
            journal.append(entry(1));
        }
        assertThatThrownBy(() -> Journal.open(folder.resolve("absent/x"), "bootstrap", "abc", Entry.class))
                .isInstanceOf(BadInput.class)
                .hasMessageContaining("cannot be written");
    }
}
