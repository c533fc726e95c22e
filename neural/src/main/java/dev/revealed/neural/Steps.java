package dev.revealed.neural;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One descent step of a network, cut into tasks that may run in any order, even at once. A task computes the gradient of
 * some rows of a layer's weights and lets Adam use it while it is still in the cache; the whole gradient never exists.
 */
public final class Steps {
    private static final int ROWS = 32;

    /** Inputs {@code from} to {@code to - 1} of a layer; the layer's biases where there are none. */
    private record Piece(int layer, int from, int to, int size) {}

    private final Mlp shape;
    private final List<Piece> pieces = new ArrayList<>();
    private final ThreadLocal<float[]> scratch;

    Steps(Mlp shape) {
        this.shape = shape;
        for (int layer = 0; layer < shape.layers(); layer++) {
            int in = shape.in(layer);
            int out = shape.out(layer);
            for (int from = 0; from < in; from += ROWS) {
                int to = Math.min(in, from + ROWS);
                pieces.add(new Piece(layer, from, to, (to - from) * out));
            }
            pieces.add(new Piece(layer, 0, 0, out));
        }
        int largest = pieces.stream().mapToInt(Piece::size).max().orElseThrow();
        scratch = ThreadLocal.withInitial(() -> new float[largest]);
    }

    int count() {
        return pieces.size();
    }

    /** After {@link Adam#begin} and the backward pass: one piece of the step, with targets following. */
    void take(int task, Tape tape, int rows, Adam adam, float[] theta, float @Nullable [] target, float pull) {
        Piece piece = pieces.get(task);
        int layer = piece.layer;
        float[] gradient = scratch.get();
        int at;
        if (piece.from == piece.to) {
            at = shape.biases(layer);
            tape.biasGradient(layer, rows, gradient, 0, false);
        } else {
            at = shape.weights(layer) + piece.from * shape.out(layer);
            tape.weightGradient(layer, piece.from, piece.to, rows, gradient, 0, false);
        }
        adam.apply(theta, at, gradient, piece.size, target, pull);
    }

    /** The copies that the next backward pass needs, those of the first layer excepted. */
    void transpose(Network network) {
        for (int layer = 1; layer < shape.layers(); layer++) {
            network.transpose(layer);
        }
    }
}
