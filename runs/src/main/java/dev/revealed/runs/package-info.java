/** Run folders: what was asked for, what happened, how to resume, and the result. */
@NullMarked
package dev.revealed.runs;

import org.jspecify.annotations.NullMarked;
