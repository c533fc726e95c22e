package dev.revealed.neural;

import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Tensors;
import java.util.Arrays;

/** A value network with its target network, its optimiser, and buffers for its passes. */
public record Critic(Network network, Network target, Tape tape, Tape targetTape, Adam adam, Steps steps) {

    /** Several of random weights; their targets are asked for {@code targetRows}. */
    public static Critic[] random(
            int count, Mlp shape, Adam.Settings settings, int rows, int targetRows, RandomStream networks) {
        Critic[] critics = new Critic[count];
        Arrays.setAll(
                critics, k -> of(Network.random(shape, networks.named("critic").at(k)), settings, rows, targetRows));
        return critics;
    }

    /** With a target that is asked for more rows, or fewer, than there are to learn from. */
    public static Critic of(Network network, Adam.Settings settings, int rows, int targetRows) {
        Network target = network.copy();
        Adam adam = new Adam(settings, network.parameters().length);
        return new Critic(
                network, target, network.tape(rows), target.tape(targetRows), adam, new Steps(network.shape()));
    }

    /** One step down the gradient of the outputs that the tape holds; the target goes {@code pull} of the way after it. */
    public void improve(int rows, float pull) {
        improve(rows, pull, 1);
    }

    /** The same with the learning rate times {@code share}. */
    public void improve(int rows, float pull, double share) {
        tape.propagate(0, rows, null);
        adam.begin(share);
        for (int task = 0; task < steps.count(); task++) {
            steps.take(task, tape, rows, adam, network.parameters(), target.parameters(), pull);
        }
        steps.transpose(network);
    }

    /** Begins and learns as though the first inputs were multiplied by these numbers; see {@link Learner#scaleInputs}. */
    private void scaleInputs(float[] scale) {
        network.scaleInputs(scale);
        target.scaleInputs(scale);
        adam.pace(scale, network.shape().out(0));
    }

    public static void scaleInputs(Critic[] critics, float[] scale) {
        for (Critic critic : critics) {
            critic.scaleInputs(scale);
        }
    }

    /** The lowest output of the targets there. */
    public static float lowestTarget(Critic[] critics, int output) {
        float lowest = Float.POSITIVE_INFINITY;
        for (Critic critic : critics) {
            lowest = Math.min(lowest, critic.targetTape.output()[output]);
        }
        return lowest;
    }

    /** The first critic whose output is the lowest there. */
    public static int lowest(Critic[] critics, int output) {
        int best = 0;
        for (int k = 1; k < critics.length; k++) {
            if (critics[k].tape.output()[output] < critics[best].tape.output()[output]) {
                best = k;
            }
        }
        return best;
    }

    public static void save(Critic[] critics, Tensors into) {
        for (int k = 0; k < critics.length; k++) {
            critics[k].network.save("critic" + k, into);
            critics[k].target.save("target" + k, into);
            critics[k].adam.save("critic" + k + ".adam", into);
        }
    }

    public static void restore(Critic[] critics, Tensors from) {
        for (int k = 0; k < critics.length; k++) {
            critics[k].network.restore("critic" + k, from);
            critics[k].target.restore("target" + k, from);
            critics[k].adam.restore("critic" + k + ".adam", from);
        }
    }
}
