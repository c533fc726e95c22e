/** Decision processes that come with the house: for experiments, benchmarks, tests and a first look. */
@NullMarked
package dev.revealed.mdp.model;

import org.jspecify.annotations.NullMarked;
