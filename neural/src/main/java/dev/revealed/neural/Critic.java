package dev.revealed.neural;

import dev.revealed.numeric.Tensors;

/** A value network with the target that follows it, its optimiser and room for its passes. */
final class Critic {
    final Network network;
    final Network target;
    final Tape tape;
    final Tape targetTape;
    double meanValue;

    private final Adam adam;
    private final Steps steps;

    Critic(Network network, Adam.Settings settings, int rows) {
        this(network, settings, rows, rows);
    }

    /** With a target that is asked for more rows, or fewer, than there are to learn from. */
    Critic(Network network, Adam.Settings settings, int rows, int targetRows) {
        this.network = network;
        target = network.copy();
        adam = new Adam(settings, network.parameters().length);
        tape = network.tape(rows);
        targetTape = target.tape(targetRows);
        steps = new Steps(network.shape());
    }

    /** One step down the gradient of the outputs that the tape holds; the target goes {@code pull} of the way after it. */
    void improve(int rows, float pull) {
        improve(rows, pull, 1);
    }

    /** The same with the learning rate times {@code share}. */
    void improve(int rows, float pull, double share) {
        tape.propagate(0, rows, null);
        adam.begin(share);
        for (int task = 0; task < steps.count(); task++) {
            steps.take(task, tape, rows, adam, network.parameters(), target.parameters(), pull);
        }
        steps.transpose(network);
    }

    void save(int number, Tensors into) {
        network.save("critic" + number, into);
        target.save("target" + number, into);
        adam.save("critic" + number + ".adam", into);
    }

    void restore(int number, Tensors from) {
        network.restore("critic" + number, from);
        target.restore("target" + number, from);
        adam.restore("critic" + number + ".adam", from);
    }
}
