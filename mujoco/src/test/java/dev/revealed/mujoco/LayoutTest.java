package dev.revealed.mujoco;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Offsets of all versions, against those that the headers of each version gave. */
class LayoutTest {
    private static final Path HEADERS = Path.of("../../shared/mujoco/layouts");
    private static final Pattern LINE = Pattern.compile("([\\w.]+)=(\\d+)(?:/\\d+)?");

    @Test
    void offsetsAreThoseOfTheHeaders() throws IOException {
        assumeTrue(Files.isDirectory(HEADERS), "skipped: there is no folder " + HEADERS);
        int checked = 0;
        for (int number : new int[] {213, 222, 237, 300, 316, 327, 337, 3_005_000, 3_008_000, 3_012_000}) {
            Layout layout = Layout.of(number);
            Path file = HEADERS.resolve("layout-%s.txt".formatted(layout.version()));
            for (String line : Files.readAllLines(file)) {
                Matcher field = LINE.matcher(line);
                if (field.matches()
                        && layout.has(field.group(1))
                        && !field.group(1).startsWith("sizeof.count")) {
                    assertThat(layout.at(field.group(1)))
                            .as("%s of %s", field.group(1), layout.version())
                            .isEqualTo(Long.parseLong(field.group(2)));
                    checked++;
                }
            }
        }
        assertThat(checked).isGreaterThan(200);
    }
}
