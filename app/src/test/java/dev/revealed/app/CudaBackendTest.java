package dev.revealed.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.revealed.mdp.Simulator;
import dev.revealed.neural.Sac;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.ProgressListener;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What is settled before a GPU is touched, and after. */
class CudaBackendTest {
    private static final Simulator.Space HOPPER =
            new Simulator.Space("hopper", 11, new Simulator.Actions.Box(3, 1), 1000);
    private static final double GIB = 1 << 30;

    private static CudaBackend.Kind kind(Sac.Settings settings, int remembered) {
        return new CudaBackend.Kind(HOPPER, settings, remembered);
    }

    /** Rows of 11 + 3 + 2 + 11 floats, padded to 28: 16 million of them come to 1.67 GiB, networks to a little more. */
    @Test
    void memoryIsToldAndTooMuchRefused() {
        Map<CudaBackend.Kind, Integer> wanted = new LinkedHashMap<>();
        wanted.put(kind(Sac.Settings.PAPER, 1_000_000), 16);
        wanted.put(kind(Sac.Settings.PAPER, 1000), 2);
        String told = CudaBackend.memory(wanted, (long) (2 * GIB), "Some GPU");
        assertThat(told)
                .startsWith("Some GPU: runs at once 16 of hopper, 2 of hopper; they take 1.")
                .endsWith(" GiB of its memory, of which 2.0 GiB are free.");
        long bytes = wanted.entrySet().stream()
                .mapToLong(each -> each.getKey().bytes(each.getValue()))
                .sum();
        assertThat(bytes / GIB).isBetween(1.67, 1.85);
        assertThat(CudaBackend.memory(wanted, (long) (bytes / 0.94), "Some GPU"))
                .isNotEmpty();
        assertThatExceptionOfType(BadInput.class)
                .isThrownBy(() -> CudaBackend.memory(wanted, (long) (bytes / 0.96), "Some GPU"))
                .withMessageContaining("16 of hopper")
                .satisfies(e -> assertThat(e.remedy()).contains("--at-once", "--replay"));
    }

    private static ExpertRun.Plan plan(Sac.Settings settings, int replay, long seed) {
        return new ExpertRun.Plan(
                new Physics("point", "none", "none", "none"),
                FleetTest.Point::new,
                1,
                settings,
                FleetTest.schedule(100, 1, replay),
                600,
                200,
                2,
                200,
                seed);
    }

    @Test
    void runsOfOneSettingShareAGrid() {
        Sac.Settings small = Sac.Settings.PAPER.withHidden(8, 8);
        Simulator.Space space = new FleetTest.Point().space();
        List<ExpertRun.Plan> plans = List.of(
                plan(small, 1000, 1),
                plan(Sac.Settings.PAPER.withHidden(8, 8), 1000, 2),
                plan(small.withLearningRate(3e-4), 1000, 1),
                plan(small.withHidden(8, 16), 1000, 1),
                plan(small, 300, 1),
                plan(small, 5000, 3));
        Map<CudaBackend.Kind, Integer> expected = new LinkedHashMap<>();
        expected.put(new CudaBackend.Kind(space, small, 600), 3); // of 600 steps no more are remembered
        expected.put(new CudaBackend.Kind(space, small.withLearningRate(3e-4), 600), 1);
        expected.put(new CudaBackend.Kind(space, small.withHidden(8, 16), 600), 1);
        expected.put(new CudaBackend.Kind(space, small, 300), 1);
        assertThat(CudaBackend.kinds(plans, 6)).isEqualTo(expected);
        expected.put(new CudaBackend.Kind(space, small, 600), 2);
        assertThat(CudaBackend.kinds(plans, 2)).isEqualTo(expected);
    }

    @Test
    void allAreClosedThoughTheDeviceGaveUp() {
        List<String> told = new ArrayList<>();
        int[] closed = {0};
        AutoCloseable broken = () -> {
            closed[0]++;
            throw FleetTest.cudaFailure();
        };
        CudaBackend.closeAll(List.of(broken, broken, () -> closed[0]++), told::add);
        assertThat(closed[0]).isEqualTo(3);
        assertThat(told).hasSize(2).allMatch(words -> words.contains("cuLaunchGraph"));
    }

    @Test
    void aGpuThatGivesUpIsNoDefectOfOurs() {
        Verb verb = new Verb() {
            @Override
            Outcome outcome(ProgressListener listener) {
                throw FleetTest.cudaFailure();
            }

            @Override
            @Nullable
            String defaultFolder() {
                return null;
            }
        };
        assertThatExceptionOfType(BadInput.class)
                .isThrownBy(verb::call)
                .withMessageContaining("cuLaunchGraph")
                .satisfies(e -> assertThat(e.remedy()).contains("--resume", "--device cpu"));
    }
}
