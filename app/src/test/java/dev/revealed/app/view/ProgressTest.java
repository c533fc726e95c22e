package dev.revealed.app.view;

import static org.assertj.core.api.Assertions.assertThat;

import dev.revealed.app.view.Progress.Mode;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProgressTest {

    private static final long MILLI = 1_000_000L;

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final AtomicLong now = new AtomicLong(-42); // a clock of nanoseconds may start anywhere

    private Progress progress(Mode mode) {
        return new Progress(new PrintStream(bytes, false, StandardCharsets.UTF_8), mode, now::get);
    }

    private String printed() {
        return bytes.toString(StandardCharsets.UTF_8);
    }

    @Test
    void rewritesOneLineAtMostTenTimesASecond() {
        try (Progress progress = progress(Mode.REWRITE)) {
            for (int i = 0; i <= 1000; i++) {
                progress.progress("fit", i, 2000);
                now.addAndGet(MILLI);
            }
            assertThat(printed().chars().filter(c -> c == '\r')).hasSize(11);
            assertThat(printed())
                    .startsWith("\rfit  0/2,000 (0%)  0:00\033[K\r")
                    .doesNotContain("\n");
            assertThat(printed()).endsWith("\rfit  1,000/2,000 (50%)  1000/s  0:01  0:01 left\033[K");
        }
        assertThat(printed())
                .endsWith("\rfit  1,000/2,000 (50%)  999/s  0:01\033[K\n"); // stopped early: nothing is left
    }

    @Test
    void printsALineEveryFiveSecondsAndOneAtTheEnd() {
        Progress progress = progress(Mode.LINES);
        for (int i = 0; i < 120; i++) {
            now.addAndGet(100 * MILLI);
            progress.progress("fit", i + 1, 120);
        }
        progress.close();
        progress.close();
        progress.progress("fit", 7, 8);
        assertThat(printed()).isEqualTo("""
                        fit  50/120 (41%)  10/s  0:05  0:07 left
                        fit  100/120 (83%)  10/s  0:10  0:02 left
                        fit  120/120 (100%)  10/s  0:12
                        """);
    }

    @Test
    void shortWorkIsOneLineAndNoWorkNone() {
        progress(Mode.LINES).close();
        progress(Mode.REWRITE).close();
        assertThat(printed()).isEmpty();
        try (Progress progress = progress(Mode.LINES)) {
            progress.progress("read", 3, 0);
        }
        assertThat(printed()).isEqualTo("read  3  0:00\n");
    }

    @Test
    void theRateIsThatOfTheStageFromWhereItBegan() {
        Progress progress = progress(Mode.LINES);
        progress.progress("load", 1_000_000, 1_000_000);
        now.addAndGet(10_000 * MILLI);
        progress.progress("resumed", 500, 1000);
        now.addAndGet(10_000 * MILLI);
        progress.progress("resumed", 600, 1000);
        assertThat(printed().lines().toList().getLast()).isEqualTo("resumed  600/1,000 (60%)  10/s  0:20  0:40 left");
    }

    /** Of 500 iterations that it may take it takes 7: the other 493 are not left. */
    @Test
    void aSearchHasNoTimeLeft() {
        try (Progress progress = progress(Mode.LINES)) {
            for (int k = 0; k <= 7; k++) {
                progress.searching("nfxp", k, 500);
                now.addAndGet(1000 * MILLI);
            }
        }
        assertThat(printed()).isEqualTo("""
                nfxp  5 of at most 500  1/s  0:05
                nfxp  7 of at most 500  0.875/s  0:08
                """);
    }

    @Test
    void workThatStopsEarlyEndsWithoutTimeLeft() {
        try (Progress progress = progress(Mode.LINES)) {
            progress.progress("fit", 0, 1000);
            now.addAndGet(4000 * MILLI);
            progress.progress("fit", 10, 1000);
        }
        assertThat(printed()).isEqualTo("fit  10/1,000 (1%)  2.5/s  0:04\n");
    }

    /** A slow start, of a cold machine or of large pieces, does not haunt the estimate for long. */
    @Test
    void timeLeftIsByTheRateOfTheLastMinute() {
        Progress progress = progress(Mode.LINES);
        progress.progress("fit", 0, 10_000);
        now.addAndGet(600_000 * MILLI);
        progress.progress("fit", 10, 10_000);
        for (int i = 0; i < 120; i++) {
            now.addAndGet(1000 * MILLI);
            progress.progress("fit", 20 + 10 * i, 10_000);
        }
        assertThat(printed().lines().toList().getLast()).isEqualTo("fit  1,210/10,000 (12%)  10/s  12:00  14:39 left");
    }

    /** Where one piece takes longer than a minute, the rate is that of the last pieces. */
    @Test
    void longPiecesHaveARateToo() {
        Progress progress = progress(Mode.LINES);
        for (int i = 0; i <= 6; i++) {
            progress.progress("fit", i, 10);
            now.addAndGet(100_000 * MILLI);
        }
        assertThat(printed().lines().toList().getLast()).isEqualTo("fit  6/10 (60%)  0.01/s  10:00  6:40 left");
    }

    /** A line that wraps could not be rewritten. */
    @Test
    void aLineIsNoWiderThanTheTerminal() {
        Progress progress =
                new Progress(new PrintStream(bytes, false, StandardCharsets.UTF_8), Mode.REWRITE, now::get, 40);
        progress.note("return 3000 and so on");
        progress.progress("run", 1_234_567, 7_000_000);
        assertThat(printed()).isEqualTo("\rrun  1.2M/7.0M (17%)  0:00  return 3000\033[K");
        bytes.reset();
        now.addAndGet(1000 * MILLI);
        progress.note("return 3000, gap 0.061, 150 updates/s"); // facts that do not fit whole are left out
        progress.progress("run", 1_234_567, 7_000_000);
        assertThat(printed()).isEqualTo("\rrun  1.2M/7.0M (17%)  0:01  return 3000\033[K");
        bytes.reset();
        progress.say("caution");
        progress.say("again\n");
        assertThat(printed()).isEqualTo("\r\033[Kcaution\nagain\n");
        bytes.reset();
        progress.progress("run", 7_000_000, 7_000_000);
        progress.close();
        assertThat(printed()).startsWith("\rrun  7.0M/7.0M (100%)").endsWith("\n");
    }

    /** Some stages report when they begin and not when they end. */
    @Test
    void finishedWorkIsAllDone() {
        try (Progress progress = progress(Mode.LINES)) {
            progress.progress("ccp", 0, 2);
            now.addAndGet(2_000 * MILLI);
            progress.finish();
        }
        assertThat(printed()).isEqualTo("ccp  2/2 (100%)  1/s  0:02\n");
    }

    @Test
    void silenceIsSilent() {
        try (Progress progress = progress(Mode.SILENT)) {
            now.addAndGet(60_000 * MILLI);
            progress.progress("fit", 1, 2);
        }
        assertThat(printed()).isEmpty();
    }

    @Test
    void manyThreadsPrintWholeLines() {
        try (Progress progress = progress(Mode.LINES)) {
            IntStream.range(0, 10_000).parallel().forEach(i -> {
                now.addAndGet(100 * MILLI);
                progress.progress("fit", i, 10_000);
            });
        }
        assertThat(printed().lines())
                .hasSizeBetween(100, 201)
                .allMatch(line -> line.matches("fit  [\\d,]+/10,000 \\(\\d+%\\)(  [\\d.]+/s)?  [\\d:]+(  .* left)?"));
    }

    @ParameterizedTest
    @CsvSource({"0.4, 0:00", "7, 0:07", "754, 12:34", "3723, 1:02:03", "273906, 3d 4:05:06", "59.6, 1:00"})
    void clock(double seconds, String expected) {
        assertThat(Progress.clock(seconds)).isEqualTo(expected);
    }
}
