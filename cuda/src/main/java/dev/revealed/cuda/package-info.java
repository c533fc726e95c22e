/** Soft Actor-Critic on NVIDIA GPUs: the driver and its compiler through java.lang.foreign, and many runs on one device. */
@NullMarked
package dev.revealed.cuda;

import org.jspecify.annotations.NullMarked;
