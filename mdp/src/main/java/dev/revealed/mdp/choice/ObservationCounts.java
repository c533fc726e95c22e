package dev.revealed.mdp.choice;

import dev.revealed.mdp.Demonstrations;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.stream.Stream;

/**
 * The different observations of a panel and how often each occurs: a choice, together with the moves that led to it. A
 * likelihood needs no more of a panel, so that its rows need not be kept.
 *
 * <p>Observations are in the order in which they first appear, individual by individual.
 *
 * @param row the row s*A + a that was chosen; -1 for a move after the last decision
 * @param cell {@code [observation][part]}, -1 where no move was seen
 * @param outcome {@code [observation][part]}, -1 where no move was seen
 * @param count sums of weights
 * @param squares sums of squared weights, or of weights where these are frequencies: how much chance counts
 * @param individuals how many there are
 * @param decisions that count
 * @param totalWeight of the individuals
 * @param weighted whether some individuals count more than others
 * @param gaps whether some individual was not observed for a while
 * @param clustered whether individuals belong to named clusters
 */
public record ObservationCounts(
        int[] row,
        int[][] cell,
        int[][] outcome,
        double[] count,
        double[] squares,
        long individuals,
        long decisions,
        double totalWeight,
        boolean weighted,
        boolean gaps,
        boolean clustered) {

    public int size() {
        return row.length;
    }

    /** Some of the observations, in a given order, with other counts. */
    public ObservationCounts some(
            int[] which, double[] counts, double[] countSquares, long persons, long choices, double weight) {
        return new ObservationCounts(
                Arrays.stream(which).map(i -> row[i]).toArray(),
                Arrays.stream(which).mapToObj(i -> cell[i]).toArray(int[][]::new),
                Arrays.stream(which).mapToObj(i -> outcome[i]).toArray(int[][]::new),
                Arrays.stream(which).mapToDouble(i -> counts[i]).toArray(),
                Arrays.stream(which).mapToDouble(i -> countSquares[i]).toArray(),
                persons,
                choices,
                weight,
                weighted,
                gaps,
                clustered);
    }

    /** How often each (state, action) was chosen, of so many rows s*A + a. */
    public double[] choices(int rows) {
        double[] choices = new double[rows];
        for (int i = 0; i < row.length; i++) {
            if (row[i] >= 0) {
                choices[row[i]] += count[i];
            }
        }
        return choices;
    }

    /** counts[cell][outcome] += how often each outcome of a part was observed. */
    void addMoves(int part, double[][] counts) {
        for (int i = 0; i < row.length; i++) {
            if (cell[i][part] >= 0) {
                counts[cell[i][part]][outcome[i][part]] += count[i];
            }
        }
    }

    /** SHA-256 of what was counted, the provenance every result carries. */
    public String hash() {
        ByteBuffer bytes = ByteBuffer.allocate(row.length * (12 + 8 * (row.length == 0 ? 0 : cell[0].length)) + 16);
        for (int i = 0; i < row.length; i++) {
            bytes.putInt(row[i]);
            for (int v = 0; v < cell[i].length; v++) {
                bytes.putInt(cell[i][v]).putInt(outcome[i][v]);
            }
            bytes.putDouble(count[i]);
        }
        bytes.putLong(individuals).putLong(decisions);
        return Demonstrations.sha256(Stream.of(bytes.flip()));
    }
}
