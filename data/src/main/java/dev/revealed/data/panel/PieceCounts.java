package dev.revealed.data.panel;

import java.util.List;
import java.util.Optional;

/**
 * What was read of one piece of a table, in a form that can travel between machines.
 *
 * @param apart whether rows of an individual do not stand together; nothing else is known then
 * @param rows how many were read
 * @param counts of the individuals that begin and end in the piece, see {@link PanelCounts#toArray}
 * @param edges its first and its last individual, whose other rows may stand in the pieces around it
 * @param wrong the first individual whose rows break the rules, unless its other rows stand elsewhere
 * @param ascending whether the keys of its individuals ascend
 * @param ends the first and the last key; none where there are no rows
 * @param keys all of them, where they need be known
 * @param individuals how many there are
 * @param notes what was doubtful about rows, see {@link PanelCoding.Coder#notes}
 */
public record PieceCounts(
        boolean apart,
        long rows,
        long[] counts,
        List<EdgeRows> edges,
        Optional<EdgeRows> wrong,
        boolean ascending,
        long[] ends,
        long[] keys,
        int individuals,
        double[] notes) {
    static PieceCounts scattered() {
        return new PieceCounts(
                true, 0, new long[0], List.of(), Optional.empty(), false, new long[0], new long[0], 0, new double[0]);
    }

    /** The rows of an individual at the edge of a piece; see {@link IndividualRows}. */
    public record EdgeRows(
            long key,
            Optional<String> name,
            double weight,
            String cluster,
            double[] covariates,
            boolean uneven,
            int[] period,
            int[] code,
            double[] raw,
            int[] reported,
            long[] where) {}
}
