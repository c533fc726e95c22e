/** The local page over run folders: a server on this machine, its routes, and what the browser shows. */
@NullMarked
package dev.revealed.studio;

import org.jspecify.annotations.NullMarked;
