package dev.revealed.studies.route;

import dev.revealed.estimate.route.LinkSize;
import dev.revealed.estimate.route.LinkSizeLogit;
import dev.revealed.estimate.route.NeuralRoutes;
import dev.revealed.estimate.route.RecursiveLogit;
import dev.revealed.estimate.route.RouteEstimator;
import dev.revealed.estimate.route.RouteGraph;
import dev.revealed.mdp.route.Trips;
import dev.revealed.mdp.route.Trips.Trip;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.Parallel;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Vec;
import dev.revealed.numeric.stats.StudentT;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/**
 * How well models predict trips they were not fitted to: random splits into four fifths to fit and one fifth to predict,
 * for recursive logit, with link size, and with a neural reward.
 *
 * @param splits how many
 * @param neural form of the neural reward
 */
public record HeldOutStudy(int splits, NeuralRoutes neural) {
    private static final double HELD_OUT = 0.2;
    private static final List<String> MODELS = List.of("rl", "rl-ls", "neural");

    public static final HeldOutStudy STANDARD = new HeldOutStudy(20, NeuralRoutes.STANDARD);

    public HeldOutStudy {
        BadInput.when(splits < 2, "%d splits".formatted(splits), "An interval needs two or more.");
    }

    /**
     * A model over all splits. Intervals are 95 %, with the variance enlarged for splits that share trips (Nadeau and
     * Bengio 2003).
     *
     * @param training mean log-likelihood per trip fitted to
     * @param test mean log-likelihood per trip held out
     * @param gain of the mean test log-likelihood per trip over recursive logit's
     */
    public record Row(
            String model,
            double training,
            double test,
            double testLow,
            double testHigh,
            double gain,
            double gainLow,
            double gainHigh,
            int betterSplits) {}

    /** A split: log-likelihoods per trip of the models, in the order of the rows. */
    public record Split(int split, List<Double> training, List<Double> test) {}

    public record Result(
            int trips, int heldOut, int hidden, double rate, int iterations, List<Row> rows, List<Split> splits) {}

    public Result run(Path folder, long seed, ProgressListener listener) {
        BorlangeData data = BorlangeData.read(folder, listener);
        RouteGraph all = new RouteGraph(data.trips(), data.features());
        // The log-likelihoods are concave: searches of splits may start where all trips lead.
        RouteEstimator estimator = RouteEstimator.standard();
        double[] rl = estimator
                .fit("rl", all, new RecursiveLogit(all), RouteEstimator.feasibleStart(all), listener)
                .theta();
        LinkSizeLogit sized = new LinkSizeLogit(all, new LinkSize(all, RoutesStudy.linkSize()));
        double[] rlLs = estimator
                .fit("rl-ls", all, sized, Vec.joined(rl, new double[1]), listener)
                .theta();
        Split[] done = new Split[splits];
        RandomStream stream = RandomStream.of(seed);
        Parallel.tasks(
                splits, "splits", listener, split -> done[split] = split(data, rl, rlLs, split, stream.at(split)));
        int aside = (int) Math.round(HELD_OUT * data.trips().size());
        List<Row> rows = new ArrayList<>();
        for (int model = 0; model < MODELS.size(); model++) {
            rows.add(row(model, List.of(done), (double) aside / (data.trips().size() - aside)));
        }
        return new Result(
                data.trips().size(), aside, neural.hidden(), neural.rate(), neural.iterations(), rows, List.of(done));
    }

    private Split split(BorlangeData data, double[] rl, double[] rlLs, int split, RandomStream stream) {
        List<Trip> order = new ArrayList<>(data.trips().list());
        Collections.shuffle(order, stream.named("split"));
        int aside = (int) Math.round(HELD_OUT * order.size());
        RouteGraph test = graph(data, order.subList(0, aside));
        RouteGraph training = graph(data, order.subList(aside, order.size()));
        RecursiveLogit fitted = new RecursiveLogit(training);
        RecursiveLogit predicting = new RecursiveLogit(test);
        RouteEstimator estimator = RouteEstimator.standard();
        ProgressListener quiet = ProgressListener.NONE;
        double[] linear = estimator.fit("rl", training, fitted, rl, quiet).theta();
        LinkSizeLogit sized = new LinkSizeLogit(training, new LinkSize(training, RoutesStudy.linkSize()));
        double[] withSize = estimator.fit("rl-ls", training, sized, rlLs, quiet).theta();
        NeuralRoutes.Fit net = neural.fit(fitted, data.inputs(), stream.named("network"), quiet);
        return new Split(
                split + 1,
                List.of(
                        Vec.mean(fitted.logProbabilities(linear)),
                        Vec.mean(sized.logProbabilities(withSize)),
                        net.logLikelihood() / (order.size() - aside)),
                List.of(
                        Vec.mean(predicting.logProbabilities(linear)),
                        Vec.mean(new LinkSizeLogit(test, new LinkSize(test, RoutesStudy.linkSize()))
                                .logProbabilities(withSize)),
                        Vec.mean(net.logProbabilities(predicting, data.inputs()))));
    }

    private static RouteGraph graph(BorlangeData data, List<Trip> trips) {
        return new RouteGraph(new Trips(data.trips().network(), data.trips().destinations(), trips), data.features());
    }

    /** @param ratio of trips held out to trips fitted to */
    private static Row row(int model, List<Split> splits, double ratio) {
        double[] test =
                splits.stream().mapToDouble(split -> split.test.get(model)).toArray();
        double[] gain = splits.stream()
                .mapToDouble(split -> split.test.get(model) - split.test.getFirst())
                .toArray();
        double margin = margin(test, ratio);
        double gainMargin = margin(gain, ratio);
        return new Row(
                MODELS.get(model),
                splits.stream()
                        .mapToDouble(split -> split.training.get(model))
                        .average()
                        .orElseThrow(),
                Vec.mean(test),
                Vec.mean(test) - margin,
                Vec.mean(test) + margin,
                Vec.mean(gain),
                Vec.mean(gain) - gainMargin,
                Vec.mean(gain) + gainMargin,
                (int) Arrays.stream(gain).filter(own -> own > 0).count());
    }

    private static double margin(double[] x, double ratio) {
        double enlarged = Math.sqrt(1.0 / x.length + ratio) * Vec.deviation(x);
        return StudentT.quantile(0.975, x.length - 1) * enlarged;
    }
}
