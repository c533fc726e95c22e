/** The paper's guarantees, tried on a process small enough that everything they speak of is computed exactly. */
@NullMarked
package dev.revealed.studies.theory;

import org.jspecify.annotations.NullMarked;
