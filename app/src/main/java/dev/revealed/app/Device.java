package dev.revealed.app;

import java.util.Locale;

/** Where networks learn. */
public enum Device {
    CPU,
    CUDA;

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
