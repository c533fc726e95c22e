package dev.revealed.app.view;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Numbers on a board or on a road network, as the local page draws them: {@code map.json} of a run folder.
 *
 * @param kind board or network
 * @param columns of a board, whose cells are counted along its rows
 * @param names of links
 * @param lines of links, each x and y in turn
 * @param laidOut whether links were placed by the graph, for want of coordinates
 * @param policy of a board: probabilities to go right, left, down and up and to stay in each cell
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record PageMap(
        String kind,
        @Nullable Integer columns,
        @Nullable List<String> names,
        @Nullable List<double[]> lines,
        @Nullable Boolean laidOut,
        List<Layer> layers,
        double @Nullable [][] policy) {

    private static final double DIGITS = 1e6;

    /** One number for each cell or link; null where there is none. */
    public record Layer(String name, boolean diverging, List<@Nullable Double> values) {}

    public static PageMap board(int columns) {
        return new PageMap("board", columns, null, null, null, List.of(), null);
    }

    public static PageMap network(List<String> names, List<double[]> lines, boolean laidOut) {
        List<double[]> rounded = lines.stream()
                .map(line -> Arrays.stream(line)
                        .map(x -> Math.rint(x * DIGITS) / DIGITS)
                        .toArray())
                .toList();
        return new PageMap("network", null, names, rounded, laidOut, List.of(), null);
    }

    /** With a layer, whose colours are about zero where it has numbers on both sides. */
    public PageMap with(String name, double[] values) {
        boolean diverging = Arrays.stream(values).anyMatch(value -> value < 0)
                && Arrays.stream(values).anyMatch(value -> value > 0);
        List<Layer> more = new ArrayList<>(layers);
        List<@Nullable Double> own = new ArrayList<>();
        for (double value : values) {
            own.add(Double.isFinite(value) ? value : null);
        }
        more.add(new Layer(name, diverging, own));
        return new PageMap(kind, columns, names, lines, laidOut, more, policy);
    }

    public PageMap policy(double[][] probabilities) {
        return new PageMap(kind, columns, names, lines, laidOut, layers, probabilities);
    }
}
