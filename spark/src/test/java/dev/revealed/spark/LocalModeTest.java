package dev.revealed.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The program with Spark on two threads finds what it finds without. */
class LocalModeTest {
    @TempDir
    private Path folder = Path.of("");

    private int run(String words) {
        System.setProperty(
                Program.LIBRARIES, Path.of("../app/target/revealed/lib").toAbsolutePath().toString());
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
