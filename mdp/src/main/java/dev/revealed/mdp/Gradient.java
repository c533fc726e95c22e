package dev.revealed.mdp;

import org.jspecify.annotations.Nullable;

/**
 * The gradient of a likelihood with respect to reward parameters.
 *
 * @param vector the gradient
 * @param information the Fisher information of the observed choices, where the score tracks it; else null
 */
public record Gradient(double[] vector, double @Nullable [][] information) {}
