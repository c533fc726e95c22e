package dev.revealed.imitate;

import dev.revealed.mdp.Simulator;
import dev.revealed.mdp.SimulatorContract;

class DriftContractTest extends SimulatorContract {
    @Override
    protected Simulator simulator() {
        return new Drift(20);
    }
}
