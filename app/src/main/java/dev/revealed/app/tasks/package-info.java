/** Commands whose tasks several machines may share. */
@NullMarked
package dev.revealed.app.tasks;

import org.jspecify.annotations.NullMarked;
