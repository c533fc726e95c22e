package dev.revealed.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class GpuTest {

    @Test
    void saysInOneLineWhatItFoundOrWhyThereIsNone() {
        Gpu.Found found = Gpu.find();

        assertThat(found.reason()).isNotBlank().doesNotContain("\n");
        assertThat(found.remedy().isEmpty()).isEqualTo(found.gpu().isPresent());
        if (found.gpu().isEmpty()) {
            assertThat(found.reason())
                    .containsAnyOf("libcuda", "driver", "device", "compute capability", "libnvrtc", "native-access");
        } else {
            assertThat(found.reason()).contains(found.gpu().get().name());
        }
    }

    @Test
    void looksOnlyOnce() {
        assertThat(Gpu.find()).isSameAs(Gpu.find());
    }
}
