package dev.revealed.bench;

import com.sun.management.OperatingSystemMXBean;
import dev.revealed.estimate.route.LinkSize;
import dev.revealed.estimate.route.LinkSizeLogit;
import dev.revealed.estimate.route.RecursiveLogit;
import dev.revealed.estimate.route.RouteEstimate;
import dev.revealed.estimate.route.RouteEstimator;
import dev.revealed.estimate.route.RouteGraph;
import dev.revealed.estimate.route.RouteLikelihood;
import dev.revealed.estimate.route.RouteLikelihood.Depth;
import dev.revealed.mdp.route.GridCity;
import dev.revealed.mdp.route.PairFeatures;
import dev.revealed.mdp.route.Trips;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.Parallel;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Vec;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;

/**
 * Recursive logit on a road network: evaluations and whole estimates beside the floor and beside SciPy. The floor counts
 * the multiply-adds of the solves, at the peak of one core's multiply-adds in double precision.
 */
public record RouteBench(Trips trips, PairFeatures features, List<String> python) {
    private static final int REPETITIONS = 5;

    /** Work that has taken this long is not repeated. */
    private static final double MOST_SECONDS = 20;

    private static final Duration LIMIT = Duration.ofMinutes(3);

    /** Parameters of a generated city: plausible, and safely allowed. */
    private static final double[] CITY = {-2.5, -0.9, -1.0, -4.5};

    private static final int TRIPS_EACH = 2;

    /**
     * One piece of work.
     *
     * @param seconds the best of several
     * @param cpuSeconds of all threads together, the least
     * @param aim seconds it should not exceed; NaN where there is no aim
     * @param multiplyAdds that solves for all destinations take; NaN where nothing was counted
     * @param timesFloor CPU seconds over the floor's
     * @param scipySeconds NaN where SciPy was not measured, or does not do it
     */
    public record Row(
            String work,
            int threads,
            double seconds,
            double cpuSeconds,
            double aim,
            double multiplyAdds,
            double timesFloor,
            double scipySeconds,
            double timesFasterThanScipy) {

        /** With a peak of so many operations in double precision per nanosecond. */
        private Row over(double gigaflops) {
            double floor = 2e-9 * multiplyAdds / gigaflops;
            return new Row(
                    work,
                    threads,
                    seconds,
                    cpuSeconds,
                    aim,
                    multiplyAdds,
                    cpuSeconds / floor,
                    scipySeconds,
                    timesFasterThanScipy);
        }
    }

    /**
     * What was measured.
     *
     * @param factorEntries off-diagonal entries of L and U together
     * @param logLikelihood at the estimate, or at the parameters of a generated city
     * @param scipyLogLikelihood at SciPy's estimate, NaN where it was not measured
     * @param heapGigabytes most that was in use after a piece of work
     */
    public record Result(
            int links,
            int pairs,
            int destinations,
            int trips,
            long factorEntries,
            double peakGigaflops,
            List<Row> rows,
            double logLikelihood,
            double scipyLogLikelihood,
            String scipy,
            double heapGigabytes,
            List<String> notes) {}

    /** The network and trips given, with recursive logit on one thread and link size on all. */
    public Result run(double[] linkSize, int threads, ProgressListener listener) {
        Meter meter = new Meter(trips, features, listener);
        double[] start = new double[features.size()];
        Arrays.fill(start, -1.5);
        ScipyRoutes scipy = ScipyRoutes.run(trips, features, python, LIMIT);
        try {
            Parallel.threads(1);
            RecursiveLogit logit = meter.prepare(1);
            meter.evaluations(logit, start, 1, scipy);
            RouteEstimate estimate = meter.work(
                    "rl estimate",
                    1,
                    1,
                    Double.NaN,
                    scipy.estimate(),
                    () -> RouteEstimator.standard().fit("rl", meter.graph, logit, start, ProgressListener.NONE));
            Parallel.threads(threads);
            LinkSizeLogit sized = meter.work(
                    "link size of all pairs",
                    threads,
                    Double.NaN,
                    Double.NaN,
                    Double.NaN,
                    () -> new LinkSizeLogit(meter.graph, new LinkSize(meter.graph, linkSize)));
            double[] from = Vec.joined(estimate.theta(), new double[1]);
            meter.work(
                    "rl-ls likelihood and gradient",
                    threads,
                    Double.NaN,
                    Double.NaN,
                    Double.NaN,
                    () -> sized.at(from, Depth.GRADIENT).value());
            meter.work(
                    "rl-ls estimate",
                    threads,
                    10,
                    Double.NaN,
                    Double.NaN,
                    () -> RouteEstimator.standard().fit("rl-ls", meter.graph, sized, from, ProgressListener.NONE));
            return meter.result(estimate.logLikelihood(), scipy);
        } finally {
            Parallel.threads(threads);
        }
    }

    /** A generated city; one likelihood with gradient. */
    public static Result city(int links, int destinations, long seed, int threads, ProgressListener listener) {
        BadInput.count("`links`", links);
        GridCity city = GridCity.of(links, destinations, TRIPS_EACH, RandomStream.of(seed));
        Meter meter = new Meter(city.trips(), city.features(), listener);
        RecursiveLogit logit = meter.prepare(threads);
        RouteLikelihood.Evaluation evaluation = meter.work(
                "likelihood and gradient",
                threads,
                links <= 100_000 && destinations <= 1000 ? 60 : Double.NaN,
                meter.solves(2),
                Double.NaN,
                () -> logit.at(CITY, Depth.GRADIENT));
        BadInput.when(!evaluation.feasible(), "the city has no values at its parameters", "Choose another seed.");
        return meter.result(evaluation.value(), ScipyRoutes.missing("SciPy is not measured on generated cities."));
    }

    /** Repeats work, keeps the best, and collects rows. */
    private static final class Meter {
        private final Trips trips;
        private final PairFeatures features;
        private final ProgressListener listener;
        private final List<Row> rows = new ArrayList<>();
        private final FmaPeak peak = new FmaPeak();
        private RouteGraph graph;
        private long heap;

        Meter(Trips trips, PairFeatures features, ProgressListener listener) {
            this.trips = trips;
            this.features = features;
            this.listener = listener;
            peak.measure(1); // until it is compiled
            graph = work(
                    "order and fill", 1, Double.NaN, Double.NaN, Double.NaN, () -> new RouteGraph(trips, features));
        }

        RecursiveLogit prepare(int threads) {
            return work("factors", threads, Double.NaN, Double.NaN, Double.NaN, () -> {
                BadInput.when(!graph.feasible(CITY), "the start is not allowed", "Measure a network that allows it.");
                return new RecursiveLogit(graph);
            });
        }

        void evaluations(RecursiveLogit logit, double[] theta, int threads, ScipyRoutes scipy) {
            work("likelihood", threads, Double.NaN, solves(1), scipy.likelihood(), () -> logit.at(theta, Depth.VALUE));
            work(
                    "likelihood and gradient",
                    threads,
                    0.04,
                    solves(2),
                    scipy.withGradient(),
                    () -> logit.at(theta, Depth.GRADIENT));
            work(
                    "likelihood, scores and Hessian",
                    threads,
                    Double.NaN,
                    solves(2 + features.size()),
                    Double.NaN,
                    () -> logit.at(theta, Depth.SECOND));
        }

        /** Multiply-adds of so many solves for each destination. */
        double solves(int count) {
            return (double) count * trips.destinations().size() * graph.factorEntries();
        }

        <T> T work(String work, int threads, double aim, double multiplyAdds, double scipy, Supplier<T> once) {
            double[] least = {Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY};
            double spent = 0;
            T result;
            int repetition = 0;
            do {
                listener.progress(work, repetition++, REPETITIONS);
                peak.measure(0.02);
                long cpuBegin = cpu(threads);
                long begin = System.nanoTime();
                result = once.get();
                double seconds = 1e-9 * (System.nanoTime() - begin);
                least[0] = Math.min(least[0], seconds);
                least[1] = Math.min(least[1], 1e-9 * (cpu(threads) - cpuBegin));
                spent += seconds;
            } while (repetition < REPETITIONS && spent < MOST_SECONDS);
            Runtime runtime = Runtime.getRuntime();
            heap = Math.max(heap, runtime.totalMemory() - runtime.freeMemory());
            rows.add(
                    new Row(work, threads, least[0], least[1], aim, multiplyAdds, Double.NaN, scipy, scipy / least[0]));
            return result;
        }

        /** Of this thread where it works alone: the process has its compiler, and a coarse clock. */
        private static long cpu(int threads) {
            if (threads > 1 && ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean system) {
                return system.getProcessCpuTime();
            }
            return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
        }

        Result result(double logLikelihood, ScipyRoutes scipy) {
            List<String> notes = new ArrayList<>();
            if (!scipy.measured()) {
                notes.add(scipy.note());
            }
            return new Result(
                    trips.network().links(),
                    trips.network().pairs(),
                    trips.destinations().size(),
                    trips.size(),
                    graph.factorEntries(),
                    peak.gigaflops(),
                    rows.stream().map(row -> row.over(peak.gigaflops() / 2)).toList(),
                    logLikelihood,
                    scipy.logLikelihood(),
                    scipy.version(),
                    1e-9 * heap,
                    notes);
        }
    }
}
