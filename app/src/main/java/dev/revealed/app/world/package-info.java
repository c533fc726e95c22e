/** The tasks that settings name, built-in ones and worlds of one's own, and what moves between them. */
@NullMarked
package dev.revealed.app.world;

import org.jspecify.annotations.NullMarked;
