package dev.revealed.estimate.choice.twostep;

import dev.revealed.estimate.choice.Observations;
import dev.revealed.mdp.choice.KeptIndividuals;
import dev.revealed.mdp.choice.Paths;
import dev.revealed.mdp.choice.Survey;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Vec;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Individuals whose paths others may hold: they add up moves by part, and what individuals contribute to the covariance of
 * an estimate. Parts are dealt out by the individuals' numbers, since whoever holds some paths cannot put all of them in order.
 */
final class SurveyedIndividuals implements TdIndividuals {
    /** What is asked, the first number of a question; then how individuals are dealt, and into how many parts. */
    private static final int MOVES = 0;

    private static final int CONTRIBUTIONS = 1;

    private final int[] row; // of each observation; -1 where nothing was chosen
    private final int rows;
    private final int size;
    private final RandomStream stream;
    private final Survey survey;
    private final Map<Dealing, int[]> dealt = new ConcurrentHashMap<>();
    private final TdMoves all;

    /**
     * @param row of each observation among those of the visited states; -1 where nothing was chosen
     * @param rows how many there are
     * @param stream of the estimation
     */
    SurveyedIndividuals(KeptIndividuals individuals, int[] row, int rows, RandomStream stream) {
        this.row = row;
        this.rows = rows;
        this.stream = stream;
        size = individuals.size();
        survey = individuals.survey("moves", this::answer);
        all = parts(Dealing.TOGETHER, 1)[0];
    }

    /** The row of each observation among those of the visited states; -1 where nothing was chosen. */
    int[] rows() {
        return row;
    }

    @Override
    public TdMoves all() {
        return all;
    }

    @Override
    public TdMoves[] parts(Dealing dealing, int parts) {
        double[][] counts = new double[parts][rows];
        Pairs[] pairs = new Pairs[parts];
        Arrays.setAll(pairs, f -> new Pairs());
        for (double[][] found : survey.ask(new double[] {MOVES, dealing.code, parts})) {
            for (int f = 0; f < parts; f++) {
                for (int n = 0; n < found[2 * f].length; n += 2) {
                    counts[f][(int) found[2 * f][n]] += found[2 * f][n + 1];
                }
                pairs[f].add(found[2 * f + 1]);
            }
        }
        TdMoves[] moves = new TdMoves[parts];
        Arrays.setAll(moves, f -> pairs[f].moves(counts[f]));
        return moves;
    }

    @Override
    public TdMoves[] others(Dealing dealing, int parts) {
        TdMoves[] own = parts(dealing, parts);
        TdMoves[] others = new TdMoves[parts];
        for (int f = 0; f < parts; f++) {
            double[] counts = new double[rows];
            Pairs pairs = new Pairs();
            for (int g = 0; g < parts; g++) {
                if (g != f) {
                    Vec.axpy(1, own[g].counts(), counts);
                    pairs.add(own[g]);
                }
            }
            others[f] = pairs.moves(counts);
        }
        return others;
    }

    /** Pairs of rows, and how often each was seen. */
    private final class Pairs {
        private final TreeMap<Long, Double> times = new TreeMap<>();

        void add(int from, int to, double more) {
            times.merge((long) from * rows + to, more, Double::sum);
        }

        void add(TdMoves moves) {
            for (int m = 0; m < moves.from().length; m++) {
                add(moves.from()[m], moves.to()[m], moves.times()[m]);
            }
        }

        void add(double[] packed) {
            for (int n = 0; n < packed.length; n += 3) {
                add((int) packed[n], (int) packed[n + 1], packed[n + 2]);
            }
        }

        double[] packed() {
            double[] packed = new double[3 * times.size()];
            int n = 0;
            for (Map.Entry<Long, Double> pair : times.entrySet()) {
                packed[n++] = pair.getKey() / rows;
                packed[n++] = pair.getKey() % rows;
                packed[n++] = pair.getValue();
            }
            return packed;
        }

        TdMoves moves(double[] counts) {
            double[] packed = packed();
            int n = times.size();
            int[] from = new int[n];
            int[] to = new int[n];
            double[] how = new double[n];
            for (int m = 0; m < n; m++) {
                from[m] = (int) packed[3 * m];
                to[m] = (int) packed[3 * m + 1];
                how[m] = packed[3 * m + 2];
            }
            return new TdMoves(counts, from, to, how);
        }
    }

    /**
     * What individuals contribute, each the sum over its path of numbers known by observation and by move.
     *
     * @param observations {@code [part][number][observation]}
     * @param moves {@code [part][number][move]}, the moves those of all
     */
    record Contributions(Dealing dealing, double[][][] observations, double[][][] moves) {}

    /**
     * @param sum over the individuals
     * @param outer sum of the outer products
     */
    record Sums(double[] sum, double[][] outer) {}

    Sums sums(Contributions contributions) {
        int parts = contributions.observations.length;
        int width = contributions.observations[0].length;
        double[][] question = new double[2 + 2 * parts * width][];
        question[0] = new double[] {CONTRIBUTIONS, contributions.dealing.code, parts};
        question[1] = new double[all.from().length];
        Arrays.setAll(question[1], m -> (double) all.from()[m] * rows + all.to()[m]);
        for (int f = 0; f < parts; f++) {
            System.arraycopy(contributions.observations[f], 0, question, 2 + 2 * f * width, width);
            System.arraycopy(contributions.moves[f], 0, question, 2 + (2 * f + 1) * width, width);
        }
        double[][] sums = survey.sum(question);
        return new Sums(sums[0], Arrays.copyOfRange(sums, 1, sums.length));
    }

    private int[] dealt(Dealing dealing, int parts) {
        return switch (dealing) {
            case TOGETHER -> new int[0];
            case HELD_OUT ->
                dealt.computeIfAbsent(dealing, d -> TdIndividuals.dealt(size, parts, TdIndividuals.heldOut()));
            case ROBUST -> dealt.computeIfAbsent(dealing, d -> TdIndividuals.dealt(size, parts, stream.named(FOLDS)));
        };
    }

    private double[][] answer(double[][] question, Paths some) {
        int parts = (int) question[0][2];
        int[] part = dealt(Dealing.of(question[0][1]), parts);
        return question[0][0] == MOVES ? moves(part, parts, some) : contributions(question, part, parts, some);
    }

    private double[][] moves(int[] part, int parts, Paths some) {
        double[][] counts = new double[parts][rows];
        Pairs[] pairs = new Pairs[parts];
        Arrays.setAll(pairs, f -> new Pairs());
        some.forEach((i, weight, path, length) -> {
            int f = part.length == 0 ? 0 : part[i];
            int before = -1;
            for (int t = 0; t < length; t++) {
                int own = row[path[t]];
                if (own >= 0) {
                    counts[f][own]++;
                    if (before >= 0) {
                        pairs[f].add(before, own, 1);
                    }
                    before = own;
                }
            }
        });
        double[][] found = new double[2 * parts][];
        for (int f = 0; f < parts; f++) {
            found[2 * f] = packed(counts[f]);
            found[2 * f + 1] = pairs[f].packed();
        }
        return found;
    }

    /** The numbers that are not zero, each after its place. */
    private static double[] packed(double[] counts) {
        double[] packed =
                new double[2 * (int) Arrays.stream(counts).filter(n -> n > 0).count()];
        int at = 0;
        for (int r = 0; r < counts.length; r++) {
            if (counts[r] > 0) {
                packed[at++] = r;
                packed[at++] = counts[r];
            }
        }
        return packed;
    }

    private double[][] contributions(double[][] question, int[] part, int parts, Paths some) {
        int width = (question.length - 2) / (2 * parts);
        double[] own = new double[width];
        double[][] sums = new double[1 + width][width];
        double[][] outer = Arrays.copyOfRange(sums, 1, sums.length);
        some.forEach((i, weight, path, length) -> {
            int first = 2 + 2 * width * (part.length == 0 ? 0 : part[i]);
            Arrays.fill(own, 0);
            int before = -1;
            for (int t = 0; t < length; t++) {
                int here = row[path[t]];
                int move =
                        here < 0 || before < 0 ? -1 : Arrays.binarySearch(question[1], (double) before * rows + here);
                for (int j = 0; j < width; j++) {
                    own[j] += question[first + j][path[t]] + (move < 0 ? 0 : question[first + width + j][move]);
                }
                before = here;
            }
            Vec.axpy(1, own, sums[0]);
            Observations.addOuter(1, own, outer);
        });
        return sums;
    }
}
