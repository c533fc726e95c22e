import dev.revealed.api.ImitationResult;
import dev.revealed.api.ImitationRun;
import dev.revealed.api.Policy;
import dev.revealed.mdp.Dynamics;
import dev.revealed.mdp.Episode;
import dev.revealed.mdp.Simulator;
import dev.revealed.numeric.RandomStream;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** A reward and a policy from three demonstrations on a simulator of one's own: a cart on a rail that the action pushes. */
public class ImitateCart {
    public static void main(String[] args) {
        Dynamics cart = new Dynamics() { // place and speed
            @Override
            public double[] start(RandomStream random) {
                return new double[] {random.nextDouble(-1, 1), 0};
            }

            @Override
            public void step(double[] state, float[] action) {
                state[1] += 0.3 * action[0] - 0.1 * state[1];
                state[0] = Math.clamp(state[0] + 0.3 * state[1], -2, 2);
            }

            @Override
            public double reward(double[] state, float[] action) { // measured by evaluations, never learnt from
                return -Math.abs(state[0] - 0.5);
            }
        };
        Supplier<Simulator> simulators = () -> cart.simulator("cart", new Simulator.Actions.Box(1, 1), 50);
        Policy expert = seen -> new float[] {Math.clamp(1 - 2 * seen[0] - 2 * seen[1], -1, 1)}; // drives to 0.5
        List<Episode> drives = Stream.of(1, 2, 3).map(seed -> expert.play(simulators.get(), seed)).toList();
        ImitationResult result = ImitationRun.on(simulators)
                .demonstrations(drives)
                .set("reward", "state")
                .set("hidden", "32,32")
                .set("random-steps", 500)
                .set("block", 500)
                .set("recent", 1000)
                .set("iterations", 30)
                .set("evaluate-every", 10)
                .set("checkpoint-every", 10)
                .runIn(Path.of(args[0])); // the same command again resumes an interrupted run
        System.out.println(result);
    }
}
