/** What can be guaranteed before anything is estimated. */
@NullMarked
package dev.revealed.app.certify;

import org.jspecify.annotations.NullMarked;
