/** The decision process, its rewards, policies and demonstrations, and Algorithm 1. */
@NullMarked
package dev.revealed.mdp;

import org.jspecify.annotations.NullMarked;
