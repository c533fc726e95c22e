/** Stands in for the real package in tests. */
@NullMarked
package dev.revealed.app.tasks;

import org.jspecify.annotations.NullMarked;
