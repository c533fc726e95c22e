/** Arrays in NumPy's files. */
@NullMarked
package dev.revealed.data.npz;

import org.jspecify.annotations.NullMarked;
