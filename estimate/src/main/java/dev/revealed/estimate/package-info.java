/** Estimators on finite decision processes, their inference and certificates. */
@NullMarked
package dev.revealed.estimate;

import org.jspecify.annotations.NullMarked;
