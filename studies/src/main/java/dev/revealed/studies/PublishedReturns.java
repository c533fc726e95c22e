package dev.revealed.studies;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The paper's MuJoCo table: mean returns with five expert trajectories, by algorithms that its authors ran. No spread is
 * given, nor whether the last policy was taken or the best. IQ-Learn's Ant and Humanoid are copied from its own paper,
 * where the experts are others and there is one trajectory.
 *
 * @param mlIrlS with a reward of states
 * @param mlIrlSa with a reward of states and actions
 */
public record PublishedReturns(
        String task,
        double bc,
        double gail,
        double iqLearn,
        double fIrl,
        double mlIrlS,
        double mlIrlSa,
        double expert) {
    public static final String TITLE = "Zeng, Hong and Garcia's MuJoCo table, five expert trajectories";

    static final List<PublishedReturns> ALL = List.of(
            new PublishedReturns("hopper", 102.74, 2762.77, 3039.21, 3116.02, 3131.45, 3290.02, 3530.63),
            new PublishedReturns("halfcheetah", 155.64, 3085.18, 4562.51, 4751.63, 4661.04, 4846.43, 5072.53),
            new PublishedReturns("walker2d", 283.43, 3610.49, 4361.27, 4562.48, 4367.81, 4703.35, 5471.58),
            new PublishedReturns("ant", 961.58, 2971.57, 4362.90, 5124.13, 4832.38, 5157.03, 5856.84),
            new PublishedReturns("humanoid", 547.62, 3174.66, 5227.10, 5399.67, 5149.39, 5281.93, 5339.12));

    static Optional<PublishedReturns> of(String task) {
        return ALL.stream().filter(row -> row.task.equals(task)).findFirst();
    }

    /** Tasks as the table has them, and by name after those. */
    static final Comparator<String> ORDER =
            Comparator.comparingInt(PublishedReturns::place).thenComparing(Comparator.naturalOrder());

    private static int place(String task) {
        return of(task).map(ALL::indexOf).orElse(ALL.size());
    }

    /** By the method of ours that does the same; not a number where the table has none. */
    double by(ImitationTable.Method method) {
        return switch (method) {
            case BC -> bc;
            case ML_IRL_S -> mlIrlS;
            case ML_IRL_SA -> mlIrlSa;
            case F_IRL -> fIrl;
            case IQ_LEARN -> iqLearn;
            case GAIL -> gail;
            case AIRL, SQIL, OFFLINE, OFFLINE_IQ_LEARN -> Double.NaN;
        };
    }
}
