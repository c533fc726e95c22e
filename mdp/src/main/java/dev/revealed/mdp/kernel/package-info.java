/** Transition laws with a structure that makes products cheap: products of laws by variable, and periods of a horizon. */
@NullMarked
package dev.revealed.mdp.kernel;

import org.jspecify.annotations.NullMarked;
