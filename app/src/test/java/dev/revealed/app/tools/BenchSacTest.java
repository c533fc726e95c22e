package dev.revealed.app.tools;

import static org.assertj.core.api.Assertions.assertThat;

import dev.revealed.app.Cli;
import dev.revealed.bench.GpuSacBench;
import dev.revealed.cuda.Gpu;
import dev.revealed.runs.Json;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/** How figures of a GPU are shown, where there is none to measure. */
class BenchSacTest {
    private static final GpuSacBench.Result RESULT = new GpuSacBench.Result(
            "NVIDIA H200",
            "2.11.0",
            List.of(
                    new GpuSacBench.Row("cuda", "hopper", 100, 16, "revealed", 63_100, 30.4),
                    new GpuSacBench.Row("cpu", "hopper", 256, 1, "revealed, 1 thread", 126.4, Double.NaN)),
            List.of(new GpuSacBench.Kernel("gather", 16, 5.6)),
            List.of("PyTorch was stopped after 300 seconds."));

    private final Cli cli = new Cli();

    @Test
    void theTableHasOursPyTorchAndWhatIsMissing() {
        assertThat(SacBenchCommand.outcome(RESULT).text())
                .contains("NVIDIA H200, PyTorch 2.11.0")
                .containsPattern("cuda +hopper +100 +16 +revealed +63100 +30.40\n")
                .containsPattern("cpu +hopper +256 +1 +revealed, 1 thread +126 +–\n")
                .endsWith("PyTorch was stopped after 300 seconds.");
    }

    @Test
    void theDocumentHasARowForEachFigure() {
        assertThat(Json.line(SacBenchCommand.outcome(RESULT).document()))
                .isEqualTo("{\"gpu\":\"NVIDIA H200\",\"torch\":\"2.11.0\",\"rows\":["
                        + "{\"device\":\"cuda\",\"task\":\"hopper\",\"batch\":100,\"runs\":16,\"name\":\"revealed\","
                        + "\"updatesPerSecond\":63100.0,\"timesBestTorch\":30.4},"
                        + "{\"device\":\"cpu\",\"task\":\"hopper\",\"batch\":256,\"runs\":1,"
                        + "\"name\":\"revealed, 1 thread\",\"updatesPerSecond\":126.4,\"timesBestTorch\":null}],"
                        + "\"kernels\":[{\"name\":\"gather\",\"runs\":16,\"microseconds\":5.6}],"
                        + "\"notes\":[\"PyTorch was stopped after 300 seconds.\"]}");
    }

    @Test
    void withoutAGpuTheReasonAndTheCpuAreNamed() {
        Assumptions.assumeTrue(Gpu.find().gpu().isEmpty(), "SKIPPED: there is a GPU");

        assertThat(cli.run("bench", "sac", "--device", "cuda")).isEqualTo(2);

        assertThat(cli.err()).contains(Gpu.find().reason(), "--device cpu");
        assertThat(cli.out()).isEmpty();
    }

    @Test
    void rivalsHaveTheirOwnDevice() {
        assertThat(cli.run("bench", "sac", "--device", "cuda", "--libtorch")).isEqualTo(2);
        assertThat(cli.err()).contains("--libtorch runs on the CPU");

        assertThat(cli.run("bench", "sac", "--torch", "torch_sac.py")).isEqualTo(2);
        assertThat(cli.err()).contains("--torch measures a GPU");
    }

    @Test
    void aScriptThatIsNotThereIsTold() {
        assertThat(cli.run("bench", "sac", "--device", "cuda", "--torch", "absent.py"))
                .isEqualTo(2);
        assertThat(cli.err()).contains("there is no file absent.py");
    }

    @Test
    void anUnknownDeviceIsTold() {
        assertThat(cli.run("bench", "sac", "--device", "tpu")).isEqualTo(2);
        assertThat(cli.err()).contains("--device", "tpu");
    }
}
