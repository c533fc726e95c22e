package dev.revealed.app;

import dev.revealed.mdp.Simulator;
import dev.revealed.mdp.SimulatorContract;

class PointContractTest extends SimulatorContract {
    @Override
    protected Simulator simulator() {
        return new Point();
    }
}
