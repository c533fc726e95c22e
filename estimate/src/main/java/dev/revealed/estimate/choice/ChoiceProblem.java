package dev.revealed.estimate.choice;

import dev.revealed.estimate.Problem;
import dev.revealed.mdp.choice.ChoiceModel;
import dev.revealed.mdp.choice.HiddenProcess;
import dev.revealed.mdp.choice.ObservationCounts;
import dev.revealed.mdp.choice.Panel;
import dev.revealed.mdp.choice.TransitionFamily;
import dev.revealed.mdp.choice.TransitionLaw;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.RandomStream;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * A model and the panel that is to decide its parameters.
 *
 * @param startingValues where searches for theta begin; empty where each method chooses for itself, mostly zero
 */
public record ChoiceProblem(ChoiceModel model, Panel panel, double[] startingValues) {

    public ChoiceProblem(ChoiceModel model, Panel panel) {
        this(model, panel, new double[0]);
    }

    /** Refuses choices that the model rules out: their likelihood would be zero whatever the parameters. */
    public ChoiceProblem {
        List<String> names = model.utility().names();
        startingValues = startingValues.clone();
        if (startingValues.length != 0 && startingValues.length != names.size()) {
            throw new BadInput(
                    "the start has %d parameters, the utility %d".formatted(startingValues.length, names.size()),
                    "Give one number for each of " + String.join(", ", names) + ".");
        }
        for (int j = 0; j < startingValues.length; j++) {
            BadInput.finite("the starting value of " + names.get(j), startingValues[j]);
        }
        int actions = model.actions().size();
        boolean rows = panel.counts().isEmpty();
        if (rows) {
            panel.individuals().forEach(one -> checkNumbers(model, one));
        }
        double[] counts = choiceCounts(model, panel);
        for (int row = 0; row < counts.length; row++) {
            if (counts[row] > 0 && model.cost().logWeight(row) == Double.NEGATIVE_INFINITY) {
                throw new BadInput(
                        "action '%s' was chosen in state %s, where the model says it is not available"
                                .formatted(
                                        model.actions().get(row % actions),
                                        model.space().describe(row / actions)),
                        "Either the model or the data is wrong.");
            }
        }
        if (rows) {
            for (Panel.Individual individual : panel.individuals()) {
                checkMoves(model, individual);
                checkUnseen(model, individual);
            }
        } // what was counted was checked when it was read
    }

    /** Refuses a decision without an action that no available action can have been. */
    private static void checkUnseen(ChoiceModel model, Panel.Individual individual) {
        int actions = model.actions().size();
        for (int[] pair : individual.unseen()) {
            BadInput.when(
                    IntStream.range(0, actions)
                            .noneMatch(a -> model.cost().logWeight(pair[0] * actions + a) > Double.NEGATIVE_INFINITY
                                    && MissingActions.possible(model.law(), pair[0], a, pair[1])),
                    "individual %s went from state %s to %s, which no available action makes possible"
                            .formatted(
                                    individual.name(),
                                    model.space().describe(pair[0]),
                                    model.space().describe(pair[1])),
                    "Either the transition law or the data is wrong.");
        }
    }

    /** What individuals contribute, {@code [individual][parameter]}, with nothing from periods with common moves. */
    public double[][] byUnit(double[][] contribution) {
        double[][] all = Arrays.copyOf(contribution, panel.units());
        Arrays.setAll(all, i -> i < contribution.length ? contribution[i] : new double[contribution[0].length]);
        return all;
    }

    /** Refuses states and actions that the model does not have. */
    private static void checkNumbers(ChoiceModel model, Panel.Individual one) {
        BadInput.placed("individual " + one.name(), () -> {
            for (int state : one.choices().states()) {
                BadInput.index("state", state, model.states());
            }
            for (int action : Objects.requireNonNull(one.choices().actions())) {
                BadInput.index("action", action, model.actions().size());
            }
            BadInput.when(
                    one.cells().length != model.law().parts().size(),
                    "%d state variables move and the model has %d"
                            .formatted(one.cells().length, model.law().parts().size()),
                    "Build the panel with the law of this model.");
            return one;
        });
    }

    /** Refuses moves that the law rules out. */
    private static void checkMoves(ChoiceModel model, Panel.Individual one) {
        TransitionLaw law = model.law();
        int[] states = one.choices().states();
        int[] actions = Objects.requireNonNull(one.choices().actions());
        for (int v = 0; v < law.parts().size(); v++) {
            for (int t = 1; t < states.length; t++) {
                if (one.follows(t) && law.outcome(v, states[t - 1], actions[t - 1], states[t]) < 0) {
                    throw law.impossible(v, states[t - 1], model.actions().get(actions[t - 1]), states[t], "")
                            .in("individual %s, decision %d".formatted(one.name(), t));
                }
            }
            TransitionFamily family = law.parts().get(v).family();
            for (int t = 0; t < one.cells()[v].length; t++) {
                int cell = one.cells()[v][t];
                int outcome = one.outcomes()[v][t];
                if (cell >= 0
                        && !(cell < family.cells()
                                && outcome >= 0
                                && outcome < family.outcomes(cell)
                                && family.possible(cell, outcome))) {
                    throw new BadInput(
                            "individual %s: outcome %d of cell %d moved %s to decision %d, which the law rules out"
                                    .formatted(
                                            one.name(),
                                            outcome,
                                            cell,
                                            law.space().variables().get(v).name(),
                                            t),
                            "Either the transition law or the data is wrong: such a move can never be observed.");
                }
            }
        }
    }

    /** Refuses a model with a hidden variable, for methods that do not integrate over it. */
    public void refuseHidden() {
        BadInput.when(
                model.law().parts().getLast().family() instanceof HiddenProcess,
                "the model has a hidden variable, over whose paths this method does not integrate",
                "Use `method` recursive, or leave out hidden.");
    }

    /** The second step: choices on a process whose transition law is known. */
    public Problem problem(double[] phi) {
        refuseHidden();
        model.needLogit("This method");
        return new Problem(model.mdp(phi), model.cost(), model.utility(), panel.spells(), Problem.Objective.PANEL, 0);
    }

    /** The same for the likelihood of the choices alone, which needs no more than how often each was made. */
    public Problem choices(double[] phi) {
        refuseHidden();
        model.needLogit("This method");
        return panel.counts().isEmpty() && !panel.weighted()
                ? problem(phi)
                : Problem.counted(model.mdp(phi), model.cost(), model.utility(), choiceCounts());
    }

    /** How often each state was seen in which something was chosen. */
    public double[] visits() {
        return visits(choiceCounts(), model.actions().size());
    }

    static double[] visits(double[] counts, int actions) {
        double[] visits = new double[counts.length / actions];
        for (int row = 0; row < counts.length; row++) {
            visits[row / actions] += counts[row];
        }
        return visits;
    }

    /** {@code [individual][t]}: the row s*A + a of each decision. */
    public int[][] chosenRows() {
        return panel.individuals().stream()
                .map(individual -> {
                    int[] states = individual.choices().states();
                    int[] chosen =
                            Objects.requireNonNullElse(individual.choices().actions(), new int[0]);
                    return IntStream.range(0, chosen.length)
                            .map(t -> states[t] * model.actions().size() + chosen[t])
                            .toArray();
                })
                .toArray(int[][]::new);
    }

    /** How often each (state, action) was chosen. */
    public double[] choiceCounts() {
        return choiceCounts(model, panel);
    }

    private static double[] choiceCounts(ChoiceModel model, Panel panel) {
        Optional<ObservationCounts> known = panel.counts();
        if (known.isPresent()) {
            return known.get().choices(model.utility().rows());
        }
        double[] counts = new double[model.utility().rows()];
        for (Panel.Individual individual : panel.individuals()) {
            int[] states = individual.choices().states();
            int[] chosen = Objects.requireNonNull(individual.choices().actions());
            for (int t = 0; t < chosen.length; t++) {
                counts[states[t] * model.actions().size() + chosen[t]] += individual.weight();
            }
        }
        return counts;
    }

    /** The sum over the rows of a path of a quantity known by row. */
    public static double sum(double[] rows, int[] path) {
        double sum = 0;
        for (int row : path) {
            sum += rows[row];
        }
        return sum;
    }

    /** Where a search for theta begins: at the starting values, or at the model's own, mostly zero. */
    public double[] start() {
        return startGiven() ? startingValues.clone() : model.utility().initial(RandomStream.of(1));
    }

    /** Whether somebody chose where searches begin. */
    public boolean startGiven() {
        return startingValues.length > 0;
    }

    /** The same problem with other starting values; none lets each method choose for itself. */
    public ChoiceProblem startingAt(double... theta) {
        return new ChoiceProblem(model, panel, theta);
    }

    /** The first step: the transition law by maximum likelihood from the moves alone. */
    public FirstStage firstStage() {
        return FirstStage.of(model.law(), panel);
    }

    public ChoiceProblem withPanel(Panel other) {
        return new ChoiceProblem(model, other, startingValues);
    }
}
