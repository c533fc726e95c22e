package dev.revealed.train;

import dev.revealed.mdp.Simulator;
import dev.revealed.mdp.SimulatorContract;

class PointContractTest extends SimulatorContract {
    @Override
    protected Simulator simulator() {
        return new Point();
    }
}
