/** Choice models written in YAML: formulas, transition laws, and the columns of their panels. */
@NullMarked
package dev.revealed.data.model;

import org.jspecify.annotations.NullMarked;
