package dev.revealed.estimate.choice.counterfactual;

import dev.revealed.estimate.choice.Mixture;
import dev.revealed.estimate.choice.counterfactual.Effects.Comparison;
import dev.revealed.estimate.choice.counterfactual.Uncertainty.Range;
import dev.revealed.mdp.choice.ChoiceModel;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.Closest;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Vec;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * What an estimated model with a horizon says of circumstances nobody has seen, period by period: such a model has a path
 * and no long run. Both sides are computed from the same parameters, as in {@link Counterfactual}.
 *
 * @param estimate theta, then phi
 * @param covariance of both, in that order; not finite where it is not known
 * @param start distribution over the states; those of the earliest period in it are where the path begins
 * @param numeraire a parameter of the utility in whose units welfare is expressed as well
 * @param mixture the population, where individuals differ: theta is then what it is a function of
 */
public record PathCounterfactual(
        ChoiceModel model,
        double[] estimate,
        double[][] covariance,
        double[] start,
        Optional<String> numeraire,
        Intervals intervals,
        Optional<Mixture> mixture) {

    /**
     * What a change does along the path.
     *
     * @param periods what they are called, from the first of the path to the last
     * @param shares of the actions in each period: {@code period * actions + action}
     * @param numbers expected number of each action over the whole path
     * @param value expected discounted utility at the beginning
     * @param rejected draws of impossible parameters, which were drawn again
     */
    public record Effects(
            double[] periods,
            Comparison shares,
            Comparison numbers,
            Comparison value,
            Optional<Comparison> valueInNumeraire,
            int rejected,
            List<String> warnings) {}

    public PathCounterfactual {
        BadInput.when(
                !model.law().horizon(),
                "the model has no horizon, so that its path never ends",
                "Ask for its long run instead.");
        int p = mixture.map(all -> all.names().size()).orElse(model.utility().parameters())
                + model.law().parameters();
        BadInput.when(
                estimate.length != p || covariance.length != p || start.length != model.states(),
                "%d estimates, a covariance of %d rows and a start of %d states for a model of %d parameters and %d states"
                        .formatted(estimate.length, covariance.length, start.length, p, model.states()),
                "Give those of this model.");
        numeraire.ifPresent(name -> Closest.place(
                "there is no utility parameter '%s' to measure welfare in".formatted(name),
                name,
                model.utility().names(),
                "They are"));
        start = earliest(model, start);
    }

    private static int layer(ChoiceModel model) {
        return model.space().stride(0);
    }

    /** The part of a distribution that lies in its earliest period, as a distribution. */
    private static double[] earliest(ChoiceModel model, double[] all) {
        int size = layer(model);
        for (int first = 0; first < all.length - size; first += size) {
            double mass = Vec.sum(Arrays.copyOfRange(all, first, first + size));
            if (mass > 0) {
                double[] own = new double[all.length];
                for (int s = first; s < first + size; s++) {
                    own[s] = all[s] / mass;
                }
                return own;
            }
        }
        throw new BadInput(
                "no individual is observed before the end of the horizon", "Give a start in some period of it.");
    }

    private int first() {
        int s = 0;
        while (start[s] == 0) {
            s++;
        }
        return s / layer(model);
    }

    private double[] periods() {
        double[] all = model.space().variables().getFirst().values();
        return Arrays.copyOfRange(all, first(), all.length - 1);
    }

    /** Everything that a change does. */
    public Effects effects(Change change, RandomStream stream, ProgressListener listener) {
        Scenario before = Scenario.estimated(model, mixture);
        Scenario after = change.of(model, mixture);
        before.check(estimate);
        after.check(estimate);
        int actions = model.actions().size();
        int shares = periods().length * actions;
        int side = shares + actions + 2;
        Uncertainty.Result result = new Uncertainty(estimate, covariance, intervals)
                .of(
                        x -> before.admits(x) && after.admits(x)
                                ? Optional.of(numbers(x, before, after, side))
                                : Optional.empty(),
                        i -> range(i / side, i % side, shares),
                        3 * side,
                        stream,
                        listener);
        Quantities all = result.quantities();
        return new Effects(
                periods(),
                comparison(all, side, 0, shares),
                comparison(all, side, shares, shares + actions),
                comparison(all, side, shares + actions, shares + actions + 1),
                numeraire.map(name -> comparison(all, side, shares + actions + 1, side)),
                result.rejected(),
                result.warnings());
    }

    private Range range(int part, int place, int shares) {
        Range own = place < shares
                ? Range.upTo(1)
                : place < shares + model.actions().size() ? Range.upTo(periods().length) : Range.REAL;
        return part < 2 ? own : own.ofDifferences();
    }

    private static Comparison comparison(Quantities all, int side, int from, int to) {
        return new Comparison(
                all.part(from, to), all.part(side + from, side + to), all.part(2 * side + from, 2 * side + to));
    }

    private double[] numbers(double[] x, Scenario before, Scenario after, int side) {
        double[] numbers = new double[3 * side];
        List<Mixture.Part> parts = before.parts(x);
        List<Mixture.Part> changed = after.parts(x);
        for (int k = 0; k < parts.size(); k++) { // welfare of each part in its own units, before the change
            double[] theta = parts.get(k).theta();
            double unit = numeraire
                    .map(name -> Math.abs(theta[model.utility().names().indexOf(name)]))
                    .orElse(1.0);
            double[] own = Vec.joined(path(before, parts.get(k), x, unit), path(after, changed.get(k), x, unit));
            for (int i = 0; i < own.length; i++) {
                numbers[i] += parts.get(k).weight() * own[i];
            }
        }
        for (int i = 0; i < side; i++) {
            numbers[2 * side + i] = numbers[side + i] - numbers[i];
        }
        return numbers;
    }

    /** Shares by period, numbers of actions, and the value at the start. */
    private double[] path(Scenario scenario, Mixture.Part part, double[] x, double unit) {
        ChoiceModel changed = scenario.model(part);
        Behaviour behaviour =
                Behaviour.of(changed, changed.law().kernel(scenario.phi(x)), part.theta(), new double[model.states()]);
        int actions = model.actions().size();
        int side = (periods().length + 1) * actions + 2;
        double[] own = new double[side];
        double[] here = start;
        double[] flow = new double[model.utility().rows()];
        int periods = periods().length;
        for (int t = 0; t < periods; t++) {
            double[] shares = behaviour.shares(here);
            for (int a = 0; a < actions; a++) {
                own[t * actions + a] = shares[a];
                own[periods * actions + a] += shares[a];
            }
            for (int row = 0; row < flow.length; row++) {
                flow[row] = here[row / actions] * behaviour.probabilities()[row];
            }
            here = new double[here.length];
            behaviour.process().push(flow, here);
        }
        own[side - 2] = behaviour.mean(start);
        own[side - 1] = own[side - 2] / unit;
        return own;
    }
}
