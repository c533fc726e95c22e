/** The commands that train policies, evaluate them, and judge the rewards that were recovered. */
@NullMarked
package dev.revealed.app.train;

import org.jspecify.annotations.NullMarked;
