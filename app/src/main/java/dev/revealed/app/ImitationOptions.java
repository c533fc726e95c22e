package dev.revealed.app;

import dev.revealed.imitate.AfterEnd;
import dev.revealed.imitate.Ascent;
import dev.revealed.imitate.Imitation;
import dev.revealed.imitate.RewardModel;
import dev.revealed.mdp.Simulator;
import dev.revealed.neural.Mlp.Activation;
import dev.revealed.numeric.BadInput;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * The options of how a reward is learnt. Each is one choice in which the reference code and the paper differ, or that decides
 * over the speed of learning; what is not typed is as the preset has it.
 */
final class ImitationOptions {
    /** How states and actions of the agent are paired. */
    enum Pairing {
        ALIGNED,
        SHIFTED;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Which trajectories of the expert a reward step sees. */
    enum Sample {
        ALL,
        ONE;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Whether something is done. */
    enum Switch {
        ON,
        OFF;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    @Option(
            names = "--after-end",
            paramLabel = "WHAT",
            description =
                    "What comes after an episode that ended for good, such as by a fall. absorb: the agent is thought"
                            + " to stay where it ended, for expert, agent and learner alike, so that a constant in the reward"
                            + " changes nothing. mask: nothing, which is worth nothing; where no demonstration ended for good, --ground chooses a"
                            + " constant in the reward such that to be alive is paid no less. Where some did, consider absorb."
                            + " simulate: rollouts go on in the simulator to the horizon, the learner earns nothing after the end,"
                            + " as in the reference code; needs --rollouts.")
    private @Nullable AfterEnd afterEnd;

    @Option(
            names = "--pairing",
            paramLabel = "WHAT",
            description =
                    "Of the agent's rows in a reward step: aligned, each action with the state it was taken in, or"
                            + " shifted, with the state after it, as in the reference code.")
    private @Nullable Pairing pairing;

    @Option(
            names = "--reward-discount",
            paramLabel = "X",
            description = "Weight of a step in the reward's gradient beside the one before; 1 in the reference code.")
    private @Nullable Double discount;

    @Option(
            names = "--loss-scale",
            paramLabel = "X",
            description = "Factor of the reward's gradient; with adam-l2 it matters beside the decay alone.")
    private @Nullable Double scale;

    @Option(
            names = "--first-activation",
            paramLabel = "WHAT",
            description = "After the reward's first layer: none, as in the reference code, relu or tanh.")
    private @Nullable Activation firstActivation;

    @Option(names = "--reward-clamp", paramLabel = "X", description = "Rewards lie within this of zero.")
    private @Nullable Float clamp;

    @Option(
            names = "--reward-hidden",
            split = ",",
            paramLabel = "N",
            description = "Widths of the reward's hidden layers.")
    private int @Nullable [] hidden;

    @Option(
            names = "--reward-inputs",
            paramLabel = "WHAT",
            description =
                    "plain; standardised by the expert's means and deviations; or scaled, by which what varies by more than"
                            + " one among expert and first agent has deviation 1, and the rest keeps its units; all are less their mean.")
    private RewardModel.@Nullable Inputs inputs;

    @Option(
            names = "--optimiser",
            paramLabel = "WHAT",
            description =
                    "Of the reward: adam-l2, as in the reference code, or sgd, whose steps fall with the root of their"
                            + " number, as in the theory.")
    private Ascent.@Nullable Kind optimiser;

    @Option(names = "--reward-learning-rate", paramLabel = "X", description = "Step size of the reward's optimiser.")
    private @Nullable Double learningRate;

    @Option(names = "--reward-decay", paramLabel = "X", description = "Pulls the reward's parameters towards zero.")
    private @Nullable Double decay;

    @Option(
            names = "--expert-sample",
            paramLabel = "WHAT",
            description = "What a reward step sees of the expert: all trajectories, or one, drawn anew.")
    private @Nullable Sample sample;

    @Option(names = "--block", paramLabel = "N", description = "Steps of the simulator in an iteration.")
    private @Nullable Integer block;

    @Option(
            names = "--rollouts",
            paramLabel = "N",
            description = "Trajectories of the policy drawn for a reward step, and counted; 0 takes the episodes that"
                    + " training itself made.")
    private @Nullable Integer rollouts;

    @Option(
            names = "--recent",
            paramLabel = "N",
            description = "Steps of training whose episodes serve where there are no rollouts.")
    private @Nullable Integer recent;

    @Option(
            names = "--ground",
            paramLabel = "on|off",
            description =
                    "With --after-end mask, and where no demonstration ended for good: after every reward step a constant"
                            + " is added such that nearly nobody is paid less than nothing, one row of a hundred aside. It goes a"
                            + " tenth of the way at a step (all of it at the first), and moves"
                            + " expert and agent alike. off leaves the constant as it comes.")
    private @Nullable Switch ground;

    @Option(
            names = "--average-policy",
            paramLabel = "N",
            description =
                    "Iterations that the policy is an average over, late ones counting most; 1 is the last one alone.")
    private @Nullable Double average;

    @Option(
            names = "--reward-roughness",
            paramLabel = "X",
            description =
                    "How much a rough reward is held to be less likely: the weight of its squared slopes, per unit of the inputs as"
                            + " --reward-inputs brings them, and times their number. It bounds a reward that would grow as long as"
                            + " expert and agent can be told apart; 0 leaves it out.")
    private @Nullable Double roughness;

    /** What was not typed is as in the preset, from now on. */
    Imitation.Settings settings(boolean stateOnly, Imitation.Settings preset) {
        boolean grounding = ground == Switch.ON;
        afterEnd = afterEnd == null ? preset.afterEnd() : afterEnd;
        pairing = pairing == null ? preset.sampling().shifted() ? Pairing.SHIFTED : Pairing.ALIGNED : pairing;
        discount = discount == null ? preset.discount() : discount;
        scale = scale == null ? preset.ascent().scale() : scale;
        firstActivation = firstActivation == null ? preset.reward().firstLayer() : firstActivation;
        clamp = clamp == null ? preset.reward().clamp() : clamp;
        hidden = hidden == null ? preset.reward().hidden() : hidden;
        inputs = inputs == null ? preset.reward().inputs() : inputs;
        optimiser = optimiser == null ? preset.ascent().kind() : optimiser;
        learningRate = learningRate == null ? preset.ascent().learningRate() : learningRate;
        decay = decay == null ? preset.ascent().decay() : decay;
        sample = sample == null ? preset.sampling().oneExpert() ? Sample.ONE : Sample.ALL : sample;
        block = block == null ? preset.sampling().block() : block;
        rollouts = rollouts == null ? preset.sampling().rollouts() : rollouts;
        recent = recent == null ? preset.sampling().recent() : recent;
        ground = ground == null ? preset.ground() ? Switch.ON : Switch.OFF : ground;
        average = average == null ? preset.average() : average;
        roughness = roughness == null ? preset.roughness() : roughness;
        for (int width : hidden) {
            BaseCommand.positive("--reward-hidden", width);
        }
        if (!(discount > 0 && discount <= 1)) {
            throw new BadInput("--reward-discount is " + discount, "Give a number above 0, at most 1.");
        }
        if (rollouts < 0) {
            throw new BadInput("--rollouts is " + rollouts, "Give 0 or more.");
        }
        if (grounding && afterEnd != AfterEnd.MASK) {
            throw new BadInput(
                    "--ground on has no effect with --after-end " + afterEnd, "Leave it out: it belongs to mask.");
        }
        if (!(roughness >= 0) || roughness.isInfinite()) {
            throw new BadInput("--reward-roughness is " + roughness, "Give 0 or more, such as 0.005.");
        }
        if (!(average >= 1) || average.isInfinite()) {
            throw new BadInput("--average-policy is " + average, "Give 1 or more, such as 10.");
        }
        above("--loss-scale", scale);
        above("--reward-clamp", clamp);
        above("--reward-learning-rate", learningRate);
        if (!(decay >= 0) || decay.isInfinite()) {
            throw new BadInput("--reward-decay is " + decay, "Give 0 or more, such as 1e-3.");
        }
        return new Imitation.Settings(
                new RewardModel.Settings(stateOnly, hidden, firstActivation, clamp, inputs),
                new Ascent.Settings(optimiser, learningRate, decay, scale),
                roughness,
                discount,
                new Imitation.Sampling(
                        BaseCommand.positive("--block", block),
                        rollouts,
                        BaseCommand.positive("--recent", recent),
                        pairing == Pairing.SHIFTED,
                        sample == Sample.ONE),
                afterEnd,
                ground == Switch.ON,
                average);
    }

    /** Refuses to read more of training than was kept, or than can be read at once. */
    static void checkRecent(Imitation.Sampling sampling, Simulator.Space space, int simulators, int replay) {
        if (sampling.rollouts() > 0) {
            return; // then nothing is read
        }
        if (sampling.recent() > replay) {
            throw new BadInput(
                    "--recent is %d, and the replay keeps %d transitions".formatted(sampling.recent(), replay),
                    "Give at most as many with --recent, or keep more with --replay.");
        }
        long whole = (long) space.horizon() * simulators; // while one ends, others go on in turn
        if (whole > replay) {
            throw new BadInput(
                    "the replay keeps %d transitions, and a whole episode lies within %d".formatted(replay, whole),
                    "Keep as many with --replay, or draw --rollouts.");
        }
        long most = Imitation.mostRecent(space, simulators);
        if (sampling.recent() > most) {
            throw new BadInput(
                    "--recent is %d, and at most %d steps of this task can be read at once"
                            .formatted(sampling.recent(), most),
                    "Give fewer: the preset's are usually enough.");
        }
    }

    private static void above(String option, double value) {
        if (!(value > 0) || Double.isInfinite(value)) {
            throw new BadInput("%s is %s".formatted(option, value), "Give a number above 0.");
        }
    }
}
