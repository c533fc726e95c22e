package dev.revealed.estimate.route;

import dev.revealed.estimate.route.RouteLikelihood.Depth;
import dev.revealed.mdp.route.PairFeatures;
import dev.revealed.mdp.route.Trips;
import dev.revealed.mdp.route.Trips.Trip;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.numeric.RandomStream;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Out-of-sample log-likelihoods over random splits: estimated on one part of the trips, evaluated on the other.
 *
 * @param splits how many
 * @param testShare of trips, or of destinations, that are held out
 * @param byDestination whether all trips to a destination are held out together
 */
public record RouteValidation(int splits, double testShare, boolean byDestination) {

    public RouteValidation {
        BadInput.count("`splits`", splits);
        BadInput.when(
                !(testShare > 0 && testShare < 1), "`test-share` is " + testShare, "Give a number between 0 and 1.");
    }

    /**
     * One split; log-likelihoods are means per trip.
     *
     * @param train of the trips that were used to estimate
     * @param test of the others, none of which the estimate has seen
     */
    public record Split(int trainTrips, int testTrips, double train, double test) {}

    /** Estimates a model on some trips, to evaluate it on others. */
    public interface Fitting {
        /** Log-likelihoods of the trips estimated on and of the others. */
        double[] of(Trips train, Trips test, RandomStream stream);
    }

    /**
     * Estimates a model on all splits and evaluates it.
     *
     * @param start where every search begins, such as the estimate on all trips
     */
    public List<Split> run(
            Trips trips,
            PairFeatures features,
            RouteModel model,
            double[] start,
            RandomStream stream,
            ProgressListener listener) {
        return run(
                trips,
                (train, test, _) -> {
                    RouteGraph own = new RouteGraph(train, features);
                    RouteEstimate estimate =
                            RouteEstimator.standard().fit("", own, model.likelihood(own), start, ProgressListener.NONE);
                    RouteLikelihood other = model.likelihood(new RouteGraph(test, features));
                    return new double[] {
                        estimate.logLikelihood(),
                        other.at(estimate.theta(), Depth.VALUE).value()
                    };
                },
                stream,
                listener);
    }

    /** Fits and evaluates whatever model on all splits. */
    public List<Split> run(Trips trips, Fitting fitting, RandomStream stream, ProgressListener listener) {
        List<Split> all = new ArrayList<>();
        for (int split = 0; split < splits; split++) {
            boolean[] held = held(trips, stream.at(split));
            Trips train = part(trips, held, false);
            Trips test = part(trips, held, true);
            double[] found;
            try {
                found = fitting.of(train, test, stream.at(split).named("search"));
            } catch (BadInput e) {
                throw e.in("split %d of %d".formatted(split + 1, splits));
            }
            all.add(new Split(train.size(), test.size(), found[0] / train.size(), found[1] / test.size()));
            listener.progress("held-out trips", split + 1, splits);
        }
        return all;
    }

    private boolean[] held(Trips trips, RandomStream stream) {
        int[] unit = trips.list().stream().mapToInt(Trip::destination).toArray();
        int[] units = byDestination
                ? IntStream.of(unit).distinct().sorted().toArray()
                : IntStream.range(0, trips.size()).toArray();
        for (int i = units.length - 1; i > 0; i--) {
            int j = stream.nextInt(i + 1);
            int swapped = units[i];
            units[i] = units[j];
            units[j] = swapped;
        }
        int count = (int) Math.rint(testShare * units.length);
        BadInput.when(
                count < 1 || count >= units.length,
                "`test-share` %s of %d %s leaves one part empty"
                        .formatted(testShare, units.length, byDestination ? "destinations" : "trips"),
                "Give more data, or another share.");
        boolean[] drawn = new boolean[byDestination ? trips.destinations().size() : trips.size()];
        for (int i = 0; i < count; i++) {
            drawn[units[i]] = true;
        }
        boolean[] held = new boolean[trips.size()];
        for (int i = 0; i < held.length; i++) {
            held[i] = drawn[byDestination ? unit[i] : i];
        }
        return held;
    }

    private static Trips part(Trips trips, boolean[] held, boolean wanted) {
        List<Trip> list = IntStream.range(0, held.length)
                .filter(i -> held[i] == wanted)
                .mapToObj(trips.list()::get)
                .toList();
        return new Trips(trips.network(), trips.destinations(), list);
    }
}
