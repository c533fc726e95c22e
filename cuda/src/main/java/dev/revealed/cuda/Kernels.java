package dev.revealed.cuda;

import java.util.List;
import java.util.Optional;

/** Our kernels apart from any device: whether they compile can be known without one. */
public final class Kernels {
    private static final List<String> SOURCES = List.of("sac.cu", "ensemble.cu");

    private Kernels() {}

    /**
     * Compiles them for devices of compute capabilities such as 90, and throws away what comes of it.
     *
     * @return what compiled them, in words; empty where this machine has no run-time compiler
     * @throws CudaFailure with what the compiler said where it did not take them
     */
    public static Optional<String> compile(List<Integer> capabilities) {
        Optional<Nvrtc> found = Nvrtc.find(Integer.MAX_VALUE);
        found.ifPresent(nvrtc -> {
            for (String source : SOURCES) {
                for (int capability : capabilities) {
                    nvrtc.compile(source, Gpu.source(source), capability);
                }
            }
        });
        return found.map(nvrtc -> "NVRTC " + nvrtc.version());
    }
}
