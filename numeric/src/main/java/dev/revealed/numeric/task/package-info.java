/** Many independent tasks, and who does them. */
@NullMarked
package dev.revealed.numeric.task;

import org.jspecify.annotations.NullMarked;
