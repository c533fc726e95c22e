package dev.revealed.app.estimate;

import dev.revealed.app.Outcome;
import dev.revealed.app.view.LineChart;
import dev.revealed.app.view.LineChart.Mark;
import dev.revealed.app.view.LineChart.Series;
import dev.revealed.app.view.Numbers;
import dev.revealed.app.view.Panels;
import dev.revealed.app.view.Picture;
import dev.revealed.app.view.Scale;
import dev.revealed.estimate.choice.ChoiceProblem;
import dev.revealed.estimate.choice.hidden.RecursiveIntegration;
import dev.revealed.mdp.SoftPolicy;
import dev.revealed.mdp.choice.ChoiceModel;
import dev.revealed.mdp.choice.Panel;
import dev.revealed.mdp.choice.StateSpace;
import dev.revealed.numeric.Normal;
import dev.revealed.numeric.Vec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** An estimated choice model against its data: what was chosen, what the future is worth, what each action gives. */
final class ChoicePictures {
    /** Observations are gathered along a variable into at most so many groups of like size. */
    private static final int GROUPS = 20;

    /** More slices or panels than this are unreadable. */
    private static final int SLICES = 5;

    private static final int PANELS = 9;

    private final ChoiceModel model;
    private final StateSpace space;
    private final int actions;
    private final List<Type> types;
    private final double[][] covariance;
    private final double reach;
    private final Optional<double[]> mixture;
    private final double[] counts;
    private final double[] visits;

    /** A kind of individual: the only one, or one of several unobserved types. */
    private record Type(String name, double[] theta, SoftPolicy policy) {}

    /**
     * @param thetas the utility's parameters, of each type where there are several
     * @param covariance of these, or empty
     * @param mixture how often each row is expected by all individuals together, where these differ
     */
    ChoicePictures(
            ChoiceModel model,
            Panel panel,
            List<double[]> thetas,
            double[] phi,
            double[][] covariance,
            Optional<double[]> mixture,
            double level) {
        this.mixture = mixture;
        this.model = model;
        space = model.space();
        actions = model.actions().size();
        types = IntStream.range(0, thetas.size())
                .mapToObj(k -> new Type(
                        thetas.size() == 1 ? "" : "type " + (k + 1), thetas.get(k), model.solve(thetas.get(k), phi)))
                .toList();
        this.covariance = covariance;
        reach = -Normal.quantile((1 - level) / 2);
        ChoiceProblem problem = new ChoiceProblem(model, panel);
        counts = problem.choiceCounts();
        visits = problem.visits();
    }

    /** Adds all that there are, each file's name after a prefix. */
    Outcome addTo(Outcome outcome, String prefix) {
        if (variables(space).length == 0) {
            return outcome;
        }
        return outcome.picture(
                        prefix + "choices",
                        choices(),
                        "Points: how often an action was taken, with intervals, neighbouring states together where there are"
                                + " many. Line: the model, averaged over the same observations.")
                .picture(
                        prefix + "utility",
                        utility(),
                        "What an action gives in the period itself" + (types.size() == 1 ? ", with intervals." : "."))
                .picture(
                        prefix + "value",
                        value(),
                        "What the present and the future together are worth, less that of the best state.");
    }

    /** Variables that vary, in their order. */
    static int[] variables(StateSpace space) {
        return IntStream.range(0, space.variables().size())
                .filter(v -> space.variables().get(v).size() > 1)
                .toArray();
    }

    /** A panel per action and variable; of two actions the second suffices. */
    private Picture choices() {
        int last = RecursiveIntegration.hidden(model).isPresent()
                ? space.variables().size() - 1
                : space.variables().size();
        int[] shown = Arrays.stream(variables(space)).filter(v -> v < last).toArray(); // data show no hidden variable
        List<LineChart> panels = new ArrayList<>();
        for (int a = actions == 2 ? 1 : 0; a < actions && panels.size() + shown.length <= PANELS; a++) {
            for (int v : shown) {
                panels.add(chosen(a, v));
            }
        }
        return together("Choices against data", panels);
    }

    private static LineChart chart(int width, int height, String x, String y) {
        return LineChart.titled("").size(width, height).x(x, Scale.LINEAR).y(y, Scale.LINEAR);
    }

    /** A variable, and where those stand that are not shown. */
    private String axis(int variable, int... shown) {
        return space.variables().get(variable).name() + elsewhere(space, most(visits), shown);
    }

    private static Picture together(String title, List<LineChart> panels) {
        return panels.size() == 1 ? panels.getFirst().size(640, 360) : new Panels(title, 2, List.copyOf(panels));
    }

    /** How often an action was chosen along a variable, and how often the model says. */
    private LineChart chosen(int action, int variable) {
        StateSpace.Variable along = space.variables().get(variable);
        double[] seen = new double[along.size()];
        double[] taken = new double[along.size()];
        for (int s = 0; s < visits.length; s++) {
            int x = space.coordinate(s, variable);
            seen[x] += visits[s];
            taken[x] += counts[s * actions + action];
        }
        LineChart chart = chart(420, 300, along.name(), "P(" + model.actions().get(action) + ")");
        int[] visited =
                IntStream.range(0, along.size()).filter(x -> seen[x] > 0).toArray();
        double[] at = read(visited, x -> along.values()[x]);
        if (mixture.isPresent()) {
            double[] expected = new double[along.size()];
            for (int s = 0; s < visits.length; s++) {
                expected[space.coordinate(s, variable)] += mixture.get()[s * actions + action];
            }
            chart = chart.with(Series.of("all together", at, read(visited, x -> expected[x] / seen[x])));
        }
        for (Type type : types.size() > 1 || mixture.isEmpty() ? types : List.<Type>of()) {
            double[] expected = new double[along.size()];
            for (int s = 0; s < visits.length; s++) {
                expected[space.coordinate(s, variable)] +=
                        visits[s] * type.policy.policy()[s * actions + action];
            }
            chart = chart.with(Series.of(
                    type.name.isEmpty() ? "model" : type.name, at, read(visited, x -> expected[x] / seen[x])));
        }
        List<LineChart.Point> groups = groups(along.values(), seen, taken);
        return chart.with(new Series("data", groups, Mark.POINTS, LineChart.Spread.BARS));
    }

    /** Neighbouring values taken together until they hold enough observations: place, share, and ends of its interval. */
    private List<LineChart.Point> groups(double[] values, double[] seen, double[] taken) {
        double enough = Arrays.stream(seen).sum() / GROUPS;
        boolean single = Arrays.stream(seen).filter(n -> n > 0).count() <= GROUPS;
        List<LineChart.Point> groups = new ArrayList<>();
        double n = 0;
        double k = 0;
        double place = 0;
        for (int x = 0; x < values.length; x++) {
            n += seen[x];
            k += taken[x];
            place += seen[x] * values[x];
            double left = Arrays.stream(seen, x + 1, seen.length).sum();
            boolean full = n >= enough && left >= enough / 2; // a small rest joins the group before it
            if (n > 0 && (single || full || left == 0)) {
                groups.add(wilson(place / n, k, n));
                n = 0;
                k = 0;
                place = 0;
            }
        }
        return groups;
    }

    /** Wilson's interval of a share: valid also where the action was chosen never or always. */
    private LineChart.Point wilson(double place, double k, double n) {
        double z2 = reach * reach;
        double middle = (k + z2 / 2) / (n + z2);
        double half = reach / (n + z2) * Math.sqrt(k * (n - k) / n + z2 / 4);
        return new LineChart.Point(place, k / n, Math.max(0, middle - half), Math.min(1, middle + half));
    }

    /**
     * Flow utility of each action along the first variable, other variables where the panel mostly is; each action on its
     * own scale, since a replacement costs many times what a month of upkeep does.
     */
    private Picture utility() {
        int variable = variables(space)[0];
        int[] states = along(space, variable, most(visits));
        double[] variance = variances();
        List<LineChart> panels = new ArrayList<>();
        for (int a = 0; a < actions && panels.size() < PANELS; a++) {
            int action = a;
            double[] margin = read(states, s -> reach * Math.sqrt(variance[s * actions + action]));
            LineChart chart = chart(
                    420,
                    300,
                    axis(variable, variable),
                    "utility of " + model.actions().get(a));
            boolean something = actions == 1;
            for (Type type : types) {
                double[] rows = new double[counts.length];
                model.utility().values(type.theta, rows);
                double[] u = read(states, s -> rows[s * actions + action]);
                chart = chart.with(Series.of(type.name, places(variable), u)
                        .band(Vec.plus(u, -1, margin), Vec.plus(u, 1, margin)));
                something |= Vec.maxAbs(u) > 0 || Vec.maxAbs(margin) > 0;
            }
            if (something) { // else it is nothing, and known to be nothing
                panels.add(chart);
            }
        }
        return together("Utility per period", panels);
    }

    /** Variance of the utility of each row by the delta method, exact since it is linear; NaN without a covariance. */
    private double[] variances() {
        double[] variance = new double[counts.length];
        double[] theta = types.getFirst().theta;
        if (covariance.length < theta.length || types.size() > 1) {
            Arrays.fill(variance, Double.NaN);
            return variance;
        }
        double[][] columns = model.utility().derivatives(theta);
        for (int row = 0; row < variance.length; row++) {
            for (int j = 0; j < theta.length; j++) {
                for (int k = 0; k < theta.length; k++) {
                    variance[row] += columns[j][row] * covariance[j][k] * columns[k][row];
                }
            }
        }
        return variance;
    }

    /** The value along the first variable, for a few values of the second. */
    private Picture value() {
        int[] shown = variables(space);
        int variable = shown[0];
        int base = most(visits);
        LineChart chart = chart(640, 360, axis(variable, shown), "value");
        if (types.size() > 1) {
            for (Type type : types) {
                chart = chart.with(valued(type, type.name, variable, base));
            }
            return chart;
        }
        int slices = shown.length < 2
                ? 1
                : Math.min(SLICES, space.variables().get(shown[1]).size());
        for (int i = 0; i < slices; i++) {
            int from = base;
            String name = "";
            if (shown.length > 1) {
                StateSpace.Variable second = space.variables().get(shown[1]);
                int x = slices == 1 ? 0 : (int) Math.round(i * (second.size() - 1.0) / (slices - 1));
                from += (x - space.coordinate(base, shown[1])) * space.stride(shown[1]);
                name = second.name() + " = " + Numbers.significant(second.values()[x], 4);
            }
            chart = chart.with(valued(types.getFirst(), name, variable, from));
        }
        return chart;
    }

    private Series valued(Type type, String name, int variable, int from) {
        double[] values = type.policy.values();
        double highest = Arrays.stream(values).max().orElse(0);
        return Series.of(name, places(variable), read(along(space, variable, from), s -> values[s] - highest));
    }

    static int most(double[] visits) {
        int most = 0;
        for (int s = 1; s < visits.length; s++) {
            most = visits[s] > visits[most] ? s : most;
        }
        return most;
    }

    /** The states met when one variable runs through its values and the others stay. */
    static int[] along(StateSpace space, int variable, int base) {
        int stride = space.stride(variable);
        int start = base - space.coordinate(base, variable) * stride;
        return IntStream.range(0, space.variables().get(variable).size())
                .map(x -> start + x * stride)
                .toArray();
    }

    private double[] places(int variable) {
        return space.variables().get(variable).values().clone();
    }

    static double[] read(int[] states, java.util.function.IntToDoubleFunction of) {
        return Arrays.stream(states).mapToDouble(of).toArray();
    }

    /** Where the variables stand that are not shown; of those shown, no more than two are. */
    static String elsewhere(StateSpace space, int state, int... shown) {
        StringBuilder text = new StringBuilder();
        for (int v : variables(space)) {
            if (Arrays.stream(shown).limit(2).noneMatch(w -> w == v)) {
                text.append(text.isEmpty() ? " at " : ", ")
                        .append(space.variables().get(v).name())
                        .append(" = ")
                        .append(Numbers.significant(space.value(state, v), 4));
            }
        }
        return text.toString();
    }
}
