package dev.revealed.data;

import dev.revealed.mdp.choice.ChoiceModel;
import dev.revealed.mdp.choice.Panel;

/** What an estimation starts from: a model, and a panel seen through it. */
public record ChoiceData(ChoiceModel model, Panel panel) {}
