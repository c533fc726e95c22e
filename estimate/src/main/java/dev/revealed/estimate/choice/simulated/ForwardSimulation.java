package dev.revealed.estimate.choice.simulated;

import dev.revealed.estimate.choice.Observations;
import dev.revealed.estimate.choice.Visits;
import dev.revealed.estimate.choice.twostep.Polynomials;
import dev.revealed.estimate.choice.twostep.TwoStep;
import dev.revealed.mdp.Kernel;
import dev.revealed.mdp.SoftPolicy;
import dev.revealed.mdp.SoftProcess;
import dev.revealed.mdp.choice.ChoiceModel;
import dev.revealed.mdp.choice.TransitionFamily;
import dev.revealed.mdp.choice.TransitionLaw;
import dev.revealed.numeric.Dense;
import dev.revealed.numeric.Parallel;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Vec;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What choosing is worth under given choice probabilities, like {@link Valuation}, but from simulated futures instead of
 * linear equations (Hotz, Miller, Sanders and Smith 1994).
 *
 * <p>Choices depend on differences of values alone, so a future need only be followed until it meets the others. In one
 * draw all futures, from every state that a choice may lead to, see the same uniform numbers: one for the action, one for
 * the move of each state variable. Two that are in the same state at the same time are one from there on. At discount
 * 0.9999 this replaces a hundred thousand periods by the few hundred it takes two engines to be replaced together.
 *
 * <p>The values a round of draws finds serve the next one as a guess V0: it simulates only what the guess leaves over,
 *
 * <pre>  V = V0 + sum of discounted (c + gamma F_P V0 - V0),</pre>
 *
 * which is unbiased whatever the guess, and whose noise is in proportion to the guess's error (Halton 1962).
 */
final class ForwardSimulation {
    /** Independent parts of the last round, from whose differences the simulation error is read off. */
    static final int BATCHES = 20;

    /** Discounted weight below which a future no longer counts. */
    private static final double CUT = 1e-8;

    private static final int DEGREE = 8;
    private static final int MOST = 45;

    private final ChoiceModel model;
    private final SoftPolicy policy;
    private final Visits visits;
    private final Kernel kernel;
    private final int width;
    private final double[][] payoff; // of a first choice, [z_1..z_p, e][row]
    private final double[] expected; // [s*width + j]: payoffs of a state, its choice averaged out
    private final double[] cumulative; // of the policy, by row
    private final double[][][] probabilities; // cumulative, [part][cell][outcome]
    private final int[] stride;
    private final int[] starts;
    private final int[] startOf; // by state, -1 where no future starts
    private final Polynomials polynomials;
    private final int firstEnded; // number of the first state after the last period; beyond all without a horizon
    private double[] left; // [s*width + j]: what the guess leaves to simulate

    /**
     * Action values from independent batches of draws, up to a constant.
     *
     * @param batches {@code [batch][z_1..z_p, e][visited row]}
     * @param unmet share of the futures that had not met the others when they were given up
     */
    record Draws(double[][][] batches, double unmet) {}

    ForwardSimulation(TwoStep step) {
        model = step.model();
        policy = step.policy();
        visits = step.visits();
        SoftProcess process = step.process();
        kernel = process.mdp().kernel();
        int actions = visits.actions();
        int rows = model.utility().rows();
        width = model.utility().parameters() + 1;
        boolean horizon = model.law().horizon();
        firstEnded = horizon ? model.states() - model.space().stride(0) : Integer.MAX_VALUE;
        double[] zero = new double[width - 1];
        payoff = Arrays.copyOf(model.utility().derivatives(zero), width);
        payoff[width - 1] = new double[rows];
        model.utility().values(zero, payoff[width - 1]);
        double[] withShocks = new double[rows];
        process.payoff(payoff[width - 1], policy, withShocks);
        expected = new double[model.states() * width];
        cumulative = new double[rows];
        Parallel.range(model.states(), (from, to) -> {
            for (int s = from; s < to; s++) {
                double sum = 0;
                for (int row = s * actions; row < (s + 1) * actions; row++) {
                    double chance = policy.policy()[row];
                    sum += chance;
                    cumulative[row] = sum;
                    for (int j = 0; chance > 0 && j < width; j++) {
                        expected[s * width + j] += chance * (j < width - 1 ? payoff[j] : withShocks)[row];
                    }
                }
            }
        });
        left = expected;
        TransitionLaw law = model.law();
        probabilities = new double[law.parts().size()][][];
        stride = new int[probabilities.length];
        for (int v = 0; v < probabilities.length; v++) {
            stride[v] = law.space().stride(v);
            probabilities[v] = cumulative(
                    law.parts().get(v).family(), law.of(v, step.first().phi()));
        }
        // The states a choice in a visited state may lead to.
        starts = Arrays.stream(visits.states())
                .flatMap(s -> Arrays.stream(
                        kernel.successor(), kernel.rowStart()[s * actions], kernel.rowStart()[(s + 1) * actions]))
                .distinct()
                .toArray();
        startOf = new int[model.states()];
        Arrays.fill(startOf, -1);
        for (int i = 0; i < starts.length; i++) {
            startOf[starts[i]] = i;
        }
        polynomials = Polynomials.over(model.space(), starts, DEGREE, MOST);
    }

    private static double[][] cumulative(TransitionFamily family, double[] phi) {
        double[][] all = new double[family.cells()][];
        for (int cell = 0; cell < all.length; cell++) {
            all[cell] = new double[family.outcomes(cell)];
            family.at(phi, cell, all[cell]);
            for (int o = 1; o < all[cell].length; o++) {
                all[cell][o] += all[cell][o - 1];
            }
        }
        return all;
    }

    /** Rounds of draws, the last one in batches; each future is followed for at most so many periods. */
    Draws draw(Futures futures, RandomStream stream, ProgressListener listener) {
        int perBatch = Math.ceilDiv(futures.draws(), BATCHES);
        double[] guess = new double[model.states() * width];
        double[][] values = {};
        double unmet = 0;
        AtomicInteger done = new AtomicInteger();
        for (int round = 0; round < futures.rounds(); round++) {
            if (round > 0) {
                guess = smooth(plus(guess, Observations.sum(1.0 / BATCHES, values)));
                left = left(guess);
            }
            values = new double[BATCHES][starts.length * width];
            double[][] into = values;
            int[] apart = new int[BATCHES];
            RandomStream own = stream.at(round);
            Parallel.tasks(BATCHES, b -> {
                Flow flow = new Flow(futures.periods());
                for (int r = 0; r < perBatch; r++) {
                    apart[b] += flow.run(own.at((long) b * perBatch + r), 1.0 / perBatch, into[b]);
                }
                listener.progress("forward simulation", done.incrementAndGet(), (long) BATCHES * futures.rounds());
            });
            unmet = Arrays.stream(apart).asLongStream().sum() / ((double) BATCHES * perBatch * starts.length);
        }
        double[] last = guess;
        double[][][] batches = Arrays.stream(values)
                .map(simulated -> actionValues(plus(last, simulated)))
                .toArray(double[][][]::new);
        return new Draws(batches, unmet);
    }

    /** The guess at the starting states and what was simulated beyond it. */
    private double[] plus(double[] guess, double[] simulated) {
        double[] values = simulated.clone();
        for (int i = 0; i < starts.length; i++) {
            for (int j = 0; j < width; j++) {
                values[i * width + j] += guess[starts[i] * width + j];
            }
        }
        return values;
    }

    /**
     * Values known at the starting states, with noise of their own in each, as polynomials of the state by least squares:
     * what is smooth in them is most of what matters, and noise that jumps from state to state would only be simulated again.
     */
    private double[] smooth(double[] values) {
        int n = Math.min(polynomials.size(), starts.length);
        double[] x = new double[polynomials.size()];
        double[][] gram = new double[n][n];
        double[][] right = new double[width][n];
        for (int i = 0; i < starts.length; i++) {
            polynomials.at(starts[i], x, 0);
            double[] own = Arrays.copyOf(x, n);
            Observations.addOuter(1, own, gram);
            for (int j = 0; j < width; j++) {
                Vec.axpy(values[i * width + j], own, right[j]);
            }
        }
        double[][] coefficient = new double[width][];
        Arrays.setAll(coefficient, j -> Dense.solvePositive(gram, right[j]));
        double[] smooth = new double[model.states() * width];
        Parallel.range(model.states(), (from, to) -> {
            double[] at = new double[polynomials.size()];
            for (int s = from; s < to; s++) {
                polynomials.at(s, at, 0);
                for (int j = 0; j < width; j++) {
                    for (int k = 0; k < n; k++) {
                        smooth[s * width + j] += coefficient[j][k] * at[k];
                    }
                }
            }
        });
        return smooth;
    }

    /** c + gamma F_P V0 - V0. */
    private double[] left(double[] guess) {
        int actions = visits.actions();
        double[] next = expected.clone();
        Parallel.range(model.states(), (from, to) -> {
            for (int row = from * actions; row < to * actions; row++) {
                double chance = row / actions < firstEnded ? model.discount() * policy.policy()[row] : 0;
                for (int k = kernel.rowStart()[row]; chance > 0 && k < kernel.rowStart()[row + 1]; k++) {
                    add(chance * kernel.probability()[k], kernel.successor()[k], guess, row / actions, next);
                }
            }
            for (int s = from; s < to; s++) {
                add(-1, s, guess, s, next);
            }
        });
        return next;
    }

    private void add(double weight, int from, double[] values, int state, double[] to) {
        for (int j = 0; j < width; j++) {
            to[state * width + j] += weight * values[from * width + j];
        }
    }

    /** Payoff now and the values of where it leads, weighted by the law: only what comes after is left to chance. */
    private double[][] actionValues(double[] values) {
        double[][] q = new double[width][visits.rows()];
        for (int own = 0; own < visits.rows(); own++) {
            int row = visits.row(own);
            for (int j = 0; j < width; j++) {
                double sum = 0;
                for (int k = kernel.rowStart()[row]; k < kernel.rowStart()[row + 1]; k++) {
                    sum += kernel.probability()[k] * values[startOf[kernel.successor()[k]] * width + j];
                }
                q[j][own] = payoff[j][row] + model.discount() * sum;
            }
        }
        return q;
    }

    /** One draw after another: futures from all starting states that merge as they meet. */
    private final class Flow {
        private final int periods;
        private final int[] state = new int[starts.length];
        private final int[] alive = new int[starts.length];
        private final int[] into = new int[starts.length]; // the future a future has merged into
        private final int[] order = new int[starts.length]; // in which they merged
        private final double[] paid = new double[starts.length * width];
        private final int[] occupant = new int[model.states()];
        private final long[] stamp = new long[model.states()];
        private final double[] uniform = new double[probabilities.length];
        private long clock;

        Flow(int periods) {
            this.periods = periods;
        }

        /** Adds each start's discounted payoffs less those of the first start; returns how many futures never met. */
        int run(RandomStream stream, double scale, double[] values) {
            int living = starts.length;
            int merged = 0;
            Arrays.fill(paid, 0);
            for (int c = 0; c < living; c++) {
                state[c] = starts[c];
                alive[c] = c;
            }
            double weight = 1;
            // with a horizon every future ends, and none is complete before
            boolean horizon = firstEnded < Integer.MAX_VALUE;
            for (int t = 0; horizon ? living > 0 : t < periods && living > 1 && weight > CUT; t++) {
                clock++;
                double choice = stream.nextDouble();
                for (int v = 0; v < uniform.length; v++) {
                    uniform[v] = stream.nextDouble();
                }
                for (int i = 0; i < living; ) {
                    int c = alive[i];
                    int s = state[c];
                    for (int j = 0; j < width; j++) {
                        paid[c * width + j] += weight * left[s * width + j];
                    }
                    if (s >= firstEnded) {
                        alive[i] = alive[--living];
                        continue;
                    }
                    int next = move(s, act(s, choice));
                    if (stamp[next] == clock) {
                        into[c] = occupant[next];
                        order[merged++] = c;
                        for (int j = 0; j < width; j++) {
                            paid[c * width + j] -= paid[into[c] * width + j]; // what differed until now
                        }
                        alive[i] = alive[--living];
                    } else {
                        stamp[next] = clock;
                        occupant[next] = c;
                        state[c] = next;
                        i++;
                    }
                }
                weight *= model.discount();
            }
            while (merged > 0) { // whoever merged last did so with a future that is complete
                int c = order[--merged];
                for (int j = 0; j < width; j++) {
                    paid[c * width + j] += paid[into[c] * width + j];
                }
            }
            for (int k = 0; k < values.length; k++) {
                values[k] += scale * (paid[k] - paid[k % width]);
            }
            return weight > CUT && !horizon ? living - 1 : 0;
        }

        private int act(int s, double choice) {
            int first = s * visits.actions();
            int row = first;
            while (row < first + visits.actions() - 1 && choice >= cumulative[row]) {
                row++;
            }
            while (policy.policy()[row] == 0) { // rounding may let the sum end below one, before actions not available
                row--;
            }
            return row - first;
        }

        private int move(int s, int a) {
            int next = 0;
            for (int v = 0; v < uniform.length; v++) {
                TransitionLaw.Part part = model.law().parts().get(v);
                double[] sums = probabilities[v][part.cell().of(s, a)];
                int o = 0;
                while (o < sums.length - 1 && uniform[v] >= sums[o]) {
                    o++;
                }
                next += stride[v] * part.destination().of(s, a, o);
            }
            return next;
        }
    }
}
