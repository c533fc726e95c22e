/** Worlds learnt from logs of transitions, and ML-IRL in them. */
@NullMarked
package dev.revealed.imitate.world;

import org.jspecify.annotations.NullMarked;
