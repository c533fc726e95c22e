/** Distributions of the shocks to utility other than independent Gumbel ones, as what they make of action values. */
@NullMarked
package dev.revealed.mdp.shock;

import org.jspecify.annotations.NullMarked;
