/** Simulators that run in processes of their own, in Python or in any language that speaks the protocol. */
@NullMarked
package dev.revealed.bridge;

import org.jspecify.annotations.NullMarked;
