/** Nonlinear programmes and what solves them: a sequential quadratic method, and Ipopt where it is installed. */
@NullMarked
package dev.revealed.numeric.nlp;

import org.jspecify.annotations.NullMarked;
