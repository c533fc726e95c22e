/**
 * The public API: what programs of others use and what stays as it is between releases. Everything else is internal, but for
 * the few types listed in docs/design/api.md.
 */
@org.jspecify.annotations.NullMarked
package dev.revealed.api;
