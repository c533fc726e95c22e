/** Arrays and numerical kernels, solvers, optimisers and random streams; knows nothing of decision processes. */
@NullMarked
package dev.revealed.numeric;

import org.jspecify.annotations.NullMarked;
