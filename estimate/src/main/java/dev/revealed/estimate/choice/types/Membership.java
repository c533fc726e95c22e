package dev.revealed.estimate.choice.types;

import dev.revealed.estimate.choice.ConditionalLogit;
import dev.revealed.estimate.choice.Observations;
import dev.revealed.mdp.choice.Panel;
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
 * @param circumstances by individual, the constant first
 * @param names of what is reported: shares of the types, or coefficients where the first state matters
 * @param posterior probability of each type given what each individual did, as of the last call of {@link #weigh}
 */
record Membership(int types, double[][] circumstances, List<String> names, double[][] posterior) {
    /** @param initial whether the first state may tell something of the type; variables alike for all are left out */
    Membership(StateSpace space, Panel panel, int types, boolean initial) {
        int[] starts = panel.individuals().stream()
                .mapToInt(individual -> individual.choices().states()[0])
                .toArray();
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
        this(types, circumstances, names, new double[starts.length][types]);
    }

    int size() {
        return names.size();
    }

    /** The probability of each type before anything was seen of the individual's choices. */
    private double[] prior(double[] gamma, int i) {
        int width = circumstances[i].length;
        double[] prior = new double[types];
        double largest = 0;
        for (int k = 0; k < types - 1; k++) {
            prior[k] = Vec.dot(circumstances[i], Arrays.copyOfRange(gamma, k * width, (k + 1) * width));
            largest = Math.max(largest, prior[k]);
        }
        for (int k = 0; k < types; k++) {
            prior[k] = Math.exp(prior[k] - largest);
        }
        normalise(prior);
        return prior;
    }

    /** Divides by the sum, which is returned. */
    private static double normalise(double[] x) {
        double total = Vec.sum(x);
        Arrays.setAll(x, k -> x[k] / total);
        return total;
    }

    /** From {@code likelihoods[individual][type]}, in logs: the posterior; returns the log-likelihood of all. */
    double weigh(double[] gamma, double[][] likelihoods) {
        double sum = 0;
        for (int i = 0; i < posterior.length; i++) {
            double[] prior = prior(gamma, i);
            double largest = Arrays.stream(likelihoods[i]).max().orElse(0);
            for (int k = 0; k < types; k++) {
                posterior[i][k] = prior[k] * Math.exp(likelihoods[i][k] - largest);
            }
            sum += largest + Math.log(normalise(posterior[i]));
        }
        return sum;
    }

    /** The coefficients that explain the posterior best. */
    double[] maximise(double[] gamma) {
        int width = circumstances[0].length;
        if (types == 1) {
            return gamma;
        }
        double[] counts = new double[posterior.length * types];
        double[][] columns = new double[gamma.length][counts.length];
        for (int i = 0; i < posterior.length; i++) {
            for (int k = 0; k < types; k++) {
                counts[i * types + k] = posterior[i][k];
                for (int v = 0; v < width && k < types - 1; v++) {
                    columns[k * width + v][i * types + k] = circumstances[i][v];
                }
            }
        }
        return new ConditionalLogit(types, columns, new double[counts.length], counts)
                .maximise(gamma)
                .theta();
    }

    /** Adds the derivative of an individual's log-likelihood with respect to gamma, from {@code first} on. */
    void addScore(double[] gamma, int i, double[] score, int first) {
        double[] prior = prior(gamma, i);
        int width = circumstances[i].length;
        for (int k = 0; k < types - 1; k++) {
            for (int v = 0; v < width; v++) {
                score[first + k * width + v] += (posterior[i][k] - prior[k]) * circumstances[i][v];
            }
        }
    }

    /** What is reported, shares or coefficients, and how it changes with gamma. */
    record Reported(double[] values, double[][] derivative) {}

    Reported reported(double[] gamma) {
        double[][] derivative = new double[gamma.length][gamma.length];
        boolean shares = circumstances[0].length == 1;
        double[] prior = prior(gamma, 0);
        for (int k = 0; k < gamma.length; k++) {
            for (int l = 0; l < gamma.length; l++) {
                derivative[k][l] = shares ? prior[k] * ((k == l ? 1 : 0) - prior[l]) : k == l ? 1 : 0;
            }
        }
        return new Reported(shares ? Arrays.copyOf(prior, gamma.length) : gamma.clone(), derivative);
    }

    /** The smallest share of individuals that a type is expected to have. */
    double smallest() {
        return Arrays.stream(Observations.sum(1.0 / posterior.length, posterior))
                .min()
                .orElse(1);
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
