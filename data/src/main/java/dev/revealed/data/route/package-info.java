/** Road networks, trips and demand of any city: columns by name, features by formula, coordinates. */
@NullMarked
package dev.revealed.data.route;

import org.jspecify.annotations.NullMarked;
