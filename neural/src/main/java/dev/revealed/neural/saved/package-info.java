/** Saved trainings as tensors by name: changes of them, and what can be measured on them. */
@NullMarked
package dev.revealed.neural.saved;

import org.jspecify.annotations.NullMarked;
