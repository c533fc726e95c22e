package dev.revealed.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Optional;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/** The compiler needs no GPU, so this runs wherever a toolkit is installed. */
class NvrtcTest {

    private static Nvrtc nvrtc() {
        Optional<Nvrtc> found = Nvrtc.find(Integer.MAX_VALUE);
        Assumptions.assumeTrue(found.isPresent(), "SKIPPED: no libnvrtc on the library path or in a CUDA toolkit");
        return found.orElseThrow();
    }

    @Test
    void compilesOurKernels() {
        byte[] image = nvrtc().compile("sac.cu", Gpu.source("sac.cu"), 90);

        assertThat(image).startsWith(0x7f, 'E', 'L', 'F');
    }

    @Test
    void passesOnWhatTheCompilerSays() {
        Nvrtc nvrtc = nvrtc();

        assertThatThrownBy(() -> nvrtc.compile("wrong.cu", "__global__ void f() { g(); }", 90))
                .isInstanceOf(CudaFailure.class)
                .hasMessageContaining("wrong.cu")
                .hasMessageContaining("\"g\" is undefined");
    }
}
