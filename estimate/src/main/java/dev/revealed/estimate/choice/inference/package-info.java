/** How sure one may be of an estimate: standard errors, the bootstrap, tests of hypotheses. */
@NullMarked
package dev.revealed.estimate.choice.inference;

import org.jspecify.annotations.NullMarked;
