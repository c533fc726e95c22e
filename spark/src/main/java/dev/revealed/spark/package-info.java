/** Tasks of commands on a Spark cluster. Only types of the JDK pass between this package and the rest of Revealed. */
@NullMarked
package dev.revealed.spark;

import org.jspecify.annotations.NullMarked;
