package dev.revealed.api;

/**
 * The transition law of a finite decision process: writes the successors of one state and action.
 *
 * {@snippet :
 * Transitions moves = (state, action, next) -> {
 *     next.add(1 - state, action == 1 ? 0.9 : 0.1);
 *     next.add(state, action == 1 ? 0.1 : 0.9);
 * };
 * }
 */
@FunctionalInterface
public interface Transitions {
    /** Calls {@code next.add} once for each successor; their probabilities sum to 1. */
    void write(int state, int action, Next next);

    /** Receives the successors of one state and action. */
    @FunctionalInterface
    interface Next {
        /** Adds a successor, for example {@code next.add(3, 0.5)}; probabilities of the same successor add up. */
        void add(int successor, double probability);
    }
}
