package dev.revealed.app;

import dev.revealed.mujoco.Task;
import dev.revealed.numeric.BadInput;
import org.junit.jupiter.api.Assumptions;

/** Skips a test, loudly, where MuJoCo is not installed; in CI it must be, so there the test runs and fails. */
public final class MujocoHere {
    private MujocoHere() {}

    public static void assume() {
        try {
            Task.HOPPER.simulator().close();
        } catch (BadInput e) {
            if (!"true".equals(System.getenv("CI"))) {
                System.err.println("SKIPPED: " + e.getMessage());
                Assumptions.abort(String.valueOf(e.getMessage()));
            }
        }
    }
}
