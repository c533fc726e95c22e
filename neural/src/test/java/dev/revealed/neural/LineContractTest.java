package dev.revealed.neural;

import dev.revealed.mdp.Simulator;
import dev.revealed.mdp.SimulatorContract;

class LineContractTest extends SimulatorContract {
    @Override
    protected Simulator simulator() {
        return new Line(9);
    }
}
