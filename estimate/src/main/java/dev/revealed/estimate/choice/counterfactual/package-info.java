/** What an estimated model predicts after a change, with intervals. */
@NullMarked
package dev.revealed.estimate.choice.counterfactual;

import org.jspecify.annotations.NullMarked;
