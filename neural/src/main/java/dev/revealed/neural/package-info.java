/** Small networks and what learns with them on simulators: replay, Soft Actor-Critic, soft Q-learning. */
@NullMarked
package dev.revealed.neural;

import org.jspecify.annotations.NullMarked;
