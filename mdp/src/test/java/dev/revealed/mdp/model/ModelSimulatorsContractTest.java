package dev.revealed.mdp.model;

import dev.revealed.mdp.Dynamics;
import dev.revealed.mdp.Simulator;
import dev.revealed.mdp.SimulatorContract;
import dev.revealed.numeric.RandomStream;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** The simulators of this module. */
@ParameterizedClass
@MethodSource("simulators")
class ModelSimulatorsContractTest extends SimulatorContract {
    private final Supplier<Simulator> made;

    ModelSimulatorsContractTest(Supplier<Simulator> made) {
        this.made = made;
    }

    static Stream<Named<Supplier<Simulator>>> simulators() {
        Maintenance maintenance = new Maintenance(3, 25);
        return Stream.of(
                Named.of("maintenance", () -> maintenance.simulator(new double[maintenance.parameters()])),
                Named.of("mountain drive", () -> MountainDrive.simulator(40)),
                Named.of("cart", () -> cart().simulator("cart", new Simulator.Actions.Box(1, 1), 30)));
    }

    /** A cart that the action pushes; beyond 0.4 the episode ends. */
    private static Dynamics cart() {
        return new Dynamics() {
            @Override
            public double[] start(RandomStream random) {
                return new double[] {random.nextDouble(-0.1, 0.1), 0};
            }

            @Override
            public void step(double[] state, float[] action) {
                state[1] += 0.1 * action[0];
                state[0] += state[1];
            }

            @Override
            public boolean ended(double[] state) {
                return Math.abs(state[0]) > 0.4;
            }
        };
    }

    @Override
    protected Simulator simulator() {
        return made.get();
    }
}
