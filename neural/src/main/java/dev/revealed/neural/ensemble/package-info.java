/** Networks of one shape that learn to predict the same rows: means and variances, by maximum likelihood. */
@NullMarked
package dev.revealed.neural.ensemble;

import org.jspecify.annotations.NullMarked;
