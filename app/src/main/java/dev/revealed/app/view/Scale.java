package dev.revealed.app.view;

/** How an axis maps values to lengths. */
public enum Scale {
    LINEAR,
    LOG10;

    /** Whether the axis has a place for the value. */
    boolean shows(double value) {
        return Double.isFinite(value) && (this == LINEAR || value > 0);
    }

    double forward(double value) {
        return this == LINEAR ? value : Math.log10(value);
    }
}
