package dev.revealed.numeric;

/** A smooth function of several variables with its gradient. */
@FunctionalInterface
public interface Objective {
    /** Returns f(x) and writes its gradient. */
    double at(double[] x, double[] gradient);
}
