package dev.revealed.estimate.choice.counterfactual;

import dev.revealed.estimate.choice.Mixture;
import dev.revealed.estimate.choice.counterfactual.Effects.Comparison;
import dev.revealed.estimate.choice.counterfactual.Uncertainty.Range;
import dev.revealed.mdp.Kernel;
import dev.revealed.mdp.choice.ChoiceModel;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.Closest;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Vec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * What an estimated model says of circumstances nobody has seen. Both sides of a comparison are computed from the same
 * parameters, drawn or moved together, so that the interval of a difference is that of the difference. A parameter that is
 * set has no error.
 *
 * @param estimate theta, then phi
 * @param covariance of both, in that order; not finite where it is not known
 * @param start distribution of the individuals over the states when the change comes
 * @param horizon number of periods over which actions are counted
 * @param numeraire a parameter of the utility in whose units welfare is expressed as well
 * @param mixture the population, where individuals differ: theta is then what it is a function of
 */
public record Counterfactual(
        ChoiceModel model,
        double[] estimate,
        double[][] covariance,
        double[] start,
        int horizon,
        Optional<String> numeraire,
        Intervals intervals,
        Optional<Mixture> mixture) {

    public Counterfactual {
        BadInput.when(
                model.law().ends().length > 0,
                "the model ends, and a counterfactual of this kind compares long runs, which such a model does not have",
                "Estimate a model without `ends`, or simulate this one at other parameters.");
        int p = mixture.map(all -> all.names().size()).orElse(model.utility().parameters())
                + model.law().parameters();
        if (estimate.length != p
                || covariance.length != p
                || Arrays.stream(covariance).anyMatch(row -> row.length != p)) {
            throw new BadInput(
                    "%d estimates and a covariance of %d rows for a model of %d parameters"
                            .formatted(estimate.length, covariance.length, p),
                    "Give those of the utility, then those of the transition law.");
        }
        if (horizon < 1) {
            throw new BadInput("the horizon is " + horizon, "Count actions over at least one period.");
        }
        if (start.length != model.states()) {
            throw new BadInput(
                    "the start distribution has %d entries for %d states".formatted(start.length, model.states()),
                    "Give one probability per state.");
        }
        numeraire.ifPresent(name -> Closest.place(
                "there is no utility parameter '%s' to measure welfare in".formatted(name),
                name,
                model.utility().names(),
                "They are"));
    }

    /** Of individuals who are alike. */
    public Counterfactual(
            ChoiceModel model,
            double[] estimate,
            double[][] covariance,
            double[] start,
            int horizon,
            Optional<String> numeraire,
            Intervals intervals) {
        this(model, estimate, covariance, start, horizon, numeraire, intervals, Optional.empty());
    }

    /** Over 12 periods, with both kinds of intervals at 95 %. */
    public static Counterfactual of(
            ChoiceModel model, double[] theta, double[] phi, double[][] covariance, double[] start) {
        return new Counterfactual(
                model, Vec.joined(theta, phi), covariance, start, 12, Optional.empty(), Intervals.STANDARD);
    }

    public Counterfactual over(int periods) {
        return new Counterfactual(model, estimate, covariance, start, periods, numeraire, intervals, mixture);
    }

    public Counterfactual inUnitsOf(String parameter) {
        return new Counterfactual(
                model, estimate, covariance, start, horizon, Optional.of(parameter), intervals, mixture);
    }

    public Counterfactual with(Intervals other) {
        return new Counterfactual(model, estimate, covariance, start, horizon, numeraire, other, mixture);
    }

    /** Everything that a change does. */
    public Effects effects(Change change, RandomStream stream, ProgressListener listener) {
        Scenario before = Scenario.estimated(model, mixture);
        Scenario after = change.of(model, mixture);
        before.check(estimate);
        after.check(estimate);
        Layout layout = new Layout();
        List<double[]> guessBefore = values(solve(before, estimate, List.of(), new Kernels()));
        List<double[]> guessAfter = values(solve(after, estimate, List.of(), new Kernels()));
        Uncertainty.Result result = new Uncertainty(estimate, covariance, intervals)
                .of(
                        x -> before.admits(x) && after.admits(x)
                                ? Optional.of(layout.numbers(
                                        solve(before, x, guessBefore, new Kernels()),
                                        solve(after, x, guessAfter, new Kernels())))
                                : Optional.empty(),
                        layout::range,
                        layout.scalars,
                        stream,
                        listener);
        return layout.effects(result);
    }

    /** How often an action is expected to be taken as a parameter takes each of some values, all else as changed. */
    public Demand demand(
            Change change,
            String parameter,
            double[] values,
            String action,
            int individuals,
            RandomStream stream,
            ProgressListener listener) {
        int taken =
                Closest.place("there is no action '%s'".formatted(action), action, model.actions(), "The actions are");
        if (individuals < 1 || values.length == 0) {
            throw new BadInput(
                    "a demand curve of %d values for %d individuals".formatted(values.length, individuals),
                    "Give at least one of each.");
        }
        List<Scenario> scenarios = new ArrayList<>();
        List<List<double[]>> guesses = new ArrayList<>();
        for (int i = 0; i < values.length; i++) {
            Scenario scenario = change.set(parameter, values[i]).of(model, mixture);
            scenario.check(estimate);
            scenarios.add(scenario);
            guesses.add(values(solve(scenario, estimate, i == 0 ? List.of() : guesses.get(i - 1), new Kernels())));
        }
        Range range = Range.upTo((double) individuals * horizon);
        int n = values.length;
        Uncertainty.Result result = new Uncertainty(estimate, covariance, intervals)
                .of(
                        x -> {
                            if (!scenarios.stream().allMatch(s -> s.admits(x))) {
                                return Optional.empty();
                            }
                            double[] numbers = new double[2 * n];
                            Kernels kernels = new Kernels();
                            for (int i = 0; i < n; i++) {
                                for (Solved part : solve(scenarios.get(i), x, guesses.get(i), kernels)) {
                                    Behaviour behaviour = part.behaviour;
                                    double share = behaviour.shares(behaviour.longRun(start))[taken];
                                    double many = part.weight * individuals;
                                    numbers[i] += many * horizon * share;
                                    numbers[n + i] += many * behaviour.expected(start, horizon)[taken];
                                }
                            }
                            return Optional.of(numbers);
                        },
                        i -> range,
                        2 * n,
                        stream,
                        listener);
        return new Demand(
                parameter,
                action,
                horizon,
                individuals,
                values.clone(),
                result.quantities().part(0, n),
                result.quantities().part(n, 2 * n),
                result.rejected(),
                result.warnings());
    }

    /** A part of the population, its behaviour, and how much less a period is worth than the one before. */
    private record Solved(double weight, Behaviour behaviour, double[] theta, double rate) {}

    /** @param guesses soft values of the parts to begin with; none begins from nothing */
    private static List<Solved> solve(Scenario scenario, double[] parameters, List<double[]> guesses, Kernels kernels) {
        List<Solved> all = new ArrayList<>();
        Kernel kernel = kernels.at(scenario.model(), scenario.phi(parameters));
        for (Mixture.Part part : scenario.parts(parameters)) {
            ChoiceModel own = scenario.model(part);
            double[] guess = all.size() < guesses.size() ? guesses.get(all.size()) : new double[own.states()];
            all.add(new Solved(
                    part.weight(), Behaviour.of(own, kernel, part.theta(), guess), part.theta(), 1 - own.discount()));
        }
        return all;
    }

    private static List<double[]> values(List<Solved> parts) {
        return parts.stream().map(part -> part.behaviour.values().clone()).toList();
    }

    /** The kernel last made, since along a demand curve the law mostly stays the same. */
    private static final class Kernels {
        private double[] phi = new double[0];
        private Optional<Kernel> last = Optional.empty();

        Kernel at(ChoiceModel model, double[] wanted) {
            if (last.isEmpty() || !Arrays.equals(phi, wanted)) {
                phi = wanted;
                last = Optional.of(model.law().kernel(wanted));
            }
            return last.get();
        }
    }

    /** Where each quantity stands among the numbers of a comparison: three times, before, after and the change. */
    private final class Layout {
        private record Block(int first, int size, Range range) {}

        private final List<Block> blocks = new ArrayList<>();
        private final Block shares = block(model.actions().size(), Range.upTo(1));
        private final Block longRun = block(model.actions().size(), Range.upTo(horizon));
        private final Block fromStart = block(model.actions().size(), Range.upTo(horizon));
        private final Block value = block(1, Range.REAL);
        private final Block annuity = block(1, Range.REAL);
        private final Block atStationary = block(1, Range.REAL);
        private final Block flow = block(1, Range.REAL);
        private final Block valueInNumeraire = block(1, Range.REAL);
        private final Block annuityInNumeraire = block(1, Range.REAL);
        private final int scalars = 3 * length();
        private final Block choiceProbabilities = block(model.utility().rows(), Range.upTo(1));
        private final Block stationary = block(model.states(), Range.upTo(1));
        private final Block values = block(model.states(), Range.REAL);

        private int length() {
            return blocks.isEmpty() ? 0 : blocks.getLast().first + blocks.getLast().size;
        }

        private Block block(int size, Range range) {
            Block block = new Block(length(), size, range);
            blocks.add(block);
            return block;
        }

        Range range(int index) {
            for (Block block : blocks) {
                int within = index - 3 * block.first;
                if (within < 3 * block.size) {
                    return within < 2 * block.size ? block.range : block.range.ofDifferences();
                }
            }
            throw new IndexOutOfBoundsException(index);
        }

        /** Means over the parts of the population. */
        double[] numbers(List<Solved> before, List<Solved> after) {
            double[] sum = new double[3 * length()];
            for (int k = 0; k < before.size(); k++) {
                Vec.axpy(before.get(k).weight, numbers(before.get(k), after.get(k)), sum);
            }
            return sum;
        }

        private double[] numbers(Solved one, Solved other) {
            double[] numbers = new double[3 * length()];
            Behaviour before = one.behaviour;
            Behaviour after = other.behaviour;
            double[] home = before.longRun(start);
            double unit = numeraire
                    .map(name -> Math.abs(one.theta[model.utility().names().indexOf(name)]))
                    .orElse(1.0);
            fill(numbers, 0, before, home, home, one.rate, unit);
            fill(numbers, 1, after, after.longRun(start), home, other.rate, unit);
            for (Block block : blocks) {
                int first = 3 * block.first;
                for (int i = first; i < first + block.size; i++) {
                    numbers[i + 2 * block.size] = numbers[i + block.size] - numbers[i];
                }
            }
            return numbers;
        }

        private void fill(
                double[] numbers, int side, Behaviour b, double[] own, double[] home, double rate, double unit) {
            double[] share = b.shares(own);
            double fromHere = b.mean(start);
            put(numbers, side, shares, share);
            put(numbers, side, longRun, Vec.plus(new double[share.length], horizon, share));
            put(numbers, side, fromStart, b.expected(start, horizon));
            put(numbers, side, value, fromHere);
            put(numbers, side, annuity, rate * fromHere);
            put(numbers, side, atStationary, b.mean(home));
            put(numbers, side, flow, rate * b.mean(own));
            put(numbers, side, valueInNumeraire, fromHere / unit);
            put(numbers, side, annuityInNumeraire, rate * fromHere / unit);
            put(numbers, side, choiceProbabilities, b.probabilities());
            put(numbers, side, stationary, own);
            put(numbers, side, values, b.values());
        }

        private void put(double[] numbers, int side, Block block, double... own) {
            System.arraycopy(own, 0, numbers, 3 * block.first + side * block.size, block.size);
        }

        private Comparison comparison(Quantities all, Block block) {
            int first = 3 * block.first;
            int size = block.size;
            return new Comparison(
                    all.part(first, first + size),
                    all.part(first + size, first + 2 * size),
                    all.part(first + 2 * size, first + 3 * size));
        }

        Effects effects(Uncertainty.Result result) {
            Quantities all = result.quantities();
            return new Effects(
                    horizon,
                    comparison(all, shares),
                    comparison(all, longRun),
                    comparison(all, fromStart),
                    new Effects.Welfare(
                            comparison(all, value),
                            comparison(all, annuity),
                            comparison(all, atStationary),
                            comparison(all, flow),
                            numeraire.map(name -> comparison(all, valueInNumeraire)),
                            numeraire.map(name -> comparison(all, annuityInNumeraire))),
                    comparison(all, choiceProbabilities),
                    comparison(all, stationary),
                    comparison(all, values),
                    result.rejected(),
                    result.warnings());
        }
    }
}
