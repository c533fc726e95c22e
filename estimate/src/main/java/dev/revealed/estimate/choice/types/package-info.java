/** Unobserved types of individuals, by expectation and maximisation. */
@NullMarked
package dev.revealed.estimate.choice.types;

import org.jspecify.annotations.NullMarked;
