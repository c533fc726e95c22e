package dev.revealed.estimate.route;

import dev.revealed.estimate.TypeIndex;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Vec;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Estimates unobserved types of drivers by maximum likelihood. The likelihood of a mixture has several maxima: searches
 * start around the estimate without types, one with the types spread evenly and the others at random, and the best after a
 * few steps is continued.
 *
 * @param types how many
 * @param specific parameters that differ between types
 * @param starts how many starts are tried
 */
public record RouteTypes(int types, List<String> specific, int starts) {
    private static final int TRIAL_STEPS = 12;
    private static final int HALVINGS = 20;

    /** A type with a smaller share is hardly there. */
    public static final double RARE = 0.02;

    private static final String FEWER =
            "Take fewer types, let fewer parameters differ between them, or use more trips: these do not tell the types apart.";

    public RouteTypes {
        specific = List.copyOf(specific);
        BadInput.when(types < 2 || types > 10, "`types` is " + types, "Choose from 2 to 10; 2 or 3 is usual.");
        BadInput.count("`starts`", starts);
    }

    /** Where the parameters of types stand; a model's parameters may all differ. */
    public TypeIndex index(List<String> names) {
        return TypeIndex.of(names, types, specific);
    }

    /** Names of all parameters: those of the types, then the shares of all types but the last. */
    public List<String> names(List<String> ofDriver) {
        return Stream.concat(
                        index(ofDriver).names().stream(),
                        IntStream.range(1, types).mapToObj("share[%d]"::formatted))
                .toList();
    }

    /** The types with their shares and parameters, given all parameters. */
    public List<DriverType> drivers(List<String> ofDriver, double[] theta) {
        TypeIndex index = index(ofDriver);
        double[] share = shares(index, theta);
        return IntStream.range(0, types)
                .mapToObj(k -> new DriverType(share[k], index.of(k, theta)))
                .toList();
    }

    /** The share of every type. */
    static double[] shares(TypeIndex index, double[] theta) {
        double[] share = Arrays.copyOfRange(theta, index.size(), index.size() + index.types());
        share[share.length - 1] = 1 - Vec.sum(Arrays.copyOf(share, share.length - 1));
        return share;
    }

    /**
     * The estimate, types numbered by the first parameter that differs, ascending.
     *
     * @param drivers who made each trip
     * @param single the estimate of the model without types
     */
    public RouteEstimate fit(
            RouteModel model,
            RouteGraph graph,
            List<String> drivers,
            RouteEstimate single,
            RouteEstimator estimator,
            RandomStream stream,
            ProgressListener listener) {
        TypeIndex index = index(
                single.parameters().stream().map(RouteEstimate.Parameter::name).toList());
        TypedRoutes typed = new TypedRoutes(
                IntStream.range(0, types).mapToObj(_ -> model.likelihood(graph)).toList(), index, drivers);
        Optional<RouteEstimator.Found> best = Optional.empty();
        RouteEstimator brief = new RouteEstimator(TRIAL_STEPS, estimator.tolerance());
        for (int s = 0; s < starts; s++) {
            double[] start = start(s, index, graph, drivers, single, stream.at(s));
            try {
                RouteEstimator.Found found = brief.search(graph, typed, start);
                if (best.isEmpty() || found.logLikelihood() > best.get().logLikelihood()) {
                    best = Optional.of(found);
                }
            } catch (BadInput e) {
                BadInput.when(s == starts - 1 && best.isEmpty(), e.problem(), FEWER);
            }
            listener.progress("starts of types", s + 1, starts);
        }
        RouteEstimator.Found first = best.orElseThrow();
        return finished(single.model(), graph, typed, index, estimator, first.theta(), listener)
                .after(first.logLikelihoodAtStart(), first.iterations(), first.evaluations());
    }

    /** From a good start to the end. Types may change places on the way; the search then ends once more, in order. */
    RouteEstimate finished(
            String model,
            RouteGraph graph,
            TypedRoutes typed,
            TypeIndex index,
            RouteEstimator estimator,
            double[] best,
            ProgressListener listener) {
        try {
            RouteEstimate found = estimator.fit(model, graph, typed, ordered(index, best), listener);
            double[] inOrder = ordered(index, found.theta());
            return Arrays.equals(found.theta(), inOrder)
                    ? found
                    : estimator.fit(model, graph, typed, inOrder, listener);
        } catch (BadInput e) { // without types there is an estimate
            throw new BadInput(e.problem(), FEWER);
        }
    }

    /** The estimate without types, its specific parameters spread out as far as values exist. */
    private double[] start(
            int s, TypeIndex index, RouteGraph graph, List<String> drivers, RouteEstimate single, RandomStream stream) {
        double[] theta = single.theta();
        double alone = Math.sqrt((double) drivers.stream().distinct().count());
        double[][] place = new double[types][theta.length];
        for (int k = 0; k < types; k++) {
            for (int j = 0; j < theta.length; j++) {
                double width =
                        (Math.abs(theta[j]) + alone * single.parameters().get(j).standardError()) / 3;
                place[k][j] = width * (s == 0 ? 2.0 * k / (types - 1) - 1 : stream.nextGaussian());
            }
        }
        double[] start = new double[index.size() + types - 1];
        double spread = 1;
        boolean allowed = false;
        for (int halving = 0; halving < HALVINGS && !allowed; halving++, spread /= 2) {
            Arrays.fill(start, 1.0 / types);
            allowed = true;
            for (int k = 0; k < types; k++) {
                for (int j = 0; j < theta.length; j++) {
                    start[index.position()[k][j]] = theta[j] + (index.differs(j) ? spread * place[k][j] : 0);
                }
            }
            for (int k = 0; k < types; k++) {
                allowed &= graph.feasible(index.of(k, start));
            }
        }
        return start;
    }

    private double[] ordered(TypeIndex index, double[] theta) {
        int[] order = index.order(theta);
        double[] share = shares(index, theta);
        double[] shares =
                IntStream.range(0, types - 1).mapToDouble(k -> share[order[k]]).toArray();
        return Vec.joined(index.renumbered(Arrays.copyOf(theta, index.size()), order), shares);
    }
}
