package dev.revealed.neural;

import dev.revealed.numeric.Tensors;

/** A value network with the target that follows it, its optimiser and room for its passes. */
public record Critic(Network network, Network target, Tape tape, Tape targetTape, Adam adam, Steps steps) {

    public static Critic of(Network network, Adam.Settings settings, int rows) {
        return of(network, settings, rows, rows);
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
    public void scaleInputs(float[] scale) {
        network.scaleInputs(scale);
        target.scaleInputs(scale);
        adam.pace(scale, network.shape().out(0));
    }

    public void save(int number, Tensors into) {
        network.save("critic" + number, into);
        target.save("target" + number, into);
        adam.save("critic" + number + ".adam", into);
    }

    public void restore(int number, Tensors from) {
        network.restore("critic" + number, from);
        target.restore("target" + number, from);
        adam.restore("critic" + number + ".adam", from);
    }
}
