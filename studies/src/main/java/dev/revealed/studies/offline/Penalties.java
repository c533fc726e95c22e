package dev.revealed.studies.offline;

import dev.revealed.estimate.Estimator;
import dev.revealed.estimate.ExactLikelihood;
import dev.revealed.estimate.Nfxp;
import dev.revealed.estimate.Problem;
import dev.revealed.estimate.offline.CautionChoice;
import dev.revealed.estimate.offline.OfflineProblem;
import dev.revealed.mdp.Simulation;
import dev.revealed.numeric.Parallel;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Vec;
import dev.revealed.studies.offline.LoggedWorld.Logger;
import dev.revealed.studies.theory.TheoryProblem;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.ToDoubleFunction;

/**
 * What a penalty on uncertain moves buys on a board, by who made the log and how long it is. The demonstrations are part of
 * the log, as they are wherever somebody has both.
 */
public record Penalties(
        LoggedWorld world,
        OfflineTheoryStudy.Board board,
        double prior,
        RandomStream stream,
        ProgressListener listener) {
    private static final Estimator ESTIMATOR = Nfxp.standard();
    private static final List<Logger> LOGGERS = List.of(Logger.EXPERT, Logger.RANDOM, Logger.OPPONENT);

    /**
     * Means over runs.
     *
     * @param caution the penalty's weight; {@code auto} where it was chosen by held-out likelihood
     * @param meanCaution of the runs
     * @param squaredError of the reward's parameters
     * @param excess expected log-likelihood of the expert's choices that the estimated policy gives away
     * @param loss soft value that the estimated policy loses in the true process by the true reward
     * @param transferLoss the same for the policy that is optimal for the estimated reward in the true process
     */
    public record Row(
            String logger,
            int moves,
            String caution,
            double meanCaution,
            double squaredError,
            double excess,
            double loss,
            double lossStandardError,
            double transferLoss) {}

    /** Of one run with one caution. */
    private record Found(double caution, double squaredError, double excess, double loss, double transferLoss) {}

    List<Row> rows() {
        List<Row> rows = new ArrayList<>();
        AtomicInteger done = new AtomicInteger();
        List<Double> cautions = CautionChoice.STANDARD.candidates();
        int runs = board.runs();
        long total = (long) LOGGERS.size() * board.moves().size() * runs;
        for (Logger logger : LOGGERS) {
            double[] logPolicy = world.logPolicy(logger);
            for (int moves : board.moves()) {
                Found[][] found = new Found[cautions.size() + 1][runs];
                Parallel.tasks(runs, run -> {
                    RandomStream own = stream.named(logger.toString()).at(run);
                    OfflineProblem problem = world.problem(
                            world.log(logPolicy, moves, own.named("log")),
                            true,
                            prior,
                            new Simulation(world.mdp(), world.expert().logPolicy())
                                    .demonstrations(
                                            board.demonstrations(), board.length(), own.named("demonstrations")),
                            board.ridge());
                    for (int c = 0; c < cautions.size(); c++) {
                        found[c][run] = fit(problem.withCaution(cautions.get(c)));
                    }
                    double chosen = CautionChoice.STANDARD
                            .choose(problem, ESTIMATOR, own.named("caution"), ProgressListener.NONE)
                            .caution();
                    found[cautions.size()][run] = found[cautions.indexOf(chosen)][run];
                    listener.progress("penalty", done.incrementAndGet(), total);
                });
                for (int c = 0; c <= cautions.size(); c++) {
                    String name = c < cautions.size() ? Double.toString(cautions.get(c)) : "auto";
                    rows.add(row(logger, moves, name, found[c]));
                }
            }
        }
        return rows;
    }

    private Found fit(OfflineProblem offline) {
        Problem problem = offline.problem();
        double[] theta = ESTIMATOR
                .fit(problem, RandomStream.of(1), ProgressListener.NONE)
                .theta();
        ExactLikelihood exact = new ExactLikelihood(problem, problem.process());
        exact.value(theta);
        double[] logPolicy = exact.policy().logPolicy();
        double[] error = Vec.plus(theta, -1, world.truth());
        return new Found(
                offline.caution(),
                Vec.dot(error, error),
                world.excess(logPolicy),
                world.loss(logPolicy),
                world.loss(TheoryProblem.optimal(world.mdp(), world.reward(), theta)
                        .logPolicy()));
    }

    private static Row row(Logger logger, int moves, String caution, Found[] found) {
        double[] loss = column(found, Found::loss);
        return new Row(
                logger.toString(),
                moves,
                caution,
                Vec.mean(column(found, Found::caution)),
                Vec.mean(column(found, Found::squaredError)),
                Vec.mean(column(found, Found::excess)),
                Vec.mean(loss),
                Vec.standardError(loss),
                Vec.mean(column(found, Found::transferLoss)));
    }

    private static double[] column(Found[] found, ToDoubleFunction<Found> of) {
        return Arrays.stream(found).mapToDouble(of).toArray();
    }
}
