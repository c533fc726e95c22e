package dev.revealed.data;

import dev.revealed.mdp.choice.StateSpace;
import java.util.Arrays;
import java.util.stream.Collectors;

/** The values of a state variable, in ascending order. */
public record Grid(double[] values) {
    private static final int SHOWN = 8;

    /** The place of a value, forgiving rounding; -1 where it is not on the grid. */
    public int find(double value) {
        int nearest = nearest(value);
        return same(values[nearest], value) ? nearest : -1;
    }

    public int nearest(double value) {
        int found = Arrays.binarySearch(values, value);
        if (found >= 0) {
            return found;
        }
        int above = -found - 1;
        if (above == 0 || above == values.length) {
            return above == 0 ? 0 : above - 1;
        }
        return value - values[above - 1] <= values[above] - value ? above - 1 : above;
    }

    /** Whether a number is more than half a step beyond an end. Where there is one value alone, any other is far. */
    boolean isFar(double value) {
        int last = values.length - 1;
        double below = last == 0 ? 0 : (values[1] - values[0]) / 2;
        double above = last == 0 ? 0 : (values[last] - values[last - 1]) / 2;
        double low = values[0] - below;
        double high = values[last] + above;
        return (value < low && !same(value, low)) || (value > high && !same(value, high));
    }

    public static Grid of(StateSpace.Variable variable) {
        return new Grid(variable.values());
    }

    /** {@code 1, 2, 3}, or the ends and the number where they are many. */
    @Override
    public String toString() {
        return values.length <= SHOWN
                ? Arrays.stream(values).mapToObj(Place::plain).collect(Collectors.joining(", "))
                : "%s, %s, ..., %s"
                        .formatted(
                                Place.plain(values[0]), Place.plain(values[1]), Place.plain(values[values.length - 1]));
    }

    /** Whether two numbers are the same but for rounding. */
    public static boolean same(double a, double b) {
        return a == b || Math.abs(a - b) <= 1e-9 * Math.max(1, Math.max(Math.abs(a), Math.abs(b)));
    }
}
