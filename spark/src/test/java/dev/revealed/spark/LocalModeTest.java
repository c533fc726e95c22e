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

    /** A folder of two files with buses of two types, the first of which ends in the middle of a bus, so that rows are counted. */
    private void countedBuses() throws IOException {
        List<String> lines = new ArrayList<>();
        for (String cost : List.of("3", "9")) {
            String name = "buses" + cost;
            assertThat(run("simulate --model rust-bus --individuals 60 --periods 50 --out $" + name
                            + " --parameters RC=%s,theta11=2,theta30=0.35,theta31=0.64".formatted(cost)))
                    .isZero();
            for (String line : Files.readAllLines(folder.resolve(name).resolve("panel.csv"))) {
                if (lines.isEmpty() || Character.isDigit(line.charAt(0))) {
                    lines.add(cost.equals("3") ? line : "1000" + line);
                }
            }
        }
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
        assertSame(numbers("here"), numbers("spark"));
    }

    private static void assertSame(double[] here, double[] spark) {
        assertThat(spark).hasSameSizeAs(here);
        for (int i = 0; i < here.length; i++) {
            assertThat(spark[i]).isCloseTo(here[i], within(1e-10 * (1 + Math.abs(here[i]))));
        }
    }

    private double[] numbers(String name) throws IOException {
        return Pattern.compile("(?<= : |\\[ ?|, )-?\\d[\\d.Ee-]*")
                .matcher(document(name).replaceAll("\"gradientNorm\"[^,]*", "")) // of a maximum it is rounding
                .results()
                .mapToDouble(number -> Double.parseDouble(number.group()))
                .toArray();
    }

    @ParameterizedTest
    @ValueSource(strings = {"--types 2 --type-parameters RC", "--method td-ccp", "--method td-ccp --form robust"})
    void methodsThatAskIndividuals(String how) throws IOException {
        countedBuses();
        String command = "estimate --model rust-bus --data $parts %s --out $".formatted(how);
        assertThat(run(command + "here")).isZero();
        assertThat(run(command + "spark --engine spark --master local[2]")).isZero();
        assertSame(numbers("here"), numbers("spark"));
    }

    /** Each executor makes the first estimate again, and asks its own individuals for it. */
    @Test
    void bootstrapOfACountedPanelByMoves() throws IOException {
        countedBuses();
        String command = "estimate --model rust-bus --data $parts --method td-ccp --basis polynomials --degree 2"
                + " --bootstrap 6 --out $";
        assertThat(run(command + "here")).isZero();
        assertThat(run(command + "spark --engine spark --master local[2]")).isZero();
        assertSame(numbers("here"), numbers("spark"));
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
