/** Commands about the program and the machine: benchmarks, the GPU, the bundle. */
@NullMarked
package dev.revealed.app.tools;

import org.jspecify.annotations.NullMarked;
