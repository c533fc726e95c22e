package dev.revealed.neural.softq;

import dev.revealed.mdp.Simulator;
import dev.revealed.neural.Actor;
import dev.revealed.neural.Network;
import dev.revealed.neural.Tape;
import dev.revealed.neural.softq.Successors.Features;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Tensors;

/** The soft-optimal policy of a linear reward by its {@link Successors}. An action is the index of the choice. */
public final class SuccessorActor implements Actor {
    private final Network values;
    private final Network gradients;
    private final Features features;
    private final double[] theta;
    private final Simulator.Space space;
    private final double discount;
    private final Tape valueTape;
    private final Tape gradientTape;
    private final Successors successors;
    private final float[] inputs;
    private float[] states = {};
    private int first;

    SuccessorActor(
            Network values,
            Network gradients,
            Features features,
            double[] theta,
            Simulator.Space space,
            double discount,
            int rows) {
        this.values = values;
        this.gradients = gradients;
        this.features = features;
        this.theta = theta;
        this.space = space;
        this.discount = discount;
        valueTape = values.tape(rows);
        gradientTape = gradients.tape(rows);
        successors = new Successors(features, theta.length, space, discount);
        inputs = new float[rows * successors.inputs()];
    }

    @Override
    public SuccessorActor worker() {
        return worker(1);
    }

    /** The same for so many observations at a time. */
    public SuccessorActor worker(int rows) {
        return new SuccessorActor(values, gradients, features, theta, space, discount, rows);
    }

    @Override
    public SuccessorActor snapshot() {
        return new SuccessorActor(values.copy(), gradients.copy(), features, theta.clone(), space, discount, 1);
    }

    /** Takes observations that follow each other from {@code observations[offset]} on; they must not change meanwhile. */
    public void take(float[] observations, int offset, int rows) {
        values(observations, offset, rows);
        gradientTape.forward(inputs, rows);
    }

    private void values(float[] observations, int offset, int rows) {
        states = observations;
        first = offset;
        successors.inputs(observations, offset, rows, theta, inputs);
        valueTape.forward(inputs, rows);
    }

    /** Looks at one of those taken; valid until the next look. */
    public Successors look(int row) {
        successors.lookAtValues(states, first + row * space.observations(), theta, valueTape.output(), row);
        successors.lookAtGradients(gradientTape.output(), row);
        return successors;
    }

    @Override
    public void act(float[] observations, int offset, RandomStream noise, float[] actions, int to) {
        values(observations, offset, 1);
        successors.lookAtValues(observations, offset, theta, valueTape.output(), 0);
        actions[to] = noise.nextIndex(successors.probabilities(), 0, successors.choices());
    }

    @Override
    public void actDeterministic(float[] observations, int offset, float[] actions, int to) {
        values(observations, offset, 1);
        successors.lookAtValues(observations, offset, theta, valueTape.output(), 0);
        int best = 0;
        for (int a = 1; a < successors.choices(); a++) {
            best = successors.probability(a) > successors.probability(best) ? a : best;
        }
        actions[to] = best;
    }

    @Override
    public void save(Tensors into) {
        values.save("successors.values", into);
        gradients.save("successors.gradients", into);
        into.put("successors.theta", theta.clone());
    }
}
