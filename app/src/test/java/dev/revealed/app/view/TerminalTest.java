package dev.revealed.app.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TerminalTest {

    private static final double NAN = Double.NaN;

    @Test
    void coloursNeedATerminalThatWantsThem() {
        assertThat(Terminal.of(true, Map.of("TERM", "xterm"))).isEqualTo(new Terminal(true, true));
        assertThat(Terminal.of(true, Map.of("NO_COLOR", ""))).isEqualTo(new Terminal(true, true));
        assertThat(Terminal.of(true, Map.of("NO_COLOR", "1"))).isEqualTo(new Terminal(true, false));
        assertThat(Terminal.of(true, Map.of("TERM", "dumb"))).isEqualTo(Terminal.NONE);
        assertThat(Terminal.of(false, Map.of())).isEqualTo(Terminal.NONE);
    }

    @Test
    void theWidthIsWhatSttySaysOrTheUsual() {
        assertThat(Terminal.width("50 211\n")).isEqualTo(211);
        assertThat(Terminal.width("0 0\n")).isEqualTo(80);
        assertThat(Terminal.width("")).isEqualTo(80);
    }

    @Test
    void shadesRunFromLowToHigh() {
        assertThat(TerminalHeatMap.of(new double[][] {{0, 1, 2, 3, 4}, {4, NAN, 0, 0, Double.POSITIVE_INFINITY}})
                        .render(false))
                .isEqualTo("  ░░▒▒▓▓██\n██··    ··\n0 [ ░▒▓█] 4\n");
        assertThat(TerminalHeatMap.of(new double[][] {{-1, 0, 2}}).diverging().render(false))
                .isEqualTo("░░▒▒██\n-2 [ ░▒▓█] 2\n");
    }

    @Test
    void coloursStandInHalfBlocks() {
        String picture = TerminalHeatMap.of(new double[][] {{0, 1}, {1, NAN}, {NAN, NAN}})
                .render(true);
        String dark = "5;53m";
        String light = "5;220m";
        assertThat(picture.lines().limit(2))
                .containsExactly(
                        "\033[0m\033[48;" + light + "\033[38;" + dark + "▀\033[0m\033[38;" + light + "▀\033[0m",
                        "\033[0m \033[0m \033[0m");
        assertThat(picture.lines())
                .hasSize(3)
                .last()
                .asString()
                .startsWith("0 \033[48;")
                .endsWith("\033[0m 1");
    }

    @Test
    void picturesFitTheirWidth() {
        double[][] large = new double[500][500];
        assertThat(TerminalHeatMap.of(large).width(30).render(false).lines())
                .hasSizeLessThanOrEqualTo(41)
                .allSatisfy(line -> assertThat(line.length()).isLessThanOrEqualTo(30));
        assertThat(TerminalHeatMap.of(new double[0][0]).render(false)).isEqualTo("0 [ ░▒▓█] 1\n");
        assertThat(TerminalHeatMap.of(new double[][] {{NAN}}).render(true)).startsWith("\033[0m \033[0m\n");
    }

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private Console console(boolean json) {
        return new Console(Console.utf8(new PrintStream(out)), Console.utf8(new PrintStream(err)), json);
    }

    private static String text(ByteArrayOutputStream stream) {
        return stream.toString(StandardCharsets.UTF_8);
    }

    @Test
    void peopleReadStdout() {
        Console console = console(false);
        console.say("θ = 1");
        console.say("line\n");
        console.json("{}");
        assertThat(text(out)).isEqualTo("θ = 1\nline\n");
        assertThat(text(err)).isEmpty();
    }

    @Test
    void programsReadOneDocument() {
        Console console = console(true);
        console.say("θ = 1");
        console.json("{\"θ\":1}");
        assertThat(text(out)).isEqualTo("{\"θ\":1}\n");
        assertThat(text(err)).isEqualTo("θ = 1\n");
        assertThatThrownBy(() -> console.json("{}")).isInstanceOf(IllegalStateException.class);
        assertThat(text(out)).isEqualTo("{\"θ\":1}\n");
    }
}
