/** Estimators of dynamic discrete-choice models on panels, and how sure one may be of them. */
@NullMarked
package dev.revealed.estimate.choice;

import org.jspecify.annotations.NullMarked;
