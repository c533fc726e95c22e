/** Route choice on road networks: estimation, prediction, flows, scenarios and maps on the command line. */
@NullMarked
package dev.revealed.app.route;

import org.jspecify.annotations.NullMarked;
