package dev.revealed.bridge;

import dev.revealed.mdp.Simulator;
import dev.revealed.mdp.SimulatorContract;

/** An environment without a state of its own: it is restored by playing the episode again. */
class PlayedAgainContractTest extends SimulatorContract {
    @Override
    protected Simulator simulator() {
        return NeedsPython.simulator("Pendulum", "", 40);
    }
}
