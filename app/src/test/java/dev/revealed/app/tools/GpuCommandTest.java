package dev.revealed.app.tools;

import static org.assertj.core.api.Assertions.assertThat;

import dev.revealed.app.Cli;
import dev.revealed.app.Words;
import dev.revealed.cuda.Check;
import dev.revealed.cuda.Gpu;
import dev.revealed.runs.Json;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/** Most machines that run this have no GPU, and the command must serve them too. */
class GpuCommandTest {
    private static final Check.Part PASSED = new Check.Part("replay", null, 0.25);
    private static final Check.Part FAILED = new Check.Part("chance", "not normal", 1.5);

    private final Cli cli = new Cli();

    @Test
    void saysWhatThereIsOrWhyNothing() {
        Gpu.Found found = Gpu.find();

        assertThat(cli.run("gpu")).isZero();

        assertThat(cli.out().lines()).singleElement().asString().contains(found.reason());
        assertThat(cli.err()).isEmpty();
    }

    @Test
    void theDocumentSaysItToo() {
        Gpu.Found found = Gpu.find();

        assertThat(cli.run("gpu", "--json")).isZero();

        Map<?, ?> document = Json.read(cli.out(), Map.class);
        assertThat(document.get("usable")).isEqualTo(found.gpu().isPresent());
        assertThat(document.get("reason")).isEqualTo(found.reason());
        assertThat(document.get("name")).isEqualTo(found.gpu().map(Gpu::name).orElse(null));
        assertThat(document.containsKey("parts")).isFalse();
    }

    @Test
    void withoutAGpuTheCpuIsNamed() {
        assertThat(GpuCommand.summary(new Gpu.Found(Optional.empty(), "the NVIDIA driver sees no device", "Buy one.")))
                .isEqualTo(
                        "No GPU can be used, so the CPU does everything: the NVIDIA driver sees no device. Buy one.");
    }

    @Test
    void nothingCanBeCheckedWithoutAGpu() {
        Assumptions.assumeTrue(Gpu.find().gpu().isEmpty(), "SKIPPED: there is a GPU");

        assertThat(cli.run("gpu", "--check", "--json")).isEqualTo(2);

        assertThat(cli.out()).isEmpty();
        assertThat(cli.err())
                .contains(
                        "there is no GPU to check: " + Gpu.find().reason(),
                        Words.options(Gpu.find().remedy()));
    }

    @Test
    void smallIsForTheCheck() {
        assertThat(cli.run("gpu", "--small")).isEqualTo(2);
        assertThat(cli.err()).contains("--small without --check");
    }

    @Test
    void onePartThatFailsIsAFailure() {
        assertThat(GpuCommand.code(List.of(PASSED, FAILED))).isEqualTo(1);
        assertThat(GpuCommand.verdict(List.of(PASSED, FAILED))).startsWith("1 of 2 parts FAILED");
        assertThat(GpuCommand.code(List.of(PASSED))).isZero();
        assertThat(GpuCommand.verdict(List.of(PASSED))).isEqualTo("All 1 parts passed.");
    }

    @Test
    void theDocumentHoldsTheParts() {
        Gpu.Found none = new Gpu.Found(Optional.empty(), "none", "");

        String document = Json.line(GpuCommand.Document.of(none, List.of(PASSED, FAILED)));

        assertThat(document)
                .contains(
                        "{\"name\":\"replay\",\"passed\":true,\"seconds\":0.25}",
                        "{\"name\":\"chance\",\"passed\":false,\"problem\":\"not normal\",\"seconds\":1.5}");
    }
}
