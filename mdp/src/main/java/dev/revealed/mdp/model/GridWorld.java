package dev.revealed.mdp.model;

import dev.revealed.mdp.Kernel;
import dev.revealed.mdp.Mdp;
import dev.revealed.numeric.BadInput;

/**
 * A square board with five moves: right, left, down, up, stay. With probability {@code slip} the move is replaced by one of
 * the five drawn at random; a move off the board stays. State {@code row * size + column}.
 */
public record GridWorld(int size, double slip) {
    public static final int ACTIONS = 5;
    private static final int[] ROW_STEP = {0, 0, 1, -1, 0};
    private static final int[] COLUMN_STEP = {1, -1, 0, 0, 0};

    public GridWorld {
        if (size < 1 || size > 20_000) {
            throw new BadInput("a board of size " + size, "Choose a size from 1 to 20000.");
        }
        if (!(slip >= 0 && slip <= 1)) {
            throw new BadInput("a slip probability of " + slip, "Choose one in [0, 1].");
        }
    }

    public int states() {
        return size * size;
    }

    public Kernel kernel() {
        return Kernel.of(states(), ACTIONS, (state, action, row) -> {
            for (int move = 0; move < ACTIONS; move++) {
                row.add(target(state, move), slip / ACTIONS + (move == action ? 1 - slip : 0));
            }
        });
    }

    public Mdp mdp(double discount) {
        return Mdp.uniformStart(kernel(), discount);
    }

    private int target(int state, int move) {
        int row = state / size + ROW_STEP[move];
        int column = state % size + COLUMN_STEP[move];
        boolean onBoard = row >= 0 && row < size && column >= 0 && column < size;
        return onBoard ? row * size + column : state;
    }
}
