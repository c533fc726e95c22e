package dev.revealed.mujoco;

/** The physics broke down: a number that is none, an unstable state that MuJoCo would silently reset, or a fatal error. */
public final class SimulationFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    SimulationFailure(String task, long step, String problem) {
        super("%s, step %d: %s".formatted(task, step, problem));
    }
}
