package dev.revealed.estimate.choice;

import java.util.List;
import java.util.OptionalDouble;

/** A population whose parts behave differently, as a function of estimated parameters. */
public interface Mixture {
    /** The parameters besides those of the transition law. */
    List<String> names();

    /** All parts at given parameters; their weights add up to one. */
    List<Part> parts(double[] parameters);

    /** Whether there is such a population: shares and discounts between 0 and 1. */
    boolean admits(double[] parameters);

    /** A part of the population, its utility parameters, and its discount where that was estimated. */
    record Part(double weight, double[] theta, OptionalDouble discount) {}
}
