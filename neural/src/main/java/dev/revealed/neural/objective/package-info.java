/** What critics learn from: stored rewards, those of a network, rows of an expert, or the loss of inverse soft Q-learning. */
@NullMarked
package dev.revealed.neural.objective;

import org.jspecify.annotations.NullMarked;
