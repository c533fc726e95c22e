import dev.revealed.imitate.Agent;
import dev.revealed.imitate.Demonstrations;
import dev.revealed.imitate.Imitation;
import dev.revealed.imitate.MlIrl;
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
import dev.revealed.runs.Provenance;
import dev.revealed.runs.RunFolder;
import dev.revealed.runs.RunSpec;
import dev.revealed.settings.Settings;
import dev.revealed.train.Backend;
import dev.revealed.train.Environment;
import dev.revealed.train.RunListener;
import dev.revealed.train.Timetable;
import dev.revealed.train.TrainingPlan;
import dev.revealed.train.TrainingResult;
import dev.revealed.train.TrainingRun;
import java.nio.file.Path;
import java.util.List;

/** Algorithm 1 on a simulator of one's own, explained in docs/guide/own-simulator.md. */
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
                Agent agent = new Agent(training, learner.discount(), List.of(), stream);
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

    /** The same as a run in a folder: evaluations, checkpoints, and resume where it was interrupted. */
    public static TrainingResult train(Path folder) {
        Demonstrations demonstrations;
        try (Simulator cart = cart()) {
            demonstrations = drives(cart, RandomStream.of(1));
        }
        // a run, from here
        Environment environment = Environment.of("cart", OwnSimulator::cart);
        Sac.Settings learner = Preset.REVEALED.sac(2).withHidden(32, 32);
        Imitation.Settings settings = Preset.REVEALED.imitation(RewardModel.Of.STATE, environment.space());
        TrainingPlan plan = new TrainingPlan(
                environment,
                1,
                learner,
                new Training.Schedule(500, 1, 100_000),
                new MlIrl().problem(settings, "revealed", demonstrations),
                new Timetable(6_000, 3_000, 2, 5, 3_000),
                1);
        RunSpec spec = RunSpec.of(Provenance.of(plan.seed(), List.of("OwnSimulator")), Settings.values(settings, learner));
        RunListener listener = (stage, done, total) -> {};
        return RunSpec.isIn(folder)
                ? TrainingRun.resume(
                        plan, RunFolder.resume(folder), Backend.processor(), 1, System.err::println, listener)
                : TrainingRun.begin(plan, spec, RunFolder.create(folder), Backend.processor(), 1, listener);
        // to here: policy.safetensors and reward.safetensors are in the folder
    }

    public static void main(String[] args) {
        for (double place : run(30)) {
            System.out.printf("a drive of the learner ended at %.2f%n", place);
        }
    }
}
