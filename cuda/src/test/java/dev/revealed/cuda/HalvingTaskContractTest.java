package dev.revealed.cuda;

import dev.revealed.mdp.Simulator;
import dev.revealed.mdp.SimulatorContract;

class HalvingTaskContractTest extends SimulatorContract {
    @Override
    protected Simulator simulator() {
        return new HalvingTask();
    }
}
