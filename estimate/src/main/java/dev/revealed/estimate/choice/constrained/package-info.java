/** Maximum likelihood as one constrained problem (MPEC). */
@NullMarked
package dev.revealed.estimate.choice.constrained;

import org.jspecify.annotations.NullMarked;
