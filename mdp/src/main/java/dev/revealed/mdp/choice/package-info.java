/** Dynamic discrete choice: state variables, laws of motion with unknown parameters, utilities, and panels seen through them. */
@NullMarked
package dev.revealed.mdp.choice;

import org.jspecify.annotations.NullMarked;
