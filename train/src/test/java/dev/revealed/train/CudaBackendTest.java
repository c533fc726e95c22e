package dev.revealed.train;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.revealed.cuda.CudaFailure;
import dev.revealed.mdp.Simulator;
import dev.revealed.neural.Sac;
import dev.revealed.neural.objective.Objective;
import dev.revealed.numeric.BadInput;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What is settled before a GPU is touched, and after. */
class CudaBackendTest {
    private static final Simulator.Space HOPPER =
            new Simulator.Space("hopper", 11, new Simulator.Actions.Box(3, 1), 1000);
    private static final double GIB = 1 << 30;

    private static CudaBackend.Kind kind(Sac.Settings settings, int remembered) {
        return new CudaBackend.Kind(HOPPER, settings, Objective.STORED, remembered, 0);
    }

    /** Rows of 11 + 3 + 2 + 11 floats, padded to 28: 16 million of them come to 1.67 GiB, networks to a little more. */
    @Test
    void memoryIsReportedAndTooMuchRefused() {
        Map<CudaBackend.Kind, CudaBackend.Share> wanted = new LinkedHashMap<>();
        wanted.put(kind(Sac.Settings.PAPER, 1_000_000), new CudaBackend.Share(16, "01-hopper-seed-1"));
        wanted.put(kind(Sac.Settings.PAPER, 1000), new CudaBackend.Share(2, "17-hopper-seed-1"));
        String line = CudaBackend.memory(wanted, (long) (2 * GIB), "Some GPU");
        assertThat(line)
                .startsWith("Some GPU: runs at once 16 of hopper, 2 of hopper; they take 1.")
                .endsWith(" GiB of its memory, of which 2.0 GiB are free.");
        long bytes = wanted.entrySet().stream()
                .mapToLong(each -> each.getKey().bytes(each.getValue().runs()))
                .sum();
        assertThat(bytes / GIB).isBetween(1.67, 1.85);
        assertThat(CudaBackend.memory(wanted, (long) (bytes / 0.94), "Some GPU"))
                .isNotEmpty();
        assertThatExceptionOfType(BadInput.class)
                .isThrownBy(() -> CudaBackend.memory(wanted, (long) (bytes / 0.96), "Some GPU"))
                .withMessageContaining("16 as 01-hopper-seed-1: 1.")
                .withMessageContaining("2 as 17-hopper-seed-1: ")
                .satisfies(e -> assertThat(e.remedy()).contains("`at-once`", "`replay`"));
    }

    /** So that the GPU learns for the runs of one grid while those of another wait for the processor. */
    @Test
    void manyRunsAreSplitEvenlyIntoGridsOfAtMostEight() {
        assertThat(CudaBackend.split(1)).containsExactly(1);
        assertThat(CudaBackend.split(8)).containsExactly(8);
        assertThat(CudaBackend.split(15)).containsExactly(8, 7);
        assertThat(CudaBackend.split(17)).containsExactly(6, 6, 5);
    }

    @Test
    void oneRunAloneCannotBeFewer() {
        Map<CudaBackend.Kind, CudaBackend.Share> one =
                Map.of(kind(Sac.Settings.PAPER, 1_000_000), new CudaBackend.Share(1, ""));
        assertThatExceptionOfType(BadInput.class)
                .isThrownBy(() -> CudaBackend.memory(one, 1000, "Some GPU"))
                .satisfies(e -> assertThat(e.remedy()).contains("`replay`").doesNotContain("at-once"));
    }

    @Test
    void aRunThatAGpuCannotMakeIsNamed() {
        Map<String, TrainingPlan> plans = new LinkedHashMap<>();
        plans.put("01-point-seed-1", RunBatchTest.plan(Sac.Settings.PAPER.withHidden(8, 8), 1000, 1));
        plans.put("02-point-seed-1", RunBatchTest.plan(Sac.Settings.PAPER.withHidden(8), 1000, 1));
        assertThatExceptionOfType(BadInput.class)
                .isThrownBy(() -> CudaBackend.kinds(plans, 2))
                .withMessageContaining("02-point-seed-1: ")
                .withMessageContaining("1 hidden layer,");
    }

    @Test
    void runsOfOneShapeShareAGrid() {
        Sac.Settings small = Sac.Settings.PAPER.withHidden(8, 8);
        Simulator.Space space = new Point().space();
        Map<String, TrainingPlan> plans = new LinkedHashMap<>();
        plans.put("a", RunBatchTest.plan(small, 1000, 1));
        plans.put("b", RunBatchTest.plan(Sac.Settings.PAPER.withHidden(8, 8), 1000, 2));
        plans.put("c", RunBatchTest.plan(small.withLearningRate(3e-4), 1000, 1));
        plans.put("d", RunBatchTest.plan(small.withHidden(8, 16), 1000, 1));
        plans.put("e", RunBatchTest.plan(small, 300, 1));
        plans.put("f", RunBatchTest.plan(small, 5000, 3));
        Map<CudaBackend.Kind, CudaBackend.Share> expected = new LinkedHashMap<>();
        CudaBackend.Kind most =
                new CudaBackend.Kind(space, small, Objective.STORED, 600, 0); // of 600 steps no more are remembered
        expected.put(most, new CudaBackend.Share(4, "a"));
        expected.put(
                new CudaBackend.Kind(space, small.withHidden(8, 16), Objective.STORED, 600, 0),
                new CudaBackend.Share(1, "d"));
        expected.put(new CudaBackend.Kind(space, small, Objective.STORED, 300, 0), new CudaBackend.Share(1, "e"));
        assertThat(CudaBackend.kinds(plans, 6)).isEqualTo(expected);
        expected.put(most, new CudaBackend.Share(2, "a"));
        assertThat(CudaBackend.kinds(plans, 2)).isEqualTo(expected);
    }

    @Test
    void allAreClosedThoughTheDeviceGaveUp() {
        List<String> warnings = new ArrayList<>();
        int[] closed = {0};
        AutoCloseable broken = () -> {
            closed[0]++;
            throw new CudaFailure("cuLaunchGraph", 700, "an illegal memory access");
        };
        CudaBackend.closeAll(List.of(broken, broken, () -> closed[0]++), warnings::add);
        assertThat(closed[0]).isEqualTo(3);
        assertThat(warnings).hasSize(2).allMatch(words -> words.contains("cuLaunchGraph"));
    }
}
