package dev.revealed.data.panel;

import dev.revealed.mdp.choice.ChoiceModel;

/**
 * What the codes of rows mean. A row with a decision has the code place * actions + action, where the place is that of its
 * state; a row without has one that begins after all of those, in the order of places.
 */
public interface RowCodes {
    int places();

    int actions();

    default int code(int place, int action) {
        return action < 0 ? places() * actions() + place : place * actions() + action;
    }

    /** Whether a row with this code has a decision. */
    default boolean decided(int code) {
        return code < places() * actions();
    }

    default int place(int code) {
        return decided(code) ? code / actions() : code - places() * actions();
    }

    /** The action of a row, or -1. */
    default int action(int code) {
        return decided(code) ? code % actions() : -1;
    }

    /** The state that a place stands for. */
    default int state(int place) {
        return place;
    }

    /** The model, which may depend on what was seen. */
    ChoiceModel model(PanelCounts counts);

    /**
     * How the law moved an individual from one row to the next: {@code into[2 v]} is the cell of part v, and
     * {@code into[2 v + 1]} the outcome, which is negative where the law rules it out.
     */
    void move(ChoiceModel model, int before, int code, int[] into);
}
