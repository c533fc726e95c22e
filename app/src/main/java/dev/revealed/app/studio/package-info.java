/** The commands that open the local page, and what measures it. */
@NullMarked
package dev.revealed.app.studio;

import org.jspecify.annotations.NullMarked;
