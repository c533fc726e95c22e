/** Models with a state that the agent sees and the data do not show, by recursive integration. */
@NullMarked
package dev.revealed.estimate.choice.hidden;

import org.jspecify.annotations.NullMarked;
