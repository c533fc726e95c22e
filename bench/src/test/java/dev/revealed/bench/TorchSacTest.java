package dev.revealed.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.revealed.bench.GpuSacBench.Row;
import dev.revealed.bench.TorchSac.Rate;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** The fixture is what the script prints, with the figures of PyTorch 2.11 on an H200. */
class TorchSacTest {
    private static List<String> printed() throws IOException {
        try (InputStream in = Objects.requireNonNull(TorchSacTest.class.getResourceAsStream("torch_sac.txt"))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
        }
    }

    private static TorchSac shell(String script, Duration limit) {
        return TorchSac.run(List.of("sh", "-c", script), limit);
    }

    @Test
    void readsWhatTheScriptPrints() throws IOException {
        TorchSac torch = TorchSac.read(printed());

        assertThat(torch.version()).isEqualTo("2.11.0+cu130");
        assertThat(torch.rates())
                .hasSize(12)
                .startsWith(
                        new Rate("hopper", 100, "eager", 99.1),
                        new Rate("hopper", 100, "graph", 1066),
                        new Rate("hopper", 100, "compile+graph", 2077))
                .endsWith(new Rate("humanoid", 256, "compile+graph", 1794));
        assertThat(torch.notes()).isEmpty();
    }

    @Test
    void aWayThatFailedIsNotedAndTheOthersCount() {
        TorchSac torch = TorchSac.read(List.of(
                "hopper    b=100  gpu eager:    99.1  graph failed: no:  way  gpu compile+graph:  2077.0",
                "hopper    b=256  gpu eager:   108.0  graph failed: a  compile+graph failed: needs a C compiler"));

        assertThat(torch.rates())
                .containsExactly(
                        new Rate("hopper", 100, "eager", 99.1),
                        new Rate("hopper", 100, "compile+graph", 2077),
                        new Rate("hopper", 256, "eager", 108));
        assertThat(torch.notes())
                .containsExactly(
                        "PyTorch's graph failed at hopper batch 100: no:  way",
                        "PyTorch's graph failed at hopper batch 256: a",
                        "PyTorch's compile+graph failed at hopper batch 256: needs a C compiler");
    }

    @Test
    void oursIsComparedWithTheFastestOfTheSameSize() throws IOException {
        Row one = new Row("cuda", "hopper", 100, 1, "revealed", 20_770, Double.NaN);
        Row other = new Row("cpu", "humanoid", 256, 1, "revealed, 1 thread", 89.7, Double.NaN);

        GpuSacBench.Result result =
                GpuSacBench.beside("H200", List.of(one, other), List.of(), TorchSac.read(printed()));

        assertThat(result.rows()).hasSize(14);
        assertThat(result.rows().getFirst().timesBestTorch()).isCloseTo(10, within(1e-12));
        assertThat(result.rows())
                .filteredOn(row -> row.device().equals("cpu"))
                .singleElement()
                .satisfies(row -> assertThat(row.timesBestTorch()).isCloseTo(0.05, within(1e-12)));
        assertThat(result.rows())
                .filteredOn(row -> row.name().equals("PyTorch compile+graph"))
                .hasSize(4)
                .allSatisfy(row -> assertThat(row.timesBestTorch()).isEqualTo(1));
    }

    @Test
    void withoutPyTorchThereIsNothingToCompareWith() {
        Row row = new Row("cuda", "hopper", 100, 1, "revealed", 20_000, Double.NaN);

        GpuSacBench.Result result = GpuSacBench.beside("H200", List.of(row), List.of(), TorchSac.missing("why"));

        assertThat(result.rows()).containsExactly(row);
        assertThat(result.notes()).containsExactly("why");
    }

    @Test
    void theChildIsRead() {
        TorchSac torch = shell("echo 2.11.0; echo 'hopper    b=100  gpu eager:   99.1'", Duration.ofMinutes(1));

        assertThat(torch).isEqualTo(new TorchSac("2.11.0", List.of(new Rate("hopper", 100, "eager", 99.1)), List.of()));
    }

    @Test
    void aChildThatFailsSaysWhy() {
        TorchSac torch = shell(
                "echo Traceback >&2; echo \"ModuleNotFoundError: No module named 'torch'\" >&2; exit 1",
                Duration.ofMinutes(1));

        assertThat(torch.rates()).isEmpty();
        assertThat(torch.notes()).singleElement().asString().contains("code 1", "No module named 'torch'");
    }

    @Test
    void aPyTorchWithoutAGpuIsNoted() {
        TorchSac torch = shell("echo 2.11.0+cpu; echo 'hopper    b=100'", Duration.ofMinutes(1));

        assertThat(torch.notes()).singleElement().asString().contains("sees no GPU");
    }

    @Test
    void noPythonIsNoted() {
        TorchSac torch = TorchSac.run(List.of("there-is-no-such-program"), Duration.ofMinutes(1));

        assertThat(torch.notes()).singleElement().asString().contains("there-is-no-such-program cannot be started");
    }

    /** The shell's own child would hold a pipe open for much longer than any test may last. */
    @Test
    void aChildThatDoesNotEndIsKilled() {
        TorchSac torch = shell("sleep 1000 & sleep 1001", Duration.ofMillis(1));

        assertThat(torch.notes()).singleElement().asString().contains("stopped");
    }
}
