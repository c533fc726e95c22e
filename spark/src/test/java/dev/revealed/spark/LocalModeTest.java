package dev.revealed.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The program with Spark on two threads finds what it finds without. */
class LocalModeTest {
    @TempDir
    private Path folder = Path.of("");

    @BeforeAll
    static void takeProgram() {
        Path built = Path.of(System.getProperty("revealed.built", ""));
        assumeTrue(
                Files.isDirectory(built),
                "the program is not packaged in %s: mvn -Pspark verify does it".formatted(built));
        System.setProperty(Program.LIBRARIES, built.toString());
    }

    private int run(String command) {
        try (SparkEngine engine = new SparkEngine()) {
            return Program.loaded().run(command.replace("$", folder + "/").split(" "), engine);
        }
    }

    private String document(String name) throws IOException {
        return Files.readString(folder.resolve(name).resolve("result.json"))
                .replaceAll("(?i)\"[a-z]*seconds\" : [^,\\n]*", "");
    }

    /** A folder of two files, the first of which ends in the middle of a bus, so that rows are counted. */
    private void countedBuses() throws IOException {
        assertThat(run("simulate --model rust-bus --individuals 60 --periods 50 --out $buses"))
                .isZero();
        List<String> lines = Files.readAllLines(folder.resolve("buses/panel.csv"));
        Path parts = Files.createDirectory(folder.resolve("parts"));
        Files.write(parts.resolve("1.csv"), lines.subList(0, 1234));
        List<String> second = new ArrayList<>(List.of(lines.getFirst()));
        second.addAll(lines.subList(1234, lines.size()));
        Files.write(parts.resolve("2.csv"), second);
    }

    /** Sums over pieces have another order than sums over individuals. */
    @Test
    void clusteredErrorsOfACountedPanel() throws IOException {
        countedBuses();
        String command = "estimate --model rust-bus --data $parts --method nfxp --se cluster --out $";
        assertThat(run(command + "here")).isZero();
        assertThat(run(command + "spark --engine spark --master local[2]")).isZero();
        double[] here = numbers("here");
        double[] spark = numbers("spark");
        assertThat(spark).hasSameSizeAs(here);
        for (int i = 0; i < here.length; i++) {
            assertThat(spark[i]).isCloseTo(here[i], within(1e-10 * (1 + Math.abs(here[i]))));
        }
    }

    private double[] numbers(String name) throws IOException {
        return Pattern.compile("(?<= : |\\[ ?|, )-?\\d[\\d.Ee-]*")
                .matcher(document(name))
                .results()
                .mapToDouble(number -> Double.parseDouble(number.group()))
                .toArray();
    }

    @ParameterizedTest
    @ValueSource(strings = {"--types 2 --type-parameters RC", "--method td-ccp"})
    void methodsThatNeedIndividuals(String how) throws IOException {
        countedBuses();
        String command = "estimate --model rust-bus --data $parts %s --out $".formatted(how);
        assertThat(run(command + "here")).isZero();
        assertThat(run(command + "spark --engine spark --master local[2]")).isZero();
        assertThat(document("spark")).isEqualTo(document("here"));
    }

    @Test
    void bootstrap() throws IOException {
        assertThat(run("simulate --model rust-bus --individuals 30 --periods 40 --out $buses"))
                .isZero();
        String command = "estimate --model rust-bus --data $buses/panel.csv --method nfxp --bootstrap 12 --out $";
        assertThat(run(command + "here")).isZero();
        assertThat(run(command + "spark --engine spark --master local[2]")).isZero();
        assertThat(document("spark")).isEqualTo(document("here"));
    }
}
