/** One pass over the rows of a panel of any size: what it counts, and the individuals it keeps on disk. */
@NullMarked
package dev.revealed.data.panel;

import org.jspecify.annotations.NullMarked;
