package dev.revealed.app.route;

import dev.revealed.app.view.GraphLayout;
import dev.revealed.app.view.NetworkMap;
import dev.revealed.app.view.PageMap;
import dev.revealed.data.route.PairTable;
import dev.revealed.mdp.route.Network;
import dev.revealed.runs.Json;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;

/** Lines of links for maps: their coordinates, or a layout of the graph where there are none. */
final class RouteMap {
    private final PairTable table;
    private final List<double[]> lines = new ArrayList<>();
    private final boolean laidOut;

    RouteMap(PairTable table) {
        this.table = table;
        laidOut = !table.hasShapes();
        if (laidOut) {
            layout(table.network());
        } else {
            double shrink = shrink();
            for (int link = 0; link < table.network().links(); link++) {
                double[] xy = table.shape(link).xy().clone();
                for (int i = 0; i < xy.length; i += 2) {
                    xy[i] *= shrink;
                }
                lines.add(xy);
            }
        }
    }

    /** Degrees of longitude are shorter than those of latitude. */
    private double shrink() {
        double sum = 0;
        int count = 0;
        for (int link = 0; link < table.network().links(); link++) {
            double[] xy = table.shape(link).xy();
            for (int i = 0; i < xy.length; i += 2) {
                if (Math.abs(xy[i]) > 180 || Math.abs(xy[i + 1]) > 90) {
                    return 1;
                }
                sum += xy[i + 1];
                count++;
            }
        }
        return count == 0 ? 1 : Math.cos(Math.toRadians(sum / count));
    }

    /** Nodes follow from pairs: a link ends where those that follow it begin. */
    private void layout(Network network) {
        int n = network.links();
        int[] parent = IntStream.range(0, 2 * n).toArray(); // where link k begins, and n + k where it ends
        for (int k = 0; k < n; k++) {
            for (int e = network.start()[k]; e < network.start()[k + 1]; e++) {
                parent[root(parent, n + k)] = root(parent, network.to()[e]);
            }
        }
        int[] number = new int[2 * n];
        Arrays.fill(number, -1);
        int nodes = 0;
        int[] from = new int[n];
        int[] to = new int[n];
        for (int k = 0; k < n; k++) {
            for (int end : new int[] {k, n + k}) {
                int root = root(parent, end);
                if (number[root] < 0) {
                    number[root] = nodes++;
                }
            }
            from[k] = number[root(parent, k)];
            to[k] = number[root(parent, n + k)];
        }
        double[][] places = GraphLayout.of(nodes, from, to);
        for (int k = 0; k < n; k++) {
            double[] a = places[from[k]];
            double[] b = places[to[k]];
            lines.add(new double[] {a[0], a[1], b[0], b[1]});
        }
    }

    private static int root(int[] parent, int node) {
        int at = node;
        while (parent[at] != at) {
            parent[at] = parent[parent[at]];
            at = parent[at];
        }
        return at;
    }

    NetworkMap map(String title, double[] values, String legend) {
        return NetworkMap.of(
                title + (laidOut ? " (laid out by the graph: no coordinates)" : ""), lines, values, legend);
    }

    /** Links with numbers as GeoJSON, where there are coordinates. */
    String geoJson(Map<String, double[]> properties) {
        StringBuilder out = new StringBuilder("{\"type\": \"FeatureCollection\", \"features\": [");
        String before = "\n";
        Network network = table.network();
        for (int link = 0; link < network.links(); link++) {
            double[] xy = table.shape(link).xy();
            if (xy.length < 4) {
                continue;
            }
            Map<String, Object> own = new LinkedHashMap<>();
            own.put("link", network.names().get(link));
            for (Map.Entry<String, double[]> entry : properties.entrySet()) {
                own.put(entry.getKey(), entry.getValue()[link]);
            }
            StringBuilder points = new StringBuilder();
            for (int i = 0; i < xy.length; i += 2) {
                points.append(String.format(Locale.ROOT, "%s[%s, %s]", i == 0 ? "" : ", ", xy[i], xy[i + 1]));
            }
            out.append(before)
                    .append("{\"type\": \"Feature\", \"geometry\": {\"type\": \"LineString\", \"coordinates\": [")
                    .append(points)
                    .append("]}, \"properties\": ")
                    .append(Json.line(own))
                    .append('}');
            before = ",\n";
        }
        return out.append("\n]}\n").toString();
    }

    /** With one layer for each of these, for the local page. */
    PageMap page(Map<String, double[]> layers) {
        PageMap map = PageMap.network(table.network().names(), lines, laidOut);
        for (Map.Entry<String, double[]> layer : layers.entrySet()) {
            map = map.with(layer.getKey(), layer.getValue());
        }
        return map;
    }

    boolean hasCoordinates() {
        return !laidOut;
    }
}
