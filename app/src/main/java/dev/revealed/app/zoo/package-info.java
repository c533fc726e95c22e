/** Policies of the built-in tasks that come with the repository. */
@NullMarked
package dev.revealed.app.zoo;

import org.jspecify.annotations.NullMarked;
