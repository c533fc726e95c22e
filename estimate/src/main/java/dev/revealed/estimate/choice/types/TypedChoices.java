package dev.revealed.estimate.choice.types;

import dev.revealed.estimate.TypeIndex;
import dev.revealed.estimate.choice.ChoiceProblem;
import dev.revealed.estimate.choice.ConditionalLogit;
import dev.revealed.estimate.choice.RowScores;
import dev.revealed.estimate.choice.Visits;
import dev.revealed.estimate.choice.twostep.ChoiceProbabilities;
import dev.revealed.estimate.choice.twostep.FlexibleLogit;
import dev.revealed.estimate.choice.twostep.Valuation;
import dev.revealed.mdp.Likelihood;
import dev.revealed.mdp.Mdp;
import dev.revealed.mdp.SoftPolicy;
import dev.revealed.mdp.SoftProcess;
import dev.revealed.mdp.choice.ChoiceModel;
import dev.revealed.numeric.Dense;
import dev.revealed.numeric.Vec;
import java.util.Arrays;

/** How individuals of each type choose at given parameters, and better parameters where it is known who is of which type. */
sealed interface TypedChoices {

    /** The utility parameters of all types. */
    double[] parameters();

    /** log pi(a|s) by type and row; known at the rows of visited states at least. */
    double[][] logPolicies();

    /** Moves the parameters to where choices counted by type and row are more likely. */
    void improve(double[][] counts);

    long passes();

    /** Every type's model solved: maximum likelihood. */
    final class Solved implements TypedChoices {
        private static final int HALVINGS = 30;

        private final TypeIndex index;
        private final double[][] counts;
        private final RowScores[] models;
        private double[] parameters;

        Solved(ChoiceModel model, double[] phi, TypeIndex index, double[] start) {
            this.index = index;
            counts = new double[index.types()][model.utility().rows()];
            models = new RowScores[index.types()];
            Arrays.setAll(models, k -> new RowScores(model, counts[k], phi, false));
            parameters = start;
            for (int k = 0; k < models.length; k++) {
                models[k].solve(index.of(k, start));
            }
        }

        @Override
        public double[] parameters() {
            return parameters;
        }

        @Override
        public double[][] logPolicies() {
            return Arrays.stream(models)
                    .map(model -> model.policy().logPolicy())
                    .toArray(double[][]::new);
        }

        /** Solves at other parameters; false where that is not possible. */
        boolean moveTo(double[] other) {
            try {
                for (int k = 0; k < models.length; k++) {
                    models[k].solve(index.of(k, other));
                }
                parameters = other;
                return true;
            } catch (ArithmeticException unsolved) {
                return false;
            }
        }

        /** Scores of one type's rows with respect to its own parameters, {@code [parameter][row]}. */
        double[][] scores(int type) {
            return models[type].scores(index.of(type, parameters));
        }

        /** One step of Fisher scoring, shortened until the expected log-likelihood grows. */
        @Override
        public void improve(double[][] given) {
            double[] gradient = new double[index.size()];
            double[][] information = new double[index.size()][index.size()];
            for (int k = 0; k < models.length; k++) {
                System.arraycopy(given[k], 0, counts[k], 0, counts[k].length);
                scores(k);
                index.add(k, 1, models[k].gradient(), gradient);
                index.addMatrix(k, models[k].information(), information);
            }
            double value = expected();
            double[] direction = Dense.solvePositive(information, gradient);
            double[] from = parameters;
            double gain = Vec.dot(direction, gradient);
            double length = 1;
            for (int trial = 0; trial < HALVINGS; trial++, length *= 0.5) {
                if (moveTo(Vec.plus(from, length, direction)) && expected() >= value + 1e-4 * length * gain) {
                    return;
                }
            }
            moveTo(from);
        }

        private double expected() {
            double sum = 0;
            for (int k = 0; k < models.length; k++) {
                sum += Likelihood.weightedSum(counts[k], models[k].policy().logPolicy());
            }
            return sum;
        }

        @Override
        public long passes() {
            return Arrays.stream(models).mapToLong(RowScores::passes).sum();
        }
    }

    /**
     * No model solved: values under choice probabilities of each type, in which the choices are a logit (Arcidiacono and
     * Miller 2011). The probabilities are brought up to date with every change of opinion on who is of which type.
     */
    final class Valued implements TypedChoices {
        /** Steps of policy iteration before the first expectation. */
        private static final int ROUNDS = 3;

        private final ChoiceModel model;
        private final TypeIndex index;
        private final Visits visits;
        private final SoftProcess process;
        private final Valuation[] valuations;
        private final SoftPolicy[] policies;
        private final boolean byModel;
        private final double[][] logPolicies;
        private double[] parameters;

        /**
         * @param byModel whether a type's probabilities are those its own logit implies (their fixed point is maximum
         *     likelihood), rather than a flexible logit in the choices of those likely to be of the type
         */
        Valued(
                ChoiceProblem problem,
                Mdp mdp,
                ChoiceProbabilities pooled,
                TypeIndex index,
                boolean byModel,
                double[] start) {
            model = problem.model();
            this.index = index;
            this.byModel = byModel;
            visits = Visits.of(problem);
            process = new SoftProcess(mdp, model.cost());
            valuations = new Valuation[index.types()];
            policies = new SoftPolicy[index.types()];
            logPolicies = new double[index.types()][];
            parameters = start;
            for (int k = 0; k < policies.length; k++) {
                policies[k] = pooled.policy(process);
                valuations[k] = new Valuation(model, process, visits);
                // Under everybody's probabilities the types would hardly differ, and EM would not find what does.
                for (int round = 0; round < ROUNDS; round++) {
                    valuations[k].under(policies[k]);
                    valuations[k].improve(index.of(k, start), policies[k]);
                }
                valuations[k].under(policies[k]);
            }
            choose();
        }

        @Override
        public double[] parameters() {
            return parameters;
        }

        @Override
        public double[][] logPolicies() {
            return logPolicies;
        }

        @Override
        public void improve(double[][] counts) {
            double[][] seen = new double[counts.length][];
            for (int k = 0; k < counts.length; k++) {
                seen[k] = visits.gather(counts[k]);
                policies[k] = byModel
                        ? policies[k]
                        : FlexibleLogit.of(model, new Visits(visits.actions(), visits.states(), seen[k]), 3)
                                .policy(process);
                valuations[k].under(policies[k]);
            }
            parameters = logit(seen).maximise(parameters).theta();
            choose();
        }

        /** The logits of all types, one below the other, in all parameters. */
        private ConditionalLogit logit(double[][] counts) {
            int own = visits.rows();
            double[][] columns = new double[index.size()][own * counts.length];
            double[] offset = new double[own * counts.length];
            double[] chosen = new double[offset.length];
            for (int k = 0; k < counts.length; k++) {
                ConditionalLogit one = valuations[k].logit();
                System.arraycopy(one.offset(), 0, offset, k * own, own);
                System.arraycopy(counts[k], 0, chosen, k * own, own);
                for (int j = 0; j < one.columns().length; j++) {
                    System.arraycopy(one.columns()[j], 0, columns[index.position()[k][j]], k * own, own);
                }
            }
            return new ConditionalLogit(visits.actions(), columns, offset, chosen);
        }

        /** Choice probabilities at the parameters and values at hand. */
        private void choose() {
            for (int k = 0; k < policies.length; k++) {
                double[] theta = index.of(k, parameters);
                if (byModel) {
                    valuations[k].improve(theta, policies[k]);
                    logPolicies[k] = policies[k].logPolicy();
                } else {
                    double[] probabilities = valuations[k].logit().probabilities(theta);
                    double[] logs = Arrays.stream(probabilities).map(Math::log).toArray();
                    logPolicies[k] = visits.scatter(logs, model.utility().rows());
                }
            }
        }

        @Override
        public long passes() {
            return process.passes().count();
        }
    }
}
