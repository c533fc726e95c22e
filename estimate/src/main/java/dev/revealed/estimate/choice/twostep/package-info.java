/** Methods that start from choice probabilities estimated beforehand: Hotz-Miller, NPL, temporal differences. */
@NullMarked
package dev.revealed.estimate.choice.twostep;

import org.jspecify.annotations.NullMarked;
