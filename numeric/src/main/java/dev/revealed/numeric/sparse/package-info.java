/** Sparse LU factors of M-matrices: elimination order, fill, and solves with many right-hand sides. */
@NullMarked
package dev.revealed.numeric.sparse;

import org.jspecify.annotations.NullMarked;
