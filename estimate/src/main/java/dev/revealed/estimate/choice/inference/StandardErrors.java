package dev.revealed.estimate.choice.inference;

import java.util.Locale;

/** What a likelihood's standard errors are made of; docs/guide/inference.md says when to prefer which. */
public enum StandardErrors {
    /** Outer products of the scores of single observations, as Rust (1987). */
    OPG("outer product of the scores"),
    HESSIAN("inverse Hessian"),
    /** Robust to a wrong model, observations independent. */
    SANDWICH("sandwich"),
    /** Robust also to dependence within an individual. */
    CLUSTER("sandwich, clustered by individual"),
    /** Individuals drawn anew, everything estimated again. */
    BOOTSTRAP("bootstrap over individuals");

    private final String words;

    StandardErrors(String words) {
        this.words = words;
    }

    public String words() {
        return words;
    }

    /** The same where the panel says which individuals belong together. */
    public String wordsOfClusters() {
        return words.replace("by individual", "by the panel's clusters").replace("over individuals", "over clusters");
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
