/** The command line: reads arguments, wires the other modules together, prints. */
@NullMarked
package dev.revealed.app;

import org.jspecify.annotations.NullMarked;
