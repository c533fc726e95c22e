/** Algorithm 1 on simulators: a reward and a policy from a handful of demonstrations. */
@NullMarked
package dev.revealed.imitate;

import org.jspecify.annotations.NullMarked;
