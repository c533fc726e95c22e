package dev.revealed.app.tools;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The archive is read by the system's own tar. */
class TarTest {
    private static final String LONG = "a/" + "folder/".repeat(20) + "f".repeat(80);

    @TempDir
    private Path folder;

    private byte[] archive() throws IOException {
        Path file = Files.write(folder.resolve("content"), new byte[1000]);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (Tar tar = new Tar(bytes)) {
            tar.file("a/run", "#!/bin/sh\necho hello\n", true);
            tar.file("a/größe.bin", file);
            tar.file(LONG, "x".repeat(512), false);
            tar.file("a/empty", "", false);
        }
        return bytes.toByteArray();
    }

    private String tar(String... arguments) throws IOException, InterruptedException {
        String[] command = new String[arguments.length + 1];
        command[0] = "tar";
        System.arraycopy(arguments, 0, command, 1, arguments.length);
        Process process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .start();
        try (OutputStream in = process.getOutputStream()) {
            in.write(archive());
        }
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(out).isZero();
        return out;
    }

    @Test
    void tarUnpacksIt() throws IOException, InterruptedException {
        assertThat(tar("xf", "-")).isEmpty();
        assertThat(folder.resolve("a/run")).isExecutable().hasContent("#!/bin/sh\necho hello\n");
        assertThat(folder.resolve("a/größe.bin")).hasSize(1000);
        assertThat(Files.isExecutable(folder.resolve("a/größe.bin"))).isFalse();
        assertThat(folder.resolve(LONG)).hasSize(512);
        assertThat(folder.resolve("a/empty")).isEmptyFile();
    }

    @Test
    void sameFilesSameBytes() throws IOException {
        assertThat(archive()).hasSize((4 + 1 + 2 + 1 + 2) * 512).isEqualTo(archive());
    }

    @Test
    void aNameThatDoesNotFitIsRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> {
            try (Tar tar = new Tar(OutputStream.nullOutputStream())) {
                tar.file("n".repeat(101), "", false);
            }
        });
    }
}
