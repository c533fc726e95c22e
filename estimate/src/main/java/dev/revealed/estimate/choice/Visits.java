package dev.revealed.estimate.choice;

import dev.revealed.mdp.choice.ChoiceModel;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * The states in which choices were observed. A panel speaks about few of a large model's states, so what is only needed
 * where somebody chose is kept for these alone, in rows {@code i*A + a} with i the place in {@code states}.
 *
 * @param counts how often each action was chosen, by these rows
 */
public record Visits(int actions, int[] states, double[] counts) {

    public static Visits of(ChoiceProblem problem) {
        return of(problem.model(), problem.choiceCounts());
    }

    /** @param counts how often each row of the model was chosen */
    public static Visits of(ChoiceModel model, double[] counts) {
        int actions = model.actions().size();
        int[] states = IntStream.range(0, model.states())
                .filter(s ->
                        Arrays.stream(counts, s * actions, (s + 1) * actions).sum() > 0)
                .toArray();
        Visits all = new Visits(actions, states, counts);
        return new Visits(actions, states, all.gather(counts));
    }

    /** The entries of the visited states' rows. */
    public double[] gather(double[] rows) {
        double[] own = new double[states.length * actions];
        for (int i = 0; i < states.length; i++) {
            System.arraycopy(rows, states[i] * actions, own, i * actions, actions);
        }
        return own;
    }

    /** A quantity known at the visited rows as one of all rows, zero elsewhere. */
    public double[] scatter(double[] own, int rows) {
        double[] all = new double[rows];
        for (int i = 0; i < states.length; i++) {
            System.arraycopy(own, i * actions, all, states[i] * actions, actions);
        }
        return all;
    }

    /** The number among all rows of a visited one. */
    public int row(int own) {
        return states[own / actions] * actions + own % actions;
    }

    public int rows() {
        return states.length * actions;
    }

    /** How often a state was visited. */
    public double visits(int i) {
        double sum = 0;
        for (int row = i * actions; row < (i + 1) * actions; row++) {
            sum += counts[row];
        }
        return sum;
    }

    public double decisions() {
        return Arrays.stream(counts).sum();
    }
}
