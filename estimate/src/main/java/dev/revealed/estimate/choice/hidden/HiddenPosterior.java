package dev.revealed.estimate.choice.hidden;

/**
 * Smoothed probabilities of a hidden variable's nodes, given all choices of each individual, summed over a panel.
 *
 * @param visits by state, the hidden variable included: how many decisions are expected to have been made in it
 * @param expected by row of the states that the panel names: how often the model expects each choice
 */
public record HiddenPosterior(double[] visits, double[] expected) {}
