package dev.revealed.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

class KernelsTest {
    private static void needNvrtc() {
        Assumptions.assumeTrue(
                Nvrtc.find(Integer.MAX_VALUE).isPresent(),
                "SKIPPED: no libnvrtc on the library path or in a CUDA toolkit");
    }

    @Test
    void compileForEveryGenerationOfDevices() {
        needNvrtc();

        Optional<String> by = Kernels.compile(List.of(75, 80, 90));

        assertThat(by).get().asString().matches("NVRTC \\d+\\.\\d+");
    }

    @Test
    void aDeviceThatTheCompilerDoesNotKnowIsToldByItsNumber() {
        needNvrtc();

        assertThatThrownBy(() -> Kernels.compile(List.of(33)))
                .isInstanceOf(CudaFailure.class)
                .hasMessageContaining("sac.cu");
    }
}
