/** Dynamic discrete choice on panels: the problem, what a method of estimation is and finds, and checks of the data. */
@NullMarked
package dev.revealed.estimate.choice;

import org.jspecify.annotations.NullMarked;
