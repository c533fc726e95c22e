/** The commands that open the local page. */
@NullMarked
package dev.revealed.app.studio;

import org.jspecify.annotations.NullMarked;
