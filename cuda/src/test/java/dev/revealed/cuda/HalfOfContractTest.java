package dev.revealed.cuda;

import dev.revealed.mdp.Simulator;
import dev.revealed.mdp.SimulatorContract;

class HalfOfContractTest extends SimulatorContract {
    @Override
    protected Simulator simulator() {
        return new HalfOf();
    }
}
