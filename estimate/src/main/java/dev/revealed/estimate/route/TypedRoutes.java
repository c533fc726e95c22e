package dev.revealed.estimate.route;

import dev.revealed.estimate.ParameterRange;
import dev.revealed.estimate.TypeIndex;
import dev.revealed.numeric.Vec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Drivers of a few types that nobody sees, each with some parameters of its own: the probability of a driver's trips is a
 * mixture over types, and all trips of a driver are of the same type. Parameters are those of the types, then the shares of
 * all types but the last.
 */
public final class TypedRoutes implements RouteLikelihood {
    private final List<RouteLikelihood> ofType;
    private final TypeIndex index;
    private final List<String> names;
    private final int[][] trips; // by driver

    /**
     * A mixture.
     *
     * @param ofType the likelihood of each type; one for each, since some remember where they were evaluated last
     * @param drivers who made each trip
     */
    TypedRoutes(List<RouteLikelihood> ofType, TypeIndex index, List<String> drivers) {
        this.ofType = ofType;
        this.index = index;
        List<String> all = new ArrayList<>(index.names());
        for (int k = 1; k < ofType.size(); k++) {
            all.add("share[%d]".formatted(k));
        }
        names = List.copyOf(all);
        Map<String, List<Integer>> own = new LinkedHashMap<>();
        for (int i = 0; i < drivers.size(); i++) {
            own.computeIfAbsent(drivers.get(i), _ -> new ArrayList<>()).add(i);
        }
        trips = own.values().stream()
                .map(list -> list.stream().mapToInt(i -> i).toArray())
                .toArray(int[][]::new);
    }

    @Override
    public List<String> names() {
        return names;
    }

    @Override
    public ParameterRange range(int parameter) {
        return parameter < index.size() ? ParameterRange.REAL : ParameterRange.SHARE;
    }

    @Override
    public double spectralRadius(RouteGraph graph, double[] theta) {
        return IntStream.range(0, ofType.size())
                .mapToDouble(k -> graph.spectralRadius(index.of(k, theta)))
                .max()
                .orElseThrow();
    }

    /** {@inheritDoc} The score and the log-probability of a driver stand at the first of his trips. */
    @Override
    public Evaluation at(double[] theta, Depth depth) {
        check(theta);
        double[] share = RouteTypes.shares(index, theta);
        if (Arrays.stream(share).anyMatch(own -> !(own > 0))) {
            return Evaluation.INFEASIBLE;
        }
        Evaluation[] own = new Evaluation[share.length];
        for (int k = 0; k < own.length; k++) {
            own[k] = ofType.get(k).at(index.of(k, theta), depth == Depth.VALUE ? Depth.VALUE : Depth.SCORES);
            if (!own[k].feasible()) {
                return Evaluation.INFEASIBLE;
            }
        }
        double[] logs = new double[own[0].logs().length];
        double[][] scores = new double[depth == Depth.VALUE ? 0 : logs.length][theta.length];
        for (int[] driver : trips) {
            double[] joint = new double[share.length];
            Arrays.setAll(joint, k -> Math.log(share[k]) + sum(own[k].logs(), driver));
            double top = Arrays.stream(joint).max().orElseThrow();
            double total = Arrays.stream(joint).map(log -> Math.exp(log - top)).sum();
            logs[driver[0]] = top + Math.log(total);
            if (depth != Depth.VALUE) {
                double[] posterior = Arrays.stream(joint)
                        .map(log -> Math.exp(log - top) / total)
                        .toArray();
                addScore(driver, own, share, posterior, scores[driver[0]]);
            }
        }
        double[] gradient = new double[depth == Depth.VALUE ? 0 : theta.length];
        for (double[] score : scores) {
            Vec.axpy(1, score, gradient);
        }
        return new Evaluation(
                Vec.sum(logs),
                logs,
                gradient,
                depth.includes(Depth.SCORES) ? scores : new double[0][],
                new double[0][]);
    }

    private static double sum(double[] x, int[] at) {
        double sum = 0;
        for (int i : at) {
            sum += x[i];
        }
        return sum;
    }

    /** The scores of the types, weighted by how probably the driver is of each (Fisher's identity). */
    private void addScore(int[] driver, Evaluation[] own, double[] share, double[] posterior, double[] score) {
        int last = share.length - 1;
        for (int k = 0; k <= last; k++) {
            for (int trip : driver) {
                index.add(k, posterior[k], own[k].scores()[trip], score);
            }
            if (k < last) {
                score[index.size() + k] = posterior[k] / share[k] - posterior[last] / share[last];
            }
        }
    }
}
