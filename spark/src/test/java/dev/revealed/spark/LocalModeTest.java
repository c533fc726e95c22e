package dev.revealed.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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

    private int run(String words) {
        return Program.loaded().run(words.replace("$", folder + "/").split(" "), new SparkEngine());
    }

    private String document(String name) throws IOException {
        return Files.readString(folder.resolve(name).resolve("result.json"))
                .replaceAll("(?i)\"[a-z]*seconds\" : [^,\\n]*", "");
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
