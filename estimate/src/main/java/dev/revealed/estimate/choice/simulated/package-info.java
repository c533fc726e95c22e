/** Two-step methods that simulate futures instead of solving for values: HMSS and BBL. */
@NullMarked
package dev.revealed.estimate.choice.simulated;

import org.jspecify.annotations.NullMarked;
