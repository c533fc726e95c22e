package dev.revealed.estimate.choice.inference;

import dev.revealed.mdp.choice.Panel;
import dev.revealed.numeric.BadInput;
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

    /** Refuses sampling weights where they are no numbers of independent observations, as this kind needs. */
    public void check(Panel panel) {
        BadInput.when(
                panel.weighted() && panel.weights() == Panel.Weights.SAMPLING && (this == OPG || this == HESSIAN),
                "standard errors by %s do not hold with sampling weights".formatted(words),
                "Use cluster, sandwich or bootstrap.");
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
