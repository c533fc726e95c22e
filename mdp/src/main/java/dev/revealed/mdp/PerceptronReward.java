package dev.revealed.mdp;

import dev.revealed.numeric.Perceptron;
import dev.revealed.numeric.RandomStream;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/** A reward that is a small perceptron of given inputs, one input vector per state or per row. */
public final class PerceptronReward extends Reward.PerInput {
    private final Perceptron perceptron;
    private final double[] inputs;
    private final int width;

    private PerceptronReward(int actions, boolean stateOnly, double[][] inputs, int... hidden) {
        super(actions, stateOnly);
        width = inputs[0].length;
        this.inputs = Arrays.stream(inputs).flatMapToDouble(Arrays::stream).toArray();
        perceptron = new Perceptron(
                IntStream.concat(IntStream.of(width), IntStream.concat(Arrays.stream(hidden), IntStream.of(1)))
                        .toArray());
    }

    public static PerceptronReward ofStates(int actions, double[][] inputs, int... hidden) {
        return new PerceptronReward(actions, true, inputs, hidden);
    }

    public static PerceptronReward ofRows(int actions, double[][] inputs, int... hidden) {
        return new PerceptronReward(actions, false, inputs, hidden);
    }

    @Override
    public int parameters() {
        return perceptron.parameters();
    }

    @Override
    int inputs() {
        return inputs.length / width;
    }

    @Override
    public List<String> names() {
        return new Reward.LazyNames(parameters(), i -> "w" + i);
    }

    @Override
    public double[] initial(RandomStream stream) {
        return perceptron.initial(stream);
    }

    @Override
    public void values(double[] theta, double[] rows) {
        Perceptron.Tape tape = perceptron.new Tape();
        for (int i = 0; i < inputs(); i++) {
            write(i, tape.forward(theta, inputs, i * width), rows);
        }
    }

    @Override
    public void accumulate(double[] theta, double[] weight, double[] gradient) {
        Perceptron.Tape tape = perceptron.new Tape();
        for (int i = 0; i < inputs(); i++) {
            double w = weight(i, weight);
            if (w != 0) {
                tape.forward(theta, inputs, i * width);
                tape.backward(theta, w, gradient);
            }
        }
    }

    @Override
    public void derivative(double[] theta, int j, double[] rows) {
        Perceptron.Tape tape = perceptron.new Tape();
        double[] gradient = new double[parameters()];
        for (int i = 0; i < inputs(); i++) {
            Arrays.fill(gradient, 0);
            tape.forward(theta, inputs, i * width);
            tape.backward(theta, 1, gradient);
            write(i, gradient[j], rows);
        }
    }
}
