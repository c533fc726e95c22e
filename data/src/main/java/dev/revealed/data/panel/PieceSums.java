package dev.revealed.data.panel;

import java.util.List;

/**
 * What individuals of one piece of a table contribute to standard errors, in a form that can travel between machines.
 *
 * @param outer sum of outer products over individuals that are clusters of their own
 * @param clusters names of the others, each with its part of {@code totals}
 * @param single how many individuals are clusters of their own
 * @param edges the first and the last individual, see {@link PieceCounts}; they are not among the sums
 */
public record PieceSums(
        double[][] outer, List<String> clusters, double[][] totals, long single, List<PieceCounts.EdgeRows> edges) {}
