/** Statistics of runs that were repeated with other seeds, on one task or on several. */
@NullMarked
package dev.revealed.numeric.stats;

import org.jspecify.annotations.NullMarked;
