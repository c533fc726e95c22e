/** Route choice in Borlänge: the four published models of its 1,832 trips. */
@NullMarked
package dev.revealed.studies.route;

import org.jspecify.annotations.NullMarked;
