package dev.revealed.studies.offline;

import dev.revealed.estimate.Nfxp;
import dev.revealed.estimate.offline.OfflineEstimate;
import dev.revealed.estimate.offline.OfflineEstimator;
import dev.revealed.estimate.offline.OfflineProblem;
import dev.revealed.mdp.Simulation;
import dev.revealed.mdp.offline.MoveCounts;
import dev.revealed.numeric.Interval;
import dev.revealed.numeric.Parallel;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.numeric.RandomStream;
import dev.revealed.studies.offline.LoggedWorld.Logger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/** How often nominal 95 % intervals hold the true reward, with and without the uncertainty of the transition law. */
public record LogCoverage(
        LoggedWorld world, OfflineTheoryStudy.Settings settings, RandomStream stream, ProgressListener listener) {
    private static final double LEVEL = 0.95;

    /**
     * One parameter in one case.
     *
     * @param log who made the log
     * @param withDynamics share of replications whose interval from the bootstrap of log and demonstrations holds the truth
     * @param givenDynamics the same for the interval that takes the estimated law as known
     * @param monteCarloError standard error of the first share
     * @param failures replications without an interval, which count as not holding the truth
     */
    public record Row(
            String log,
            String parameter,
            double withDynamics,
            double givenDynamics,
            double monteCarloError,
            int replications,
            int failures) {}

    /** Whether each parameter's intervals hold: with the uncertainty of the law, and without. */
    private record Held(boolean[] with, boolean[] without) {}

    List<Row> rows() {
        List<Row> rows = new ArrayList<>();
        AtomicInteger done = new AtomicInteger();
        List<Optional<Logger>> logs = List.of(Optional.of(Logger.EXPERT), Optional.of(Logger.RANDOM), Optional.empty());
        int replications = settings.replications();
        for (Optional<Logger> log : logs) {
            String name = log.map(Logger::toString).orElse("the demonstrations");
            List<Optional<Held>> held = new ArrayList<>(Collections.nCopies(replications, Optional.empty()));
            Parallel.tasks(replications, i -> {
                held.set(i, replication(log, stream.named(name).at(i)));
                listener.progress("coverage", done.incrementAndGet(), (long) logs.size() * replications);
            });
            for (int j = 0; j < world.truth().length; j++) {
                rows.add(row(name, j, held));
            }
        }
        return rows;
    }

    private Optional<Held> replication(Optional<Logger> log, RandomStream own) {
        MoveCounts logged = log.map(logger ->
                        world.log(world.logPolicy(logger), settings.coverage().moves(), own.named("log")))
                .orElseGet(
                        () -> MoveCounts.none(world.mdp().states(), world.mdp().actions()));
        OfflineTheoryStudy.Coverage sizes = settings.coverage();
        OfflineProblem problem = world.problem(
                logged,
                log.isEmpty(),
                settings.prior(),
                new Simulation(world.mdp(), world.expert().logPolicy())
                        .demonstrations(sizes.demonstrations(), sizes.length(), own.named("demonstrations")),
                0);
        OfflineEstimate found = new OfflineEstimator(Nfxp.standard(), Optional.empty(), settings.draws())
                .fit(problem, own.named("estimate"), ProgressListener.NONE);
        if (found.draws() == 0) {
            return Optional.empty();
        }
        int width = world.truth().length;
        boolean[] with = new boolean[width];
        boolean[] without = new boolean[width];
        for (int j = 0; j < width; j++) {
            double value = found.estimate().parameters().get(j).value();
            double error = found.estimate().parameters().get(j).standardError().orElse(Double.NaN);
            double given = found.givenDynamics().get(j).orElse(Double.NaN);
            with[j] = Interval.normal(value, error, LEVEL).holds(world.truth()[j]);
            without[j] = Interval.normal(value, given, LEVEL).holds(world.truth()[j]);
        }
        return Optional.of(new Held(with, without));
    }

    private Row row(String log, int j, List<Optional<Held>> all) {
        List<Held> found = all.stream().flatMap(Optional::stream).toList();
        double with = (double) found.stream().filter(held -> held.with[j]).count() / all.size();
        double without = (double) found.stream().filter(held -> held.without[j]).count() / all.size();
        return new Row(
                log,
                world.reward().names().get(j),
                with,
                without,
                Math.sqrt(with * (1 - with) / all.size()),
                all.size(),
                all.size() - found.size());
    }
}
