package dev.revealed.studies;

import java.util.List;
import java.util.Locale;
import java.util.LongSummaryStatistics;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * What ML-IRL is to reach here on one task, by a preset of ours as it is ({@code revealed} or {@code revealed-1}), its last
 * policy, and twenty deterministic episodes.
 *
 * @param demos the file of demonstrations without its ending; any where it is empty
 * @param seeds at least so many
 * @param share of the expert's return that the interquartile mean over seeds must reach
 * @param expert the expert's return; that of the demonstrations themselves where it is NaN
 * @param leastSteps and {@code mostSteps} that may be counted
 * @param ofBest share of a run's best test that its last one must reach, with every seed
 */
public record ImitationAim(
        String task,
        String demos,
        int trajectories,
        ImitationTable.Method method,
        int seeds,
        double share,
        double expert,
        long leastSteps,
        long mostSteps,
        double ofBest) {
    public static final double REUSED = 0.8; // of the policy learnt with a reward, for a fresh one on the same reward
    private static final int EPISODES = 20;

    /** Options that change how long a run is and where, but not the settings that it learns by. */
    static final Set<String> NO_SETTINGS = Set.of("iterations", "simulators", "episodes", "device");

    private static final ImitationTable.Method SA = ImitationTable.Method.ML_IRL_SA;

    public static final List<ImitationAim> ALL = List.of(
            hopper(SA),
            hopper(ImitationTable.Method.ML_IRL_S),
            of("hopper", "hopper-firl", 2, 0.95, 3527),
            of("halfcheetah", "halfcheetah", 5, 0.96, 4240),
            of("walker2d", "walker2d", 5, 0.9, 5747),
            of("ant", "ant", 2, 0.9, 6626),
            new ImitationAim("humanoid", "", 5, SA, 2, 0.9, Double.NaN, 1_000_000, Long.MAX_VALUE, 0.9));

    private static ImitationAim hopper(ImitationTable.Method method) {
        return new ImitationAim("hopper", "hopper", 1, method, 5, 0.95, 3480, 0, 1_000_000, 0);
    }

    private static ImitationAim of(String task, String demos, int seeds, double share, double expert) {
        return new ImitationAim(task, demos, 5, SA, seeds, share, expert, 0, Long.MAX_VALUE, 0);
    }

    /** The return of an expert whose demonstrations do not tell it; NaN where nobody does. */
    static double expertOf(String demos) {
        return ALL.stream()
                .filter(aim -> aim.demos.equals(demos))
                .mapToDouble(ImitationAim::expert)
                .findFirst()
                .orElse(Double.NaN);
    }

    public boolean concerns(ImitationTable.Key key) {
        return key.task().equals(task)
                && (demos.isEmpty() || key.demosName().equals(demos))
                && key.trajectories() == trajectories
                && key.method() == method
                && key.preset().startsWith("revealed")
                && NO_SETTINGS.containsAll(key.options().keySet());
    }

    static Optional<ImitationAim> of(ImitationTable.Key key) {
        return ALL.stream().filter(aim -> aim.concerns(key)).findFirst();
    }

    /** What is missing of it, in words. */
    List<String> shortfalls(double expertReturn, double mean, List<ImitationTable.Run> runs) {
        double least = share * (Double.isNaN(expert) ? expertReturn : expert);
        LongSummaryStatistics steps =
                runs.stream().mapToLong(ImitationTable.Run::countedSteps).summaryStatistics();
        boolean fewEpisodes = runs.stream().anyMatch(run -> run.episodes() < EPISODES);
        boolean fell = ofBest > 0 && !(ImitationTable.lastOfBest(runs) >= ofBest);
        return Stream.of(
                        mean >= least ? "" : "below " + decimals(least),
                        runs.size() >= seeds ? "" : "%d of %d seeds".formatted(runs.size(), seeds),
                        fewEpisodes ? "fewer than %d episodes".formatted(EPISODES) : "",
                        steps.getMin() >= leastSteps ? "" : "fewer than %,d steps".formatted(leastSteps),
                        steps.getMax() <= mostSteps ? "" : "more than %,d steps".formatted(mostSteps),
                        fell ? "last below %s %% of best".formatted(decimals(100 * ofBest)) : "")
                .filter(words -> !words.isEmpty())
                .toList();
    }

    private static String decimals(double value) {
        return String.format(Locale.ROOT, "%.0f", value);
    }

    @Override
    public String toString() {
        return "%s, %d %s of %s: %s %% of %s"
                .formatted(
                        method,
                        trajectories,
                        trajectories == 1 ? "trajectory" : "trajectories",
                        demos.isEmpty() ? task : demos,
                        decimals(100 * share),
                        Double.isNaN(expert) ? "its expert" : decimals(expert));
    }
}
