package dev.revealed.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import dev.revealed.numeric.BadInput;
import java.io.IOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Assumptions;

/** Files made by NumPy (see make_fixtures.py beside them), and how bad input must be told. */
public final class Fixtures {
    /** The process of docs/guide/formats.md. */
    public static final String KERNEL = """
            state,action,next,probability
            0,0,0,0.9
            0,0,1,0.1
            0,1,1,0.8
            0,1,0,0.2
            1,0,0,1
            1,1,2,0.5
            1,1,1,0.5
            2,0,2,1
            2,1,2,1
            """;

    private Fixtures() {}

    public static Path numpy(String name) {
        URL url = Objects.requireNonNull(Fixtures.class.getResource(name), name);
        try {
            return Path.of(url.toURI());
        } catch (URISyntaxException e) {
            throw new AssertionError(e);
        }
    }

    /** A file of the shared folder beside the repository, which is not part of it; the test is skipped without it. */
    public static Path shared(String name) {
        for (Path folder = Path.of("").toAbsolutePath(); folder != null; folder = folder.getParent()) {
            Path file = folder.resolve("shared").resolve(name);
            if (Files.exists(file)) {
                return file;
            }
        }
        return Assumptions.abort("shared/" + name + " is in no folder above this one");
    }

    public static Path file(Path folder, String name, String content) throws IOException {
        return Files.writeString(folder.resolve(name), content);
    }

    /** The call must fail with one message that has all these parts and a remedy. */
    public static void refused(ThrowingCallable call, String... parts) {
        assertThatExceptionOfType(BadInput.class)
                .isThrownBy(call)
                .satisfies(e -> assertThat(e.remedy()).isNotBlank())
                .extracting(BadInput::getMessage, STRING)
                .contains(parts);
    }
}
