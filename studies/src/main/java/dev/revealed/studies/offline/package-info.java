/** Rewards from logs: how the error falls with the log, what a penalty on uncertainty buys, and whether intervals hold. */
@NullMarked
package dev.revealed.studies.offline;

import org.jspecify.annotations.NullMarked;
