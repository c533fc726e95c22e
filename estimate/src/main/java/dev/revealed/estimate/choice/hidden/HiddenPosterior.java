package dev.revealed.estimate.choice.hidden;

/**
 * Where the individuals of a panel stand in a hidden variable, given all that they chose.
 *
 * @param visits by state, the hidden variable included: how many decisions are expected to have been made in it
 * @param expected by row of the states that the panel names: how often the model expects each choice
 */
public record HiddenPosterior(double[] visits, double[] expected) {}
