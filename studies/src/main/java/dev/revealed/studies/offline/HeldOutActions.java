package dev.revealed.studies.offline;

import dev.revealed.imitate.judge.ActionFit;
import dev.revealed.mdp.Episodes;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.Vec;
import dev.revealed.runs.RunFiles;
import dev.revealed.studies.GatheredRun;
import dev.revealed.studies.RunGroups;
import dev.revealed.train.PolicyFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Settings compared by how well their last policies predict actions of demonstrations that no run learnt from: a choice
 * without the true reward.
 *
 * @param actionUnit of all action errors: the largest absolute action of these demonstrations
 */
public record HeldOutActions(double actionUnit, List<Row> rows) {
    /** Settings that say where data lie, not how it is learnt from. */
    private static final Set<String> PLACES = Set.of("world", "data");

    private static final int NAMED = 5; // of the runs that are left out

    /**
     * Runs that differ in the seed alone.
     *
     * @param actionError mean over runs and trajectories
     * @param standardError over trajectories, of the means over runs; NaN with a single trajectory
     * @param seedError standard error over runs; NaN of a single run
     * @param nearBest whether it is within the smallest error's {@code standardError} of that error
     */
    public record Row(
            String task,
            String method,
            String settings,
            int runs,
            double logLikelihood,
            double actionError,
            double standardError,
            double seedError,
            boolean nearBest) {
        private Row judged(Row best) {
            double error = Double.isNaN(best.standardError) ? 0 : best.standardError;
            boolean near = actionError <= best.actionError + error;
            return new Row(task, method, settings, runs, logLikelihood, actionError, standardError, seedError, near);
        }
    }

    /** Whether the choice may depend on one seed: a row that is near the best is of a single run. */
    public boolean dependsOnOneSeed() {
        return rows.stream().anyMatch(row -> row.nearBest && row.runs == 1);
    }

    private static Path policy(GatheredRun run) {
        return run.folder().resolve(RunFiles.POLICY);
    }

    private static String names(List<GatheredRun> runs) {
        String first =
                runs.stream().limit(NAMED).map(run -> run.folder().toString()).collect(Collectors.joining(", "));
        return runs.size() > NAMED ? "%s and %d more".formatted(first, runs.size() - NAMED) : first;
    }

    /**
     * All finished runs that were found and have a policy; the smallest error first.
     *
     * @param warn receives the names of runs without a policy, such as those in archives
     */
    public static HeldOutActions of(GatheredRun.Found found, Episodes heldOut, Consumer<String> warn) {
        List<Row> rows = new ArrayList<>();
        List<GatheredRun> without = new ArrayList<>();
        RunGroups.of(found).forEach((key, all) -> {
            List<GatheredRun> runs =
                    all.stream().filter(run -> Files.exists(policy(run))).toList();
            all.stream().filter(run -> !Files.exists(policy(run))).forEach(without::add);
            if (runs.isEmpty()) {
                return;
            }
            List<ActionFit> fits = runs.stream()
                    .map(run -> PolicyFile.read(policy(run)))
                    .map(policy -> ActionFit.of(policy.actor(), heldOut))
                    .toList();
            double[] byRun = fits.stream().mapToDouble(ActionFit::error).toArray();
            double[] byTrajectory = new double[heldOut.size()];
            Arrays.setAll(
                    byTrajectory,
                    i -> fits.stream()
                            .mapToDouble(fit -> fit.errors()[i])
                            .average()
                            .orElse(Double.NaN));
            rows.add(new Row(
                    key.task(),
                    key.method().toString(),
                    key.settingsWithout(PLACES),
                    runs.size(),
                    fits.stream()
                            .mapToDouble(ActionFit::logLikelihood)
                            .average()
                            .orElse(Double.NaN),
                    Vec.mean(byTrajectory),
                    Vec.standardError(byTrajectory),
                    Vec.standardError(byRun),
                    false));
        });
        String missing = "runs without a %s (%d): %s".formatted(RunFiles.POLICY, without.size(), names(without));
        BadInput.when(
                rows.isEmpty() && !without.isEmpty(),
                "there are only " + missing,
                "Archives are not looked into for policies: unpack them if they have some, or make the runs again.");
        if (!without.isEmpty()) {
            warn.accept("left out are " + missing);
        }
        BadInput.when(rows.isEmpty(), "no finished run of 'imitate' was found", "Name a folder that holds some.");
        rows.sort(Comparator.comparingDouble(Row::actionError));
        Row best = rows.getFirst();
        return new HeldOutActions(
                ActionFit.unit(heldOut),
                rows.stream().map(row -> row.judged(best)).toList());
    }
}
