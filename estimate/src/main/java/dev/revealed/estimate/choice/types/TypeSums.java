package dev.revealed.estimate.choice.types;

import dev.revealed.estimate.TypeIndex;
import dev.revealed.estimate.choice.ChoiceProblem;
import dev.revealed.estimate.choice.Observations;
import dev.revealed.mdp.choice.KeptIndividuals;
import dev.revealed.mdp.choice.Paths;
import dev.revealed.mdp.choice.StateSpace;
import dev.revealed.mdp.choice.Survey;
import dev.revealed.numeric.Vec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/**
 * What EM asks of individuals: sums over them, whoever holds their paths. Parameters, choice probabilities and scores go
 * out, a few sums come back; only {@link #posterior} has something of each individual.
 */
final class TypeSums {
    /** What is asked, the first number of a question. */
    private static final int STARTS = 0;

    private static final int EXPECTATION = 1;
    private static final int SCORES = 2;
    private static final int POSTERIOR = 3;

    /** What stands before the tables in all questions but the first: the kind, gamma, starts of groups. */
    private static final int HEAD = 3;

    private final int types;
    private final TypeIndex index;
    private final int actions;
    private final int rows;
    private final int[] row; // of each observation; -1 where nothing was chosen
    private final boolean single; // individuals in memory are groups of their own
    private final Survey survey;
    private final int[] starts; // by group, ascending where groups have several members
    private final Membership membership;

    /** @param initial whether the state an individual was first seen in may tell something of its type */
    TypeSums(ChoiceProblem problem, Observations observations, TypeIndex index, boolean initial) {
        types = index.types();
        this.index = index;
        actions = problem.model().actions().size();
        rows = problem.model().utility().rows();
        row = observations.row();
        single = !(problem.panel().individuals() instanceof KeptIndividuals);
        survey = problem.panel().individuals() instanceof KeptIndividuals kept
                ? kept.survey("types", this::answer)
                : Survey.of(observations.paths(), this::answer);
        starts = starts(survey.ask(new double[] {STARTS}), initial);
        StateSpace space = problem.model().space();
        membership = Membership.of(space, starts, types, initial);
    }

    /** One group is enough where it does not matter where individuals started. */
    private int[] starts(List<double[][]> found, boolean initial) {
        if (single) {
            return Arrays.stream(found.getFirst()[0]).mapToInt(s -> (int) s).toArray();
        }
        int[] all = found.stream()
                .flatMapToDouble(part -> Arrays.stream(part[0]))
                .mapToInt(s -> (int) s)
                .distinct()
                .sorted()
                .toArray();
        return initial ? all : Arrays.copyOf(all, 1);
    }

    Membership membership() {
        return membership;
    }

    /**
     * @param logLikelihood of the choices of all
     * @param members {@code [group][type]}: how many are probably of a type
     * @param counts {@code [type][row]}: how often a row was chosen by those of a type, each with its probability
     */
    record Expectation(double logLikelihood, double[][] members, double[][] counts) {}

    Expectation expectation(double[] gamma, double[][] logPolicies) {
        double[][] sums = survey.sum(question(EXPECTATION, gamma, logPolicies));
        int groups = starts.length;
        return new Expectation(
                sums[0][0], Arrays.copyOfRange(sums, 1, 1 + groups), Arrays.copyOfRange(sums, 1 + groups, sums.length));
    }

    /**
     * @param sum of the individuals' scores with respect to the parameters of utility and gamma
     * @param outer sum of the outer products of each individual's scores, after which may stand what else was asked for
     */
    record Scores(double[] sum, double[][] outer) {
        double[][] part(int row, int column, int rows, int columns) {
            return Arrays.stream(outer, row, row + rows)
                    .map(all -> Arrays.copyOfRange(all, column, column + columns))
                    .toArray(double[][]::new);
        }
    }

    /**
     * @param rowScores {@code [type][parameter][row]}: those of utility, and perhaps some of the law
     * @param law {@code [parameter of the law][observation]}: what each observation does to its estimate; perhaps none
     */
    Scores scores(double[] gamma, double[][] logPolicies, double[][][] rowScores, double[][] law) {
        int width = rowScores[0].length;
        double[][] tables = Arrays.copyOf(logPolicies, types * (1 + width) + law.length);
        for (int k = 0; k < types; k++) {
            System.arraycopy(rowScores[k], 0, tables, types + k * width, width);
        }
        System.arraycopy(law, 0, tables, types * (1 + width), law.length);
        double[][] question = question(SCORES, gamma, tables);
        question[0] = new double[] {SCORES, width, law.length};
        double[][] sums = survey.sum(question);
        return new Scores(sums[0], Arrays.copyOfRange(sums, 1, sums.length));
    }

    /** {@code [individual][type]}: the probability of each type given what the individual did. */
    double[][] posterior(double[] gamma, double[][] logPolicies) {
        return survey.ask(question(POSTERIOR, gamma, logPolicies)).stream()
                .flatMap(Arrays::stream)
                .toArray(double[][]::new);
    }

    private double[][] question(int kind, double[] gamma, double[][] tables) {
        double[][] question = new double[HEAD + starts.length + tables.length][];
        question[0] = new double[] {kind};
        question[1] = gamma;
        question[2] = Arrays.stream(starts).asDoubleStream().toArray();
        System.arraycopy(membership.circumstances(), 0, question, HEAD, starts.length);
        System.arraycopy(tables, 0, question, HEAD + starts.length, tables.length);
        return question;
    }

    private double[][] answer(double[][] question, Paths some) {
        return switch ((int) question[0][0]) {
            case STARTS -> firstStates(some);
            case EXPECTATION -> new Weighing(question).expectation(some);
            case SCORES -> new Weighing(question).scores(some, (int) question[0][1], (int) question[0][2]);
            default -> new Weighing(question).posterior(some);
        };
    }

    /** Of each individual in memory, else those that some started in. */
    private double[][] firstStates(Paths some) {
        List<Integer> all = new ArrayList<>();
        BitSet known = new BitSet();
        some.forEach((i, weight, path, length) -> {
            int state = row[path[0]] / actions;
            if (single || !known.get(state)) {
                known.set(state);
                all.add(state);
            }
        });
        return new double[][] {all.stream().mapToDouble(s -> s).toArray()};
    }

    /** Some individuals under the parameters of a question. */
    private final class Weighing {
        private final double[] gamma;
        private final double[] startsHere;
        private final double[][] circumstances;
        private final double[][] priors; // by group, those that were needed
        private final double[][] tables;
        private final double[] likelihood = new double[types];
        private final double[] posterior = new double[types];

        Weighing(double[][] question) {
            gamma = question[1];
            startsHere = question[2];
            circumstances = Arrays.copyOfRange(question, HEAD, HEAD + startsHere.length);
            tables = Arrays.copyOfRange(question, HEAD + startsHere.length, question.length);
            priors = new double[startsHere.length][];
        }

        private int group(int individual, int[] path) {
            if (single || startsHere.length == 1) {
                return single ? individual : 0;
            }
            int start = row[path[0]] / actions;
            return Arrays.binarySearch(startsHere, start);
        }

        /** Finds the posterior of an individual; returns its log-likelihood. */
        private double weigh(int group, int[] path, int length) {
            double[] prior = priors[group];
            if (prior == null) {
                prior = Membership.prior(gamma, circumstances[group], types);
                priors[group] = prior;
            }
            double largest = Double.NEGATIVE_INFINITY;
            for (int k = 0; k < types; k++) {
                likelihood[k] = sum(tables[k], path, length);
                largest = Math.max(largest, likelihood[k]);
            }
            for (int k = 0; k < types; k++) {
                posterior[k] = prior[k] * Math.exp(likelihood[k] - largest);
            }
            return largest + Math.log(Membership.normalise(posterior));
        }

        /** The sum over the choices of a path of a quantity known by row. */
        private double sum(double[] byRow, int[] path, int length) {
            double sum = 0;
            for (int t = 0; t < length; t++) {
                sum += row[path[t]] < 0 ? 0 : byRow[row[path[t]]];
            }
            return sum;
        }

        double[][] expectation(Paths some) {
            int groups = startsHere.length;
            double[][] sums = new double[1 + groups + types][];
            Arrays.setAll(sums, n -> new double[n == 0 ? 1 : n <= groups ? types : rows]);
            some.forEach((i, weight, path, length) -> {
                int group = group(i, path);
                sums[0][0] += weigh(group, path, length);
                Vec.axpy(1, posterior, sums[1 + group]);
                for (int k = 0; k < types; k++) {
                    double[] counts = sums[1 + groups + k];
                    for (int t = 0; t < length; t++) {
                        if (row[path[t]] >= 0) {
                            counts[row[path[t]]] += posterior[k];
                        }
                    }
                }
            });
            return sums;
        }

        double[][] scores(Paths some, int width, int law) {
            int parameters = index.position()[0].length;
            int more = width - parameters; // scores with respect to the law
            int own = index.size() + gamma.length;
            double[] score = new double[own + more + law];
            double[][] sums = new double[1 + score.length][score.length];
            double[][] outer = Arrays.copyOfRange(sums, 1, sums.length);
            double[] ofType = new double[parameters];
            some.forEach((i, weight, path, length) -> {
                int group = group(i, path);
                weigh(group, path, length);
                Arrays.fill(score, 0);
                for (int k = 0; k < types; k++) {
                    int first = types + k * width;
                    for (int j = 0; j < parameters; j++) {
                        ofType[j] = sum(tables[first + j], path, length);
                    }
                    index.add(k, posterior[k], ofType, score);
                    for (int l = 0; l < more; l++) {
                        score[own + l] += posterior[k] * sum(tables[first + parameters + l], path, length);
                    }
                }
                addScore(group, score);
                for (int l = 0; l < law; l++) {
                    double[] influence = tables[types * (1 + width) + l];
                    for (int t = 0; t < length; t++) {
                        score[own + more + l] += influence[path[t]];
                    }
                }
                Vec.axpy(1, score, sums[0]);
                Observations.addOuter(1, score, outer);
            });
            return sums;
        }

        /** Adds the derivative of the individual's log-likelihood with respect to gamma. */
        private void addScore(int group, double[] score) {
            double[] own = circumstances[group];
            for (int k = 0; k < types - 1; k++) {
                for (int v = 0; v < own.length; v++) {
                    score[index.size() + k * own.length + v] += (posterior[k] - priors[group][k]) * own[v];
                }
            }
        }

        double[][] posterior(Paths some) {
            List<double[]> all = new ArrayList<>();
            some.forEach((i, weight, path, length) -> {
                weigh(group(i, path), path, length);
                all.add(posterior.clone());
            });
            return all.toArray(double[][]::new);
        }
    }
}
