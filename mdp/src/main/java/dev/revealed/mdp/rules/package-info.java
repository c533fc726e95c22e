/** What is known of parameters beforehand: bounds, priors, starting values. */
@NullMarked
package dev.revealed.mdp.rules;

import org.jspecify.annotations.NullMarked;
