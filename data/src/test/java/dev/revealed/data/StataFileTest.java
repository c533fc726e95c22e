package dev.revealed.data;

import static dev.revealed.data.Fixtures.refused;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files that pandas wrote are read, and a file of ours has the bytes that the format asks for. */
class StataFileTest {
    private static final String ROWS = """
            individual,period,action,stock,price,w,big
            ann,0,wait,1,0.1,2.5,1
            ann,1,sell,2,0.2,2.5,-70000
            "bob, jr",0,wait,0,0.1,,3
            "bob, jr",1,,1,0.2,1000000,4
            """;

    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(ints = {114, 117, 118})
    void readsWhatPandasWrote(int version) throws IOException {
        Path file = Path.of("src/test/resources/stata/p" + version + ".dta");
        assertThat(new String(StataFile.asCsv(file), StandardCharsets.UTF_8)).isEqualTo(ROWS);
        try (Csv csv = Csv.amongOthers(
                file, List.of("individual", "stock"), List.of(), "", dev.revealed.numeric.ProgressListener.NONE)) {
            assertThat(csv.next()).isTrue();
            assertThat(csv.text(0)).isEqualTo("ann");
            assertThat(csv.index(1)).isEqualTo(1);
        }
    }

    @Test
    void writesWhatItReads() throws IOException {
        byte[] written = StataFile.write(List.of(
                StataFile.Variable.of("who is it", "a name", List.of("ann", "bö,b")),
                StataFile.Variable.of("x[1]", "", new double[] {0.1, Double.NaN}),
                StataFile.Variable.of("x(1)", "", new double[] {-3, 1e300})));
        Path file = folder.resolve("own.dta");
        Files.write(file, written);
        assertThat(new String(StataFile.asCsv(file), StandardCharsets.UTF_8))
                .isEqualTo("who_is_it,x_1,x_1_2\nann,0.1,-3\n\"bö,b\",,1.0E300\n");
    }

    @Test
    void refusesWhatIsNoStataFile() throws IOException {
        Path file = folder.resolve("no.dta");
        Files.writeString(file, "a,b\n1,2\n");
        refused(() -> StataFile.asCsv(file), "not a Stata file", "saveold");
        Files.write(
                file, java.util.Arrays.copyOf(Files.readAllBytes(Path.of("src/test/resources/stata/p118.dta")), 5000));
        refused(() -> StataFile.asCsv(file), "ends too early");
    }
}
