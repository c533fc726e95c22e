/** Benchmarks side by side, run by the bench command. */
@NullMarked
package dev.revealed.bench;

import org.jspecify.annotations.NullMarked;
