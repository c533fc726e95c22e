/** Methods that solve the model for every trial of the parameters: nested fixed point, ML-IRL, maximum entropy. */
@NullMarked
package dev.revealed.estimate.choice.likelihood;

import org.jspecify.annotations.NullMarked;
