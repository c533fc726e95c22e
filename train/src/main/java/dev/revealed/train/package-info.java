/** Training runs: what is learnt, evaluations, checkpoints and resume, many runs at a time, and their results. */
@NullMarked
package dev.revealed.train;

import org.jspecify.annotations.NullMarked;
