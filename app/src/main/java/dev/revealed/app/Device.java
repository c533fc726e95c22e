package dev.revealed.app;

import dev.revealed.cuda.Gpu;
import dev.revealed.train.CudaBackend;
import java.util.Locale;

/** Where networks learn. */
public enum Device {
    CPU,
    CUDA;

    /** The GPU that runs learn on, where it was asked for. */
    public static Gpu gpu(boolean resuming) {
        return CudaBackend.gpu(
                resuming ? "Go on with --resume --device cpu." : "Leave --device out: the CPU is the default.");
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
