package dev.revealed.estimate.choice.types;

import dev.revealed.estimate.choice.ConditionalLogit;
import dev.revealed.estimate.choice.Observations;
import dev.revealed.mdp.choice.StateSpace;
import dev.revealed.numeric.Vec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Which individual is of which type: a logit with the last type as reference, of a constant and, where individuals were not
 * all met in circumstances independent of their type, of the state they were first seen in.
 *
 * @param circumstances of each group of individuals who were met in the same, the constant first
 * @param names of what is reported: shares of the types, or coefficients where the first state matters
 */
record Membership(int types, double[][] circumstances, List<String> names) {
    /**
     * @param starts the state that individuals of each group were first seen in
     * @param initial whether it may tell something of the type; variables alike for all are left out
     */
    static Membership of(StateSpace space, int[] starts, int types, boolean initial) {
        int[] variables = IntStream.range(0, initial ? space.variables().size() : 0)
                .filter(v -> Arrays.stream(starts)
                                .map(s -> space.coordinate(s, v))
                                .distinct()
                                .count()
                        > 1)
                .toArray();
        double[][] circumstances = new double[starts.length][1 + variables.length];
        for (int i = 0; i < starts.length; i++) {
            circumstances[i][0] = 1;
            for (int v = 0; v < variables.length; v++) {
                circumstances[i][1 + v] = space.value(starts[i], variables[v]);
            }
        }
        List<String> names = new ArrayList<>();
        for (int k = 1; k < types; k++) {
            names.add((variables.length > 0 ? "type[%d]" : "share[%d]").formatted(k));
            for (int v : variables) {
                names.add("type[%d]:%s".formatted(k, space.variables().get(v).name()));
            }
        }
        return new Membership(types, circumstances, names);
    }

    int size() {
        return names.size();
    }

    /** The probability of each type before anything was seen of an individual's choices. */
    static double[] prior(double[] gamma, double[] circumstances, int types) {
        int width = circumstances.length;
        double[] prior = new double[types];
        double largest = 0;
        for (int k = 0; k < types - 1; k++) {
            prior[k] = Vec.dot(circumstances, Arrays.copyOfRange(gamma, k * width, (k + 1) * width));
            largest = Math.max(largest, prior[k]);
        }
        for (int k = 0; k < types; k++) {
            prior[k] = Math.exp(prior[k] - largest);
        }
        normalise(prior);
        return prior;
    }

    /** Divides by the sum, which is returned. */
    static double normalise(double[] x) {
        double total = Vec.sum(x);
        Arrays.setAll(x, k -> x[k] / total);
        return total;
    }

    /**
     * The coefficients that explain best who is of which type.
     *
     * @param members {@code [group][type]}: how many are probably of a type
     */
    double[] maximise(double[] gamma, double[][] members) {
        int width = circumstances[0].length;
        if (types == 1) {
            return gamma;
        }
        double[] counts = new double[members.length * types];
        double[][] columns = new double[gamma.length][counts.length];
        for (int i = 0; i < members.length; i++) {
            for (int k = 0; k < types; k++) {
                counts[i * types + k] = members[i][k];
                for (int v = 0; v < width && k < types - 1; v++) {
                    columns[k * width + v][i * types + k] = circumstances[i][v];
                }
            }
        }
        return new ConditionalLogit(types, columns, new double[counts.length], counts)
                .maximise(gamma)
                .theta();
    }

    /** Whether what is reported are shares of types, not coefficients. */
    boolean reportsShares() {
        return circumstances[0].length == 1;
    }

    /** What is reported, shares or coefficients, and how it changes with gamma. */
    record Reported(double[] values, double[][] derivative) {}

    Reported reported(double[] gamma) {
        double[][] derivative = new double[gamma.length][gamma.length];
        boolean shares = reportsShares();
        double[] prior = prior(gamma, circumstances[0], types);
        for (int k = 0; k < gamma.length; k++) {
            for (int l = 0; l < gamma.length; l++) {
                derivative[k][l] = shares ? prior[k] * ((k == l ? 1 : 0) - prior[l]) : k == l ? 1 : 0;
            }
        }
        return new Reported(shares ? Arrays.copyOf(prior, gamma.length) : gamma.clone(), derivative);
    }

    /** The smallest share of so many individuals that a type is expected to have. */
    static double smallest(double[][] members, int individuals) {
        return Arrays.stream(Observations.sum(1.0 / individuals, members)).min().orElse(1);
    }

    /** Coefficients after the types were renumbered. */
    double[] renumbered(double[] gamma, int[] order) {
        int width = circumstances[0].length;
        double[] all = Arrays.copyOf(gamma, types * width);
        double[] renumbered = new double[gamma.length];
        for (int k = 0; k < types - 1; k++) {
            for (int v = 0; v < width; v++) {
                renumbered[k * width + v] = all[order[k] * width + v] - all[order[types - 1] * width + v];
            }
        }
        return renumbered;
    }
}
