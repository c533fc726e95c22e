package dev.revealed.mdp.choice;

/**
 * What individuals contribute to the covariance of an estimate.
 *
 * @param outer sum over clusters of the outer product of the cluster's total
 * @param clusters how many there are
 */
public record ClusterSums(double[][] outer, long clusters) {}
