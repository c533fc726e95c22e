/** Other published methods of imitation on the same engine: GAIL, SQIL, AIRL, f-IRL and IQ-Learn. */
@NullMarked
package dev.revealed.imitate.rivals;

import org.jspecify.annotations.NullMarked;
