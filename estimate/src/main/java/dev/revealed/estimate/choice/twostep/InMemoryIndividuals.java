package dev.revealed.estimate.choice.twostep;

import dev.revealed.numeric.RandomStream;
import java.util.Arrays;
import java.util.Comparator;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * Individuals in memory.
 *
 * @param paths {@code [individual][t]}, the row of each decision
 * @param rows how many rows there are
 * @param stream of the estimation
 */
record InMemoryIndividuals(int[][] paths, int rows, RandomStream stream) implements TdIndividuals {
    @Override
    public TdMoves all() {
        return moves(i -> true);
    }

    @Override
    public TdMoves[] parts(Dealing dealing, int parts) {
        int[] part = dealt(dealing, parts);
        return IntStream.range(0, parts).mapToObj(f -> moves(i -> part[i] == f)).toArray(TdMoves[]::new);
    }

    @Override
    public TdMoves[] others(Dealing dealing, int parts) {
        int[] part = dealt(dealing, parts);
        return IntStream.range(0, parts).mapToObj(f -> moves(i -> part[i] != f)).toArray(TdMoves[]::new);
    }

    /** The part of each individual. */
    int[] dealt(Dealing dealing, int parts) {
        return switch (dealing) {
            case TOGETHER -> new int[paths.length];
            case HELD_OUT -> folds(paths, parts);
            case ROBUST -> TdIndividuals.dealt(paths.length, parts, stream.named(FOLDS));
        };
    }

    /** Dealt out from an order of the paths themselves. So the order of the individuals in a file does not matter. */
    static int[] folds(int[][] paths, int folds) {
        int[] order = IntStream.range(0, paths.length)
                .boxed()
                .sorted(Comparator.comparing(i -> paths[i], Arrays::compare))
                .mapToInt(i -> i)
                .toArray();
        int[] ofPlace = TdIndividuals.dealt(paths.length, folds, TdIndividuals.heldOut());
        int[] fold = new int[paths.length];
        for (int place = 0; place < order.length; place++) {
            fold[order[place]] = ofPlace[place];
        }
        return fold;
    }

    private TdMoves moves(IntPredicate which) {
        int n = 0;
        for (int i = 0; i < paths.length; i++) {
            n += which.test(i) ? Math.max(0, paths[i].length - 1) : 0;
        }
        double[] counts = new double[rows];
        int[] from = new int[n];
        int[] to = new int[n];
        double[] times = new double[n];
        Arrays.fill(times, 1);
        int m = 0;
        for (int i = 0; i < paths.length; i++) {
            for (int t = 0; t < paths[i].length && which.test(i); t++) {
                counts[paths[i][t]]++;
                if (t > 0) {
                    from[m] = paths[i][t - 1];
                    to[m++] = paths[i][t];
                }
            }
        }
        return new TdMoves(counts, from, to, times);
    }
}
