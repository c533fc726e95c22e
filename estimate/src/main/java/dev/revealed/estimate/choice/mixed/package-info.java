/** Individuals who differ: by what is known of them, at random, by unobserved types; and discounts that are estimated. */
@NullMarked
package dev.revealed.estimate.choice.mixed;

import org.jspecify.annotations.NullMarked;
