package dev.revealed.app.certify;

import dev.revealed.data.ProcessData;
import dev.revealed.data.Trajectories;
import dev.revealed.estimate.Ergodicity;
import dev.revealed.estimate.Estimate;
import dev.revealed.estimate.MlIrl;
import dev.revealed.estimate.Problem;
import dev.revealed.mdp.Demonstrations;
import dev.revealed.mdp.Likelihood;
import dev.revealed.mdp.LinearReward;
import dev.revealed.mdp.Mdp;
import dev.revealed.mdp.Trajectory;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Vec;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** What the certificates need, read off a process and, where there are any, trajectories. */
final class CertifiedData {
    private final ProcessData process;
    private final @Nullable Demonstrations demonstrations;

    private CertifiedData(ProcessData process, @Nullable Demonstrations demonstrations) {
        this.process = process;
        this.demonstrations = demonstrations;
    }

    static CertifiedData read(ProcessData process, Optional<Path> trajectories) {
        return new CertifiedData(
                process,
                trajectories.map(file -> Trajectories.read(file, process.mdp())).orElse(null));
    }

    /**
     * What was found.
     *
     * @param shortest decisions of the shortest trajectory
     * @param parameters number of features
     * @param featureWidth largest max phi_j - min phi_j
     * @param slope largest |phi|
     * @param ergodicity constants of Assumption 2; absent where the chain does not mix, or is too large to look at
     */
    record Found(
            int states,
            OptionalLong trajectories,
            OptionalInt shortest,
            OptionalInt longest,
            OptionalInt parameters,
            OptionalDouble featureWidth,
            OptionalDouble slope,
            String rewardRangeFrom,
            OptionalDouble l1Norm,
            Optional<Ergodicity> ergodicity,
            boolean ergodicityExamined) {}

    /** The width of the reward, and where it comes from. */
    record Range(double width, String from, OptionalDouble norm) {}

    Mdp mdp() {
        return process.mdp();
    }

    OptionalLong trajectories() {
        return demonstrations == null ? OptionalLong.empty() : OptionalLong.of(demonstrations.size());
    }

    /** The shortest trajectory decides: what was cut of the others weighs less. */
    OptionalInt shortest() {
        return demonstrations == null
                ? OptionalInt.empty()
                : demonstrations.trajectories().stream()
                        .mapToInt(Trajectory::length)
                        .min();
    }

    OptionalInt parameters() {
        return process.features()
                .map(features -> OptionalInt.of(features.parameters()))
                .orElse(OptionalInt.empty());
    }

    OptionalDouble featureWidth() {
        return process.features()
                .map(features ->
                        Arrays.stream(columns(features)).mapToDouble(Vec::span).max())
                .orElse(OptionalDouble.empty());
    }

    /** The largest Euclidean norm of a row of features. */
    OptionalDouble slope() {
        if (process.features().isEmpty()) {
            return OptionalDouble.empty();
        }
        double[][] columns = columns(process.features().get());
        double largest = 0;
        for (int row = 0; row < mdp().rows(); row++) {
            double sum = 0;
            for (double[] column : columns) {
                sum += column[row] * column[row];
            }
            largest = Math.max(largest, Math.sqrt(sum));
        }
        return OptionalDouble.of(largest);
    }

    private static double[][] columns(LinearReward features) {
        return features.derivatives(new double[features.parameters()]);
    }

    /**
     * How far rewards lie apart: that of the true reward in the file, that of a norm of the parameters, or that of the
     * reward estimated from the trajectories.
     */
    Range range(@Nullable Double norm, @Nullable Double radius, ProgressListener listener) {
        if (norm != null && featureWidth().isPresent()) {
            return new Range(
                    norm * featureWidth().getAsDouble(),
                    "the norm and the width of the features",
                    OptionalDouble.of(norm));
        }
        if (radius != null && process.features().isPresent()) {
            // |phi(x) - phi(y)| is at most the diagonal of the box that holds the features
            double diagonal = Vec.norm(Arrays.stream(columns(process.features().get()))
                    .mapToDouble(Vec::span)
                    .toArray());
            return new Range(radius * diagonal, "the radius and the widths of the features", OptionalDouble.empty());
        }
        if (process.trueReward().isPresent()) {
            return new Range(
                    Vec.span(process.trueReward().get()), "the true reward in the file", OptionalDouble.empty());
        }
        if (demonstrations == null || process.features().isEmpty()) {
            throw new BadInput(
                    "the range of the reward is not known",
                    "Give `reward-range`; or features with `l1-norm` or `radius`, or with trajectories to estimate it from.");
        }
        return estimated(process.features().get(), demonstrations, listener);
    }

    private Range estimated(LinearReward features, Demonstrations data, ProgressListener listener) {
        Problem given = new Problem(mdp(), process.cost(1), features, data, Problem.Objective.SURROGATE, 0);
        Problem problem = process.startGiven() ? given : given.withObservedStarts();
        Estimate estimate = MlIrl.suited(problem).fit(problem, RandomStream.of(1), listener);
        if (!estimate.converged()) {
            throw new BadInput(
                    "the range of the reward cannot be estimated: " + estimate.status(), "Give `reward-range`.");
        }
        double[] rows = new double[mdp().rows()];
        features.values(estimate.theta(), rows);
        return new Range(
                Vec.span(rows),
                "the estimated reward",
                OptionalDouble.of(Arrays.stream(estimate.theta()).map(Math::abs).sum()));
    }

    Found found(Range range) {
        boolean examined = Ergodicity.fits(mdp());
        return new Found(
                mdp().states(),
                trajectories(),
                shortest(),
                demonstrations == null
                        ? OptionalInt.empty()
                        : demonstrations.trajectories().stream()
                                .mapToInt(Trajectory::length)
                                .max(),
                parameters(),
                featureWidth(),
                slope(),
                range.from(),
                range.norm(),
                examined ? Ergodicity.of(mdp(), policy()) : Optional.empty(),
                examined);
    }

    /** Frequencies of the observed choices; any action alike where none was observed. */
    private double[] policy() {
        int actions = mdp().actions();
        double[] policy = new double[mdp().rows()];
        double[] counts = demonstrations != null && demonstrations.hasActions()
                ? Likelihood.choiceCounts(mdp(), demonstrations)
                : new double[policy.length];
        for (int begin = 0; begin < policy.length; begin += actions) {
            double visits = Arrays.stream(counts, begin, begin + actions).sum();
            for (int row = begin; row < begin + actions; row++) {
                policy[row] = visits == 0 ? 1.0 / actions : counts[row] / visits;
            }
        }
        return policy;
    }
}
