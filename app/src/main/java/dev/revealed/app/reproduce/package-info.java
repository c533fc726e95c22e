/** Published experiments and what they show, a view per study. */
@NullMarked
package dev.revealed.app.reproduce;

import org.jspecify.annotations.NullMarked;
