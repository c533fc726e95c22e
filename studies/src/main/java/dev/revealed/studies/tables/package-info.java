/** Tables of many training runs that are made stage by stage: what is left to run, and what came out. */
@NullMarked
package dev.revealed.studies.tables;

import org.jspecify.annotations.NullMarked;
