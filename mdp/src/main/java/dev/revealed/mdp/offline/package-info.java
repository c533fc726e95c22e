/** What a log of moves says of a process whose transition law is not known. */
@NullMarked
package dev.revealed.mdp.offline;

import org.jspecify.annotations.NullMarked;
