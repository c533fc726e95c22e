import dev.revealed.imitate.Agent;
import dev.revealed.imitate.Demonstrations;
import dev.revealed.imitate.Imitation;
import dev.revealed.imitate.Preset;
import dev.revealed.imitate.RewardModel;
import dev.revealed.mdp.Dynamics;
import dev.revealed.mdp.Episode;
import dev.revealed.mdp.Episodes;
import dev.revealed.mdp.Simulator;
import dev.revealed.neural.CpuTraining;
import dev.revealed.neural.Rollouts;
import dev.revealed.neural.Sac;
import dev.revealed.neural.Training;
import dev.revealed.numeric.RandomStream;
import java.util.List;

/**
 * The loop of Algorithm 1 on a simulator of one's own, on internal types, explained in docs/guide/own-simulator.md. A run with
 * evaluations, checkpoints and resume takes fewer lines: see consumer/src/main/java/ImitateCart.java.
 */
public class OwnSimulator {

    /** The simulator: a cart on a rail that the action pushes. The future depends on its place and its speed. */
    static final Dynamics CART = new Dynamics() {
        @Override
        public double[] start(RandomStream chance) {
            return new double[] {chance.nextDouble(-1, 1), 0};
        }

        @Override
        public void step(double[] state, float[] action) {
            state[1] += 0.3 * action[0] - 0.1 * state[1];
            state[0] = Math.clamp(state[0] + 0.3 * state[1], -2, 2); // the rail has an end
        }
    };

    static Simulator cart() {
        return CART.simulator("cart", new Simulator.Actions.Box(1, 1), 50);
    }

    /** The expert, whose aims we pretend not to know: it drives to 0.5 and stops there. */
    static Episode drive(Simulator cart, RandomStream chance) {
        int steps = cart.space().horizon();
        float[] seen = new float[2 * (steps + 1)];
        float[] pushes = new float[steps];
        cart.reset(chance);
        cart.observe(seen, 0);
        for (int t = 0; t < steps; t++) {
            pushes[t] = Math.clamp(2 * (0.5f - seen[2 * t]) - 2 * seen[2 * t + 1], -1, 1);
            cart.step(pushes, t);
            cart.observe(seen, 2 * (t + 1));
        }
        return new Episode(steps, seen, pushes, null, Episode.Ending.TRUNCATED);
    }

    static Demonstrations drives(Simulator cart, RandomStream stream) {
        return Demonstrations.of(
                "three drives",
                new Episodes(List.of(drive(cart, stream.at(1)), drive(cart, stream.at(2)), drive(cart, stream.at(3)))));
    }

    /** Learns from three drives; gives the places where ten drives of the learner end. */
    public static double[] run(int iterations) {
        RandomStream stream = RandomStream.of(1);
        try (Simulator cart = cart()) {
            Demonstrations demonstrations = drives(cart, stream);
            // Algorithm 1, from here
            Sac.Settings learner = Preset.REVEALED.sac(cart.space().observations()).withHidden(32, 32);
            Imitation.Settings settings = Preset.REVEALED.imitation(RewardModel.Of.STATE, cart.space());
            try (Training training = new CpuTraining(
                    List.of(cart()),
                    new Sac(cart.space(), learner, stream, 1),
                    new Training.Schedule(500, 1, 100_000),
                    stream)) {
                Agent agent = new Agent(training, learner.discount(), learner.temperature(), List.of(), stream);
                Imitation imitation = new Imitation(settings, demonstrations, cart.space(), agent);
                imitation.advance(
                        iterations,
                        steps -> {},
                        score -> System.out.printf("gap %.3f, distance %.2f%n", score.gap(), score.distance()));
                // to here: imitation.policy() acts, imitation.reward() says why
                return Rollouts.of(imitation.policy(), List.of(cart), 0, 10, true, stream.named("test")).all().stream()
                        .mapToDouble(episode -> episode.observations()[2 * episode.length()])
                        .toArray();
            }
        }
    }

    public static void main(String[] args) {
        for (double place : run(30)) {
            System.out.printf("a drive of the learner ended at %.2f%n", place);
        }
    }
}
