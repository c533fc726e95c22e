/** How runs of imitation are judged: shares of the expert's return, speed, steadiness, and settings compared. */
@NullMarked
package dev.revealed.studies.evaluation;

import org.jspecify.annotations.NullMarked;
