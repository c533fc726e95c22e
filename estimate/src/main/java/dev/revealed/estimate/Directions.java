package dev.revealed.estimate;

import dev.revealed.numeric.Vec;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/** Directions of the parameters, in words. */
public final class Directions {
    private static final int SHOWN = 4;
    private static final double NEGLIGIBLE = 1e-3;

    /** What weighs less along a direction without end than this share of the largest may well have a limit. */
    private static final double SHARE = 0.1;

    private Directions() {}

    /** {@code 0.707 a - 0.707 b and 2 more}: the parameters that weigh most, by size. */
    public static String describe(double[] direction, List<String> names) {
        return describe(direction, direction, names);
    }

    /** @param weight how much each parameter matters, where their units differ */
    public static String describe(double[] direction, double[] weight, List<String> names) {
        if (direction.length > 1 && Vec.span(direction) < 1e-6 * Vec.maxAbs(direction)) {
            return "the same amount added to every parameter";
        }
        List<Integer> order = weightiest(weight, NEGLIGIBLE);
        StringBuilder text = new StringBuilder();
        for (int j : order.subList(0, Math.min(SHOWN, order.size()))) {
            text.append(direction[j] < 0 ? " - " : text.isEmpty() ? "" : " + ")
                    .append("%.3g ".formatted(Math.abs(direction[j])))
                    .append(names.get(j));
        }
        return text.toString().strip() + more(order);
    }

    /** {@code a to +infinity, b to -infinity and 2 more}, for a direction without end. */
    public static String limits(double[] direction, double[] weight, List<String> names) {
        List<Integer> order = weightiest(weight, SHARE);
        List<String> limits = order.subList(0, Math.min(SHOWN, order.size())).stream()
                .map(j -> names.get(j) + (direction[j] > 0 ? " to +infinity" : " to -infinity"))
                .toList();
        return String.join(", ", limits) + more(order);
    }

    private static List<Integer> weightiest(double[] weight, double share) {
        double largest = Vec.maxAbs(weight);
        return IntStream.range(0, weight.length)
                .filter(j -> Math.abs(weight[j]) > share * largest)
                .boxed()
                .sorted(Comparator.comparingDouble(j -> -Math.abs(weight[j])))
                .toList();
    }

    private static String more(List<Integer> order) {
        return order.size() > SHOWN ? " and " + (order.size() - SHOWN) + " more" : "";
    }
}
