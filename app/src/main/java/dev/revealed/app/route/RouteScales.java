package dev.revealed.app.route;

import dev.revealed.data.route.PairTable;
import dev.revealed.data.route.PairTable.Definition;
import dev.revealed.estimate.route.RouteFlows;
import dev.revealed.estimate.route.RouteGraph;
import dev.revealed.mdp.route.Destination;
import dev.revealed.mdp.route.LinkFeatures;
import dev.revealed.mdp.route.Network;
import dev.revealed.mdp.route.Trips;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.Vec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;

/** What scales of a nested model depend on: attributes of links, among them their flow and how many links follow. */
final class RouteScales {
    static final String FLOW = "flow";
    static final String FOLLOWING = "following";

    private RouteScales() {}

    static boolean needsFlow(List<String> scales) {
        return scales.stream()
                .map(text -> Definition.parse("--scale", text))
                .anyMatch(own -> List.of(own.formula().split("\\W+")).contains(FLOW));
    }

    /**
     * The values of scales by link.
     *
     * @param flowAt parameters of recursive logit at which flow is computed
     */
    static LinkFeatures of(PairTable table, Trips trips, RouteGraph graph, List<String> scales, double[] flowAt) {
        Map<String, double[]> given = new LinkedHashMap<>();
        given.put(FOLLOWING, following(trips));
        if (needsFlow(scales)) {
            double[] flow = RouteFlows.pooled(graph, flowAt);
            double largest = Vec.maxAbs(flow);
            given.put(FLOW, Arrays.stream(flow).map(value -> value / largest).toArray());
        }
        List<String> names = new ArrayList<>();
        List<double[]> values = new ArrayList<>();
        for (String text : scales) {
            Definition own = Definition.parse("--scale", text);
            BadInput.when(names.contains(own.name()), "--scale names '%s' twice".formatted(own.name()), "Drop one.");
            names.add(own.name());
            double[] direct = given.get(own.formula()); // also of links that nobody enters
            values.add(direct != null ? direct : table.linkValues(own, given, new LinkedHashSet<>()));
        }
        return new LinkFeatures(names, values.toArray(double[][]::new));
    }

    /** Links that follow each link, destinations counted. */
    private static double[] following(Trips trips) {
        Network network = trips.network();
        double[] count = new double[network.links()];
        for (int k = 0; k < count.length; k++) {
            count[k] = network.start()[k + 1] - network.start()[k];
        }
        for (Destination destination : trips.destinations()) {
            if (destination instanceof Destination.Place) {
                for (int link : destination.lastLinks()) {
                    count[link]++;
                }
            }
        }
        return count;
    }

    /** Scales where none are given: the numeraire relative to its largest where it belongs to links, flow and links that follow. */
    static List<String> usual(PairTable table, Definition numeraire) {
        List<String> scales = new ArrayList<>();
        try {
            double[] values = table.linkValues(numeraire, Map.of(), new LinkedHashSet<>());
            double largest = Vec.maxAbs(values);
            scales.add("%s=(%s) / %s".formatted(numeraire.name(), numeraire.formula(), largest));
        } catch (BadInput e) {
            // it belongs to pairs, and says nothing of links
        }
        scales.add(FLOW);
        scales.add("outDegree=" + FOLLOWING);
        return scales;
    }
}
