/** Road networks, destinations and observed trips: decision processes that end, without a discount. */
@NullMarked
package dev.revealed.mdp.route;

import org.jspecify.annotations.NullMarked;
