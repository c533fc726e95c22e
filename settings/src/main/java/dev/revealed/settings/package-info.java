/** Records that describe their own settings: name, meaning and range, written once and used everywhere. */
@NullMarked
package dev.revealed.settings;

import org.jspecify.annotations.NullMarked;
