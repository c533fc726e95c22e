package dev.revealed.app.tools;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.revealed.app.Cli;
import dev.revealed.app.Repository;
import dev.revealed.numeric.BadInput;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the command refuses; that its archives run is tried by scripts/smoke.sh, which has jars to pack. */
class BundleCommandTest {
    @TempDir
    private Path folder;

    private final Cli cli = new Cli();

    @Test
    void nothingIsOverwritten() throws IOException {
        Path file = Files.writeString(folder.resolve("old.tar.gz"), "precious");
        assertThat(cli.run("bundle", "--out", file.toString())).isEqualTo(2);
        assertThat(cli.err()).contains("there is already something named " + file);
        assertThat(file).hasContent("precious");
    }

    @Test
    void aPlaceThatCannotBeWrittenIsTold() {
        assertThat(cli.run("bundle", "--out", folder.resolve("absent/b.tar.gz").toString()))
                .isEqualTo(2);
        assertThat(cli.err()).contains("b.tar.gz cannot be written", "absent is not a folder");
        assertThat(cli.out()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"b.zip", "b.tar", "b"})
    void aNameThatPromisesAnotherFormatIsRefused(String name) {
        assertThat(cli.run("bundle", "--out", folder.resolve(name).toString())).isEqualTo(2);
        assertThat(cli.err()).contains(name + " does not fit its content", ".tar.gz or .tgz");
        assertThat(folder).isEmptyDirectory();
    }

    @ParameterizedTest
    @ValueSource(strings = {"b.tar.gz", "b.tgz"})
    void bothNamesOfTheFormatAreTaken(String name) throws IOException {
        Path file = Files.writeString(folder.resolve(name), "precious");
        assertThat(cli.run("bundle", "--out", file.toString())).isEqualTo(2);
        assertThat(cli.err()).contains("there is already something");
    }

    /** A Java runtime of one module alone is far larger than this limit. */
    @Test
    void anArchiveOverTheLimitIsNotLeftBehind() throws IOException {
        assumeTrue(System.getProperty("os.name").equals("Linux"), "SKIPPED: bundles are made on Linux");
        Path out = Files.createDirectory(folder.resolve("out"));
        Path jar = Files.write(folder.resolve("revealed-cuda-1.jar"), new byte[1000]);
        Bundle bundle = new Bundle(List.of(jar), List.of("java.base"));

        assertThatThrownBy(() -> bundle.write(out.resolve("b.tar.gz"), true, 1 << 20))
                .isInstanceOfSatisfying(
                        BadInput.class,
                        bad -> assertThat(bad.problem())
                                .matches("the archive would have \\d+\\.\\d MiB, and the limit is 1\\.0"));

        assertThat(out).isEmptyDirectory();
    }

    @Test
    void onlyABundleForAGpuSpeaksOfOne() {
        assertThat(Bundle.readme(false)).doesNotContainIgnoringCase("cuda", "gpu");
        assertThat(Bundle.readme(true))
                .startsWith(Bundle.readme(false))
                .contains("gpu --check", "--device cuda", "libcuda.so.1", "libnvrtc");
    }

    @Test
    void knowsWhichModulesItBrings() {
        Bundle bundle = new Bundle(List.of(Path.of("lib", "revealed-cuda-1.0.jar")), List.of());
        assertThat(bundle.brings("cuda")).isTrue();
        assertThat(bundle.brings("neural")).isFalse();
    }

    /** Networks are much slower without vectors, which nobody would see but by the clock. */
    @Test
    void commandsHaveTheSameOptionsOfJavaAsInARepository() throws IOException {
        assertThat(Files.readString(Repository.root().resolve("revealed")))
                .contains("\n. \"$root/app/src/main/resources/dev/revealed/app/tools/java-options.sh\"");
        assertThat(Bundle.launcher(""))
                .startsWith("#!/bin/sh\n")
                .contains("vector='--add-modules jdk.incubator.vector'", "collector=-XX:+UseParallelGC")
                .doesNotContain("@OPTIONS@");
    }

    @Test
    void theFileMustBeNamed() {
        assertThat(cli.run("bundle")).isEqualTo(2);
        assertThat(cli.err()).contains("--out");
    }
}
