/** Estimation of route choice on a road network: recursive logit, with link size, and nested. */
@NullMarked
package dev.revealed.estimate.route;

import org.jspecify.annotations.NullMarked;
