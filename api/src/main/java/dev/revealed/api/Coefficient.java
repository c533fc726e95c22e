package dev.revealed.api;

import java.util.OptionalDouble;

/**
 * One estimated parameter.
 *
 * @param standardError absent where it could not be found
 */
public record Coefficient(String name, double value, OptionalDouble standardError) {}
