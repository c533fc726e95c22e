package dev.revealed.estimate.choice.inference;

import dev.revealed.estimate.choice.ChoiceProblem;
import dev.revealed.estimate.choice.DataChecks;
import dev.revealed.mdp.Trajectory;
import dev.revealed.mdp.choice.Panel;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.RandomStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/**
 * A panel in two parts: one to estimate from, and one kept aside to judge the estimate by.
 *
 * @param rest what is left for the estimation
 * @param aside what is kept aside
 */
public record HeldOut(Panel rest, Panel aside) {

    /** Individuals drawn at random, so large a share of all. */
    public static HeldOut individuals(Panel panel, double share, RandomStream stream) {
        int n = panel.size();
        int count = (int) Math.round(share * n);
        BadInput.when(
                !(share > 0 && share < 1) || count < 1 || count >= n,
                "a share of %s of %d individuals held out".formatted(share, n),
                "Hold out at least one and leave at least one: a share between 0 and 1, such as 0.2.");
        int[] order = new int[n];
        Arrays.setAll(order, i -> i);
        for (int i = n - 1; i > 0; i--) {
            int j = stream.nextInt(i + 1);
            int kept = order[i];
            order[i] = order[j];
            order[j] = kept;
        }
        boolean[] aside = new boolean[n];
        Arrays.stream(order, 0, count).forEach(i -> aside[i] = true);
        List<Panel.Individual> kept = new ArrayList<>();
        List<Panel.Individual> out = new ArrayList<>();
        for (int i = 0; i < n; i++) {
            (aside[i] ? out : kept).add(panel.individuals().get(i));
        }
        return new HeldOut(panel.with(kept), panel.with(out));
    }

    /** The last decisions of each individual that has more of them. */
    public static HeldOut lastDecisions(Panel panel, int count) {
        BadInput.when(count < 1, "%d periods held out".formatted(count), "Hold out at least one.");
        BadInput.when(
                panel.unseen() > 0,
                "periods cannot be held out where actions are missing and summed over",
                "Hold out individuals, or say missing: dropped in the model's data.");
        BadInput.when(
                !panel.common().isEmpty(),
                "periods cannot be held out where variables are aggregate",
                "Hold out individuals: moves of aggregate variables belong to all of them.");
        List<Panel.Individual> kept = new ArrayList<>();
        List<Panel.Individual> out = new ArrayList<>();
        for (Panel.Individual one : panel.individuals()) {
            int n = one.choices().length();
            if (n > count) {
                kept.add(part(one, 0, n - count, n - count + 1));
                out.add(part(one, n - count, n, one.choices().states().length));
            } else {
                kept.add(one);
            }
        }
        BadInput.when(
                out.isEmpty(),
                "no individual has more than %d decisions".formatted(count),
                "Hold out fewer periods, or individuals.");
        return new HeldOut(panel.with(kept), panel.with(out));
    }

    /** Decisions from one to before another, and the states and moves up to a place that may lie one beyond. */
    private static Panel.Individual part(Panel.Individual one, int from, int to, int end) {
        int last = end > to && !(end <= one.cells()[0].length && one.follows(to)) ? to : end;
        int[] actions = Objects.requireNonNull(one.choices().actions());
        int[][] cells = new int[one.cells().length][];
        int[][] outcomes = new int[cells.length][];
        for (int v = 0; v < cells.length; v++) {
            cells[v] = Arrays.copyOfRange(one.cells()[v], from, last);
            outcomes[v] = Arrays.copyOfRange(one.outcomes()[v], from, last);
            if (from > 0) {
                cells[v][0] = -1; // that move was counted with the decisions before
            }
        }
        return one.doing(
                new Trajectory(
                        Arrays.copyOfRange(one.choices().states(), from, last), Arrays.copyOfRange(actions, from, to)),
                cells,
                outcomes);
    }

    /**
     * How likely the choices kept aside are. Log-likelihoods are sums with the individuals' weights.
     *
     * @param perDecision the mean with the same weights
     * @param uniform if every available action were as likely as every other
     */
    public record Score(int individuals, long decisions, double logLikelihood, double perDecision, double uniform) {
        public static Score of(ChoiceProblem aside, double logLikelihood) {
            double weight = Arrays.stream(aside.choiceCounts()).sum();
            return new Score(
                    aside.panel().size(),
                    aside.panel().decisions(),
                    logLikelihood,
                    logLikelihood / weight,
                    DataChecks.uniformLogLikelihood(aside));
        }

        /** The mean if every available action were as likely as every other. */
        public double uniformPerDecision() {
            return uniform * (perDecision / logLikelihood);
        }
    }
}
