/** Soft Q-learning for finitely many actions, plain and with successor features. */
@NullMarked
package dev.revealed.neural.softq;

import org.jspecify.annotations.NullMarked;
