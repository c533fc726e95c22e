package dev.revealed.estimate.choice.mixed;

import dev.revealed.estimate.choice.ChoiceProblem;
import dev.revealed.estimate.choice.FirstStage;
import dev.revealed.estimate.choice.RowScores;
import dev.revealed.mdp.choice.ChoiceModel;
import dev.revealed.mdp.choice.Panel;
import dev.revealed.numeric.Parallel;
import dev.revealed.numeric.Vec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The likelihood of a panel whose individuals differ: of each the mean, over the points of the distribution, of the
 * probability of all its choices. The model is solved at every point, for every combination of covariates.
 */
final class MixedLikelihood {
    /** Solved models are kept from one call to the next up to this many. */
    private static final int MOST_KEPT = 400;

    private final ChoiceModel model;
    private final FirstStage first;
    private final Population population;
    private final NormalQuadrature nodes;
    private final int count;
    private final int[][] paths;
    private final double[] weights;
    private final List<double[]> groups = new ArrayList<>(); // covariates
    private final List<List<Integer>> members = new ArrayList<>();
    private final @Nullable RowScores[][] kept;
    private final AtomicLong passes = new AtomicLong();

    /**
     * What was found at some parameters.
     *
     * @param logLikelihood of all individuals, with their weights
     * @param posterior {@code [individual][point]}
     * @param scores {@code [individual][parameter]}, of the coordinates of the search
     * @param lawScores {@code [individual][parameter of the law]}
     */
    record Value(double logLikelihood, double[][] posterior, double[][] scores, double[][] lawScores) {}

    MixedLikelihood(ChoiceProblem problem, FirstStage first, Population population) {
        this.first = first;
        this.population = population;
        model = problem.model();
        nodes = population.nodes();
        count = population.count(nodes);
        paths = problem.chosenRows();
        weights = problem.panel().individuals().stream()
                .mapToDouble(Panel.Individual::weight)
                .toArray();
        Map<List<Double>, Integer> known = new LinkedHashMap<>();
        for (int i = 0; i < paths.length; i++) {
            double[] own = population.interactions().isEmpty()
                    ? new double[0]
                    : problem.panel().individuals().get(i).covariates();
            int group = known.computeIfAbsent(Arrays.stream(own).boxed().toList(), k -> {
                groups.add(own);
                members.add(new ArrayList<>());
                return groups.size() - 1;
            });
            members.get(group).add(i);
        }
        kept = new RowScores[groups.size()][count];
    }

    double[] weights() {
        return weights;
    }

    long passes() {
        return passes.get();
    }

    /**
     * The likelihood at parameters of the search.
     *
     * @param derivatives whether scores are wanted
     * @param law whether also those of the transition law
     */
    Value at(double[] search, boolean derivatives, boolean law) {
        double[] reported = signed(search);
        int shown = law ? FirstStage.shown(first.phi()) : 0;
        int own = population.utility().size() + (population.discount() ? 1 : 0);
        double[][] likelihoods = new double[paths.length][count];
        double[][][] sums = new double[derivatives ? paths.length : 0][count][own + shown];
        boolean keep = !population.discount() && shown == 0 && groups.size() * count <= MOST_KEPT;
        Parallel.tasks(groups.size() * count, task -> {
            int g = task / count;
            int k = task % count;
            node(g, k, reported, derivatives, shown, keep, likelihoods, sums);
        });
        double[] prior = population.logWeights(search, nodes);
        double total = 0;
        double[][] posterior = new double[paths.length][count];
        double[][] scores = new double[derivatives ? paths.length : 0][population.size()];
        double[][] lawScores = new double[derivatives ? paths.length : 0][shown];
        for (int g = 0; g < groups.size(); g++) {
            for (int i : members.get(g)) {
                double[] joint = Vec.plus(likelihoods[i], 1, prior);
                double largest = Arrays.stream(joint).max().orElse(0);
                Arrays.setAll(posterior[i], k -> Math.exp(joint[k] - largest));
                double sum = Vec.sum(posterior[i]);
                int one = i;
                Arrays.setAll(posterior[i], k -> posterior[one][k] / sum);
                total += weights[i] * (largest + Math.log(sum));
                for (int k = 0; derivatives && k < count; k++) {
                    population.spread(posterior[i][k], sums[i][k], nodes, k, groups.get(g), scores[i]);
                    for (int l = 0; l < shown; l++) {
                        lawScores[i][l] += posterior[i][k] * sums[i][k][own + l];
                    }
                }
                if (derivatives) {
                    population.addMembership(search, posterior[i], scores[i]);
                    if (population.discount()) {
                        double b = population.discountOf(reported, 0);
                        scores[i][population.size() - 1] *= b * (1 - b);
                    }
                }
            }
        }
        return new Value(total, posterior, scores, lawScores);
    }

    /** How often each row is expected to be chosen, each individual being of a part with its posterior probability. */
    double[] expectedChoices(double[] search) {
        double[][] posterior = at(search, false, false).posterior();
        double[] reported = signed(search);
        int actions = model.actions().size();
        double[] expected = new double[model.utility().rows()];
        for (int g = 0; g < groups.size(); g++) {
            for (int k = 0; k < count; k++) {
                double[] policy = model.withDiscount(population.discountOf(reported, model.discount()))
                        .solve(population.theta(reported, nodes, k, groups.get(g)), first.phi())
                        .policy();
                for (int i : members.get(g)) {
                    double weight = weights[i] * posterior[i][k];
                    for (int row : paths[i]) {
                        int begin = row / actions * actions;
                        for (int a = begin; a < begin + actions; a++) {
                            expected[a] += weight * policy[a];
                        }
                    }
                }
            }
        }
        return expected;
    }

    /** As reported, but for the sign of standard deviations. */
    private double[] signed(double[] search) {
        double[] reported = population.reported(search);
        for (int at : population.deviations()) {
            reported[at] = search[at];
        }
        return reported;
    }

    private void node(
            int g,
            int k,
            double[] reported,
            boolean derivatives,
            int shown,
            boolean keep,
            double[][] likelihoods,
            double[][][] sums) {
        double[] theta = population.theta(reported, nodes, k, groups.get(g));
        int p = theta.length;
        RowScores scores = kept[g][k];
        if (scores == null || !keep) {
            ChoiceModel own = population.discount()
                    ? model.withDiscount(population.discountOf(reported, model.discount()))
                    : model;
            scores = new RowScores(own, new double[model.utility().rows()], first.phi(), shown > 0);
            kept[g][k] = keep ? scores : null;
        }
        double[] at = shown > 0 ? Vec.joined(theta, first.phi()) : theta;
        long before = scores.passes();
        scores.solve(at);
        double[] logPolicy = scores.policy().logPolicy();
        double[][] rows = derivatives ? scores.scores(at) : new double[0][];
        double[] ofDiscount = derivatives && population.discount() ? scores.discountScores() : new double[0];
        passes.addAndGet(scores.passes() - before);
        for (int i : members.get(g)) {
            likelihoods[i][k] = ChoiceProblem.sum(logPolicy, paths[i]);
            for (int j = 0; derivatives && j < p; j++) {
                sums[i][k][j] = ChoiceProblem.sum(rows[j], paths[i]);
            }
            if (derivatives && population.discount()) {
                sums[i][k][p] = ChoiceProblem.sum(ofDiscount, paths[i]);
            }
            for (int l = 0; derivatives && l < shown; l++) {
                sums[i][k][sums[i][k].length - shown + l] = ChoiceProblem.sum(rows[p + l], paths[i]);
            }
        }
    }
}
