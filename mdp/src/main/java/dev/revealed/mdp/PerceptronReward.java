package dev.revealed.mdp;

import dev.revealed.numeric.Perceptron;
import dev.revealed.numeric.RandomStream;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/** A reward that is a small perceptron of given inputs, one input vector per state or per row. */
public final class PerceptronReward implements Reward {
    private final int actions;
    private final boolean stateOnly;
    private final Perceptron perceptron;
    private final double[] inputs;

    private PerceptronReward(int actions, boolean stateOnly, double[][] inputs, int... hidden) {
        this.actions = actions;
        this.stateOnly = stateOnly;
        int width = inputs[0].length;
        this.inputs = Arrays.stream(inputs).flatMapToDouble(Arrays::stream).toArray();
        int[] sizes = new int[hidden.length + 2];
        sizes[0] = width;
        System.arraycopy(hidden, 0, sizes, 1, hidden.length);
        sizes[sizes.length - 1] = 1;
        perceptron = new Perceptron(sizes);
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
    public int rows() {
        return inputs.length / perceptron.sizes()[0] * (stateOnly ? actions : 1);
    }

    @Override
    public List<String> names() {
        return IntStream.range(0, parameters()).mapToObj(i -> "w" + i).toList();
    }

    @Override
    public boolean stateOnly() {
        return stateOnly;
    }

    @Override
    public double[] initial(RandomStream stream) {
        return perceptron.initial(stream);
    }

    @Override
    public void values(double[] theta, double[] rows) {
        Perceptron.Tape tape = perceptron.new Tape();
        int width = perceptron.sizes()[0];
        for (int i = 0; i * width < inputs.length; i++) {
            double value = tape.forward(theta, inputs, i * width);
            if (stateOnly) {
                Arrays.fill(rows, i * actions, (i + 1) * actions, value);
            } else {
                rows[i] = value;
            }
        }
    }

    @Override
    public void accumulate(double[] theta, double[] weight, double[] gradient) {
        Perceptron.Tape tape = perceptron.new Tape();
        int width = perceptron.sizes()[0];
        for (int i = 0; i * width < inputs.length; i++) {
            double w = stateOnly ? 0 : weight[i];
            for (int row = i * actions; stateOnly && row < (i + 1) * actions; row++) {
                w += weight[row];
            }
            if (w != 0) {
                tape.forward(theta, inputs, i * width);
                tape.backward(theta, w, gradient);
            }
        }
    }

    @Override
    public void derivative(double[] theta, int j, double[] rows) {
        Perceptron.Tape tape = perceptron.new Tape();
        int width = perceptron.sizes()[0];
        double[] gradient = new double[parameters()];
        for (int i = 0; i * width < inputs.length; i++) {
            Arrays.fill(gradient, 0);
            tape.forward(theta, inputs, i * width);
            tape.backward(theta, 1, gradient);
            if (stateOnly) {
                Arrays.fill(rows, i * actions, (i + 1) * actions, gradient[j]);
            } else {
                rows[i] = gradient[j];
            }
        }
    }
}
