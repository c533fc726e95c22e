package dev.revealed.data.model;

import dev.revealed.data.Doubles;
import dev.revealed.data.Ints;
import dev.revealed.mdp.LinearReward;
import dev.revealed.mdp.OffsetReward;
import dev.revealed.mdp.Reward;
import dev.revealed.mdp.rules.RuledReward;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What a model file says actions are worth, and the states after the last period of a horizon. */
final class UtilitySection {
    private final ModelReader model;
    private final Yaml node;
    private final ParameterSection declared;
    private final List<String> parameters;
    private final List<Expression> formulas; // by action
    private final Optional<Yaml> terminal;
    private final @Nullable Expression atTheEnd; // in the row of the one thing to be done there

    UtilitySection(ModelReader model, Yaml node, Optional<Yaml> terminal, ParameterSection declared) {
        this.model = model;
        this.node = node;
        this.declared = declared;
        this.terminal = terminal;
        parameters = declared.free();
        Expression.Scope scope = model.formula(parameters);
        formulas = model.formulas(node, scope);
        terminal.ifPresent(last -> last.badWhen(
                model.clock().isEmpty(),
                "there is a terminal value but no horizon",
                "Say horizon: 40, or leave it out."));
        atTheEnd = terminal.map(last -> ModelReader.parsed(last, scope)).orElse(null);
    }

    Reward reward() {
        boolean linear = formulas.stream().allMatch(Expression::linear) && (atTheEnd == null || atTheEnd.linear());
        return linear ? ruled(linear()) : nonlinear();
    }

    private Reward ruled(Reward linear) {
        return declared.ruled() ? new RuledReward(linear, declared.starts(0), declared.rules()) : linear;
    }

    /** The formula of a row s * actions + a; null where there is nothing to be had. */
    private @Nullable Expression formula(int row) {
        int state = row / formulas.size();
        int action = row % formulas.size();
        return model.ended(state)
                ? action == 0 ? atTheEnd : null
                : model.available(state, action) ? formulas.get(action) : null;
    }

    /** Where the formula of a row stands. */
    private Yaml place(int row) {
        return model.ended(row / formulas.size())
                ? terminal.orElse(node)
                : node.isText()
                        ? node
                        : node.need(model.actions().get(row % formulas.size()), "Give each action its formula.");
    }

    private double[] arguments(int row, double[] into) {
        return model.at(row / formulas.size(), row % formulas.size(), into);
    }

    private int rows() {
        return model.space().size() * formulas.size();
    }

    private void allUsed(boolean[] used) {
        for (int j = 0; j < used.length; j++) {
            node.badWhen(
                    !used[j],
                    "parameter '%s' changes no utility".formatted(parameters.get(j)),
                    "Use it in a formula, or leave it out of parameters: no data could tell its value.");
        }
    }

    /** A utility that is not linear: searches begin at 1 where nothing else is said, since much is flat at 0. */
    private Reward nonlinear() {
        boolean[] used = new boolean[parameters.size()];
        double[] starts = declared.starts(1);
        double[] derivative = new double[used.length];
        @Nullable Expression[] all = new @Nullable Expression[rows()];
        for (int row = 0; row < all.length; row++) {
            Expression formula = formula(row);
            all[row] = formula;
            if (formula != null) {
                formula.used().forEach(j -> used[j] = true);
                double value = formula.dual(arguments(row, model.arguments()), starts, derivative);
                place(row)
                        .badWhen(
                                !Double.isFinite(value)
                                        || !Arrays.stream(derivative).allMatch(Double::isFinite),
                                "at the starting values the formula or its derivative is not finite at %s"
                                        .formatted(model.space().describe(row / formulas.size())),
                                "Give parameters other starting values, for example {start: 0.5, lower: 0}, or guard the"
                                        + " formula with max.");
            }
        }
        allUsed(used);
        Reward reward = new FormulaReward(parameters, all, row -> arguments(row, model.arguments()));
        return new RuledReward(reward, starts, declared.rules());
    }

    private Reward linear() {
        Ints index = new Ints();
        Ints feature = new Ints();
        Doubles value = new Doubles();
        double[] offset = new double[rows()];
        boolean[] used = new boolean[parameters.size()];
        double[] x = model.arguments();
        double[] affine = new double[1 + parameters.size()];
        for (int row = 0; row < offset.length; row++) {
            Expression formula = formula(row);
            if (formula != null) {
                formula.affine(arguments(row, x), affine);
                offset[row] = finite(row, affine[0]);
                for (int j = 0; j < used.length; j++) {
                    if (finite(row, affine[1 + j]) != 0) {
                        used[j] = true;
                        index.add(row);
                        feature.add(j);
                        value.add(affine[1 + j]);
                    }
                }
            }
        }
        allUsed(used);
        LinearReward linear = LinearReward.ofTriplets(
                formulas.size(), false, offset.length, parameters, index.toArray(), feature.toArray(), value.toArray());
        return Arrays.stream(offset).allMatch(known -> known == 0) ? linear : new OffsetReward(linear, offset);
    }

    private double finite(int row, double number) {
        return Double.isFinite(number)
                ? number
                : model.finite(place(row), number, row / formulas.size(), row % formulas.size());
    }
}
