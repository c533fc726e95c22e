package dev.revealed.studies.offline;

import dev.revealed.imitate.judge.ActionFit;
import dev.revealed.mdp.Episodes;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.Vec;
import dev.revealed.runs.RunFiles;
import dev.revealed.studies.GatheredRun;
import dev.revealed.studies.RunGroups;
import dev.revealed.train.PolicyFile;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Set;

/**
 * Settings compared by how well their last policies predict actions of demonstrations that no run learnt from: a choice
 * without the true reward.
 */
public record HeldOutActions(List<Row> rows) {
    /** Settings that say where data lie, not how it is learnt from. */
    private static final Set<String> PLACES = Set.of("world", "data");

    /**
     * Runs that differ in the seed alone.
     *
     * @param actionError mean over runs and trajectories
     * @param standardError over runs or over trajectories, whichever is larger: all runs see the same trajectories
     * @param nearBest whether it is within a standard error of the smallest
     */
    public record Row(
            String task,
            String method,
            String settings,
            int runs,
            double logLikelihood,
            double actionError,
            double standardError,
            boolean nearBest) {
        private Row judged(Row best) {
            double error = Double.isNaN(best.standardError) ? 0 : best.standardError; // of a single trajectory
            boolean near = actionError <= best.actionError + error;
            return new Row(task, method, settings, runs, logLikelihood, actionError, standardError, near);
        }
    }

    private static double larger(double a, double b) {
        return Double.isNaN(a) ? b : Double.isNaN(b) ? a : Math.max(a, b);
    }

    /** All finished runs that were found; the smallest error first. */
    public static HeldOutActions of(GatheredRun.Found found, Episodes heldOut) {
        List<Row> rows = new ArrayList<>();
        RunGroups.of(found).forEach((key, runs) -> {
            List<ActionFit> fits = runs.stream()
                    .map(run -> PolicyFile.read(run.folder().resolve(RunFiles.POLICY)))
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
                    larger(Vec.standardError(byRun), Vec.standardError(byTrajectory)),
                    false));
        });
        BadInput.when(rows.isEmpty(), "no finished run of 'imitate' was found", "Name a folder that holds some.");
        rows.sort(Comparator.comparingDouble(Row::actionError));
        Row best = rows.getFirst();
        return new HeldOutActions(rows.stream().map(row -> row.judged(best)).toList());
    }
}
