/** The MuJoCo library through java.lang.foreign, and the locomotion tasks of the paper as simulators. */
@NullMarked
package dev.revealed.mujoco;

import org.jspecify.annotations.NullMarked;
