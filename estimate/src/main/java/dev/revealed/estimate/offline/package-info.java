/** Rewards from demonstrations and a log of moves, where the transition law is not known. */
@NullMarked
package dev.revealed.estimate.offline;

import org.jspecify.annotations.NullMarked;
