package dev.revealed.mujoco;

import dev.revealed.mdp.Simulator;
import dev.revealed.mdp.SimulatorContract;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Every task. */
@NeedsMujoco
@ParameterizedClass
@EnumSource(Task.class)
class LocomotionContractTest extends SimulatorContract {
    private final Task task;

    LocomotionContractTest(Task task) {
        this.task = task;
    }

    @Override
    protected Simulator simulator() {
        return task.simulator();
    }
}
