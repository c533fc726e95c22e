/** The tables and figures that the reproduce command makes. */
@NullMarked
package dev.revealed.studies;

import org.jspecify.annotations.NullMarked;
