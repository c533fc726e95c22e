/** What recovered rewards are judged by: the true reward, asked of a simulator, other rewards, and demonstrated actions. */
@NullMarked
package dev.revealed.imitate.judge;

import org.jspecify.annotations.NullMarked;
