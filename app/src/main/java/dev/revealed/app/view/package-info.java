/**
 * What a person sees: tables, pictures, reports and progress. Everything here is a value turned into a string; only
 * {@link dev.revealed.app.view.Console} and {@link dev.revealed.app.view.Progress} write to a stream.
 */
@NullMarked
package dev.revealed.app.view;

import org.jspecify.annotations.NullMarked;
