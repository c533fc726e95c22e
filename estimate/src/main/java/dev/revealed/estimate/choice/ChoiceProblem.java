package dev.revealed.estimate.choice;

import dev.revealed.estimate.Problem;
import dev.revealed.mdp.Likelihood;
import dev.revealed.mdp.choice.ChoiceModel;
import dev.revealed.mdp.choice.Panel;

/** A model and the panel that is to decide its parameters. */
public record ChoiceProblem(ChoiceModel model, Panel panel) {

    /** The second step: choices on a process whose transition law is known. */
    public Problem problem(double[] phi) {
        return new Problem(model.mdp(phi), model.cost(), model.utility(), panel.choices(), Problem.Objective.PANEL, 0);
    }

    /** How often each (state, action) was chosen. */
    public double[] choiceCounts() {
        double[] counts = new double[model.utility().rows()];
        for (Panel.Individual individual : panel.individuals()) {
            Likelihood.addChoices(individual.choices(), model.actions().size(), counts);
        }
        return counts;
    }

    /** The first step: the transition law by maximum likelihood from the moves alone. */
    public FirstStage firstStage() {
        return FirstStage.of(model.law(), panel);
    }

    public ChoiceProblem withPanel(Panel other) {
        return new ChoiceProblem(model, other);
    }
}
