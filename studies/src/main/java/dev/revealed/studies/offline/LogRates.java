package dev.revealed.studies.offline;

import dev.revealed.mdp.Agent;
import dev.revealed.mdp.Demonstrations;
import dev.revealed.mdp.Gradient;
import dev.revealed.mdp.InformationCost;
import dev.revealed.mdp.Likelihood;
import dev.revealed.mdp.Mdp;
import dev.revealed.mdp.SingleLoop;
import dev.revealed.mdp.SoftPolicy;
import dev.revealed.mdp.SoftProcess;
import dev.revealed.mdp.Trajectory;
import dev.revealed.mdp.offline.LoggedDynamics;
import dev.revealed.mdp.offline.MoveCounts;
import dev.revealed.numeric.Lbfgs;
import dev.revealed.numeric.Parallel;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Vec;
import dev.revealed.studies.offline.LoggedWorld.Logger;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * How the error of the reward falls with the number of logged moves. The demonstrations are infinitely many and infinitely
 * long, so that what is left is the error of the transition law alone.
 */
public record LogRates(
        LoggedWorld world, OfflineTheoryStudy.Settings settings, RandomStream stream, ProgressListener listener) {
    private static final Lbfgs SEARCH = new Lbfgs(10, 500, 1e-7);

    /**
     * Means over runs.
     *
     * @param logger who made the log
     * @param squaredError |theta^ - theta*|^2
     * @param unvisited share of pairs of state and action that were never logged
     */
    public record Point(
            String logger, int moves, double squaredError, double standardError, double unvisited, int runs) {}

    /**
     * How fast the squared error falls.
     *
     * @param concentrability largest ratio of the expert's share of visits to the log's
     * @param slope least squares, of the log mean squared error on the log number of moves
     */
    public record Slope(String logger, double concentrability, double slope) {}

    List<Point> points() {
        List<Point> points = new ArrayList<>();
        AtomicInteger done = new AtomicInteger();
        int runs = settings.runs();
        long total = (long) Logger.values().length * settings.moves().size() * runs;
        for (Logger logger : Logger.values()) {
            double[] logPolicy = world.logPolicy(logger);
            for (int moves : settings.moves()) {
                double[] squared = new double[runs];
                double[] unvisited = new double[runs];
                Parallel.tasks(runs, run -> {
                    RandomStream own = stream.named(logger.toString()).at(run);
                    MoveCounts counts = world.log(logPolicy, moves, own);
                    LoggedDynamics dynamics =
                            LoggedDynamics.of(counts, LoggedDynamics.Law.COUNTS, settings.prior(), Set.of());
                    double[] error = Vec.plus(estimate(dynamics), -1, world.truth());
                    squared[run] = Vec.dot(error, error);
                    unvisited[run] = (double) dynamics.unvisited().length / counts.rows();
                    listener.progress("rates", done.incrementAndGet(), total);
                });
                points.add(new Point(
                        logger.toString(),
                        moves,
                        Vec.mean(squared),
                        Vec.standardError(squared),
                        Vec.mean(unvisited),
                        runs));
            }
        }
        return points;
    }

    List<Slope> slopes(List<Point> points) {
        List<Slope> slopes = new ArrayList<>();
        for (Logger logger : Logger.values()) {
            List<Point> own = points.stream()
                    .filter(point -> point.logger.equals(logger.toString()))
                    .toList();
            slopes.add(new Slope(
                    logger.toString(),
                    world.concentrability(world.logPolicy(logger)),
                    Vec.slope(
                            own.stream().mapToDouble(p -> Math.log(p.moves)).toArray(),
                            own.stream()
                                    .mapToDouble(p -> Math.log(p.squaredError))
                                    .toArray())));
        }
        return slopes;
    }

    /** The maximiser of the surrogate whose demonstrations are the expert's expected visits. */
    private double[] estimate(LoggedDynamics dynamics) {
        Mdp mdp = new Mdp(dynamics.kernel(), world.mdp().discount(), world.mdp().start());
        SoftProcess process = new SoftProcess(mdp, InformationCost.STANDARD);
        Likelihood likelihood = new Likelihood.Surrogate(process, world.expertVisits(), mdp.start());
        SoftPolicy policy = SoftPolicy.start(process);
        Demonstrations unused = new Demonstrations(List.of(new Trajectory(new int[2], new int[1])));
        SingleLoop.Score<double[], SoftPolicy, Gradient> score =
                Agent.score(process, world.reward(), likelihood, unused, 0, new Agent.Exact());
        double[] rows = new double[mdp.rows()];
        RandomStream none = RandomStream.of(0);
        return SEARCH.maximise(
                        (theta, gradient) -> {
                            world.reward().values(theta, rows);
                            process.solver().solve(rows, policy, 1e-11).orThrow();
                            System.arraycopy(score.at(theta, policy, none).vector(), 0, gradient, 0, gradient.length);
                            return likelihood.value(rows, policy.values(), policy.logPolicy());
                        },
                        new double[world.truth().length],
                        (k, theta, value, gradient) -> {})
                .x();
    }
}
