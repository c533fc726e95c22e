/** Reading, checking and writing panels and demonstrations. */
@NullMarked
package dev.revealed.data;

import org.jspecify.annotations.NullMarked;
