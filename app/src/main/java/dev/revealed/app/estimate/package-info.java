/** Commands about decision processes and choice models: estimate, simulate, counterfactual, certify, demo. */
@NullMarked
package dev.revealed.app.estimate;

import org.jspecify.annotations.NullMarked;
