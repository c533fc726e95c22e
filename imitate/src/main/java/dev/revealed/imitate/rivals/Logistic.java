package dev.revealed.imitate.rivals;

/** The logistic function and its logarithm, exact where they are tiny. */
final class Logistic {
    private Logistic() {}

    /** 1 / (1 + e^-x). */
    static double sigmoid(double x) {
        double e = Math.exp(-Math.abs(x));
        return x >= 0 ? 1 / (1 + e) : e / (1 + e);
    }

    /** log(1 + e^x). */
    static double softplus(double x) {
        return Math.max(x, 0) + Math.log1p(Math.exp(-Math.abs(x)));
    }
}
