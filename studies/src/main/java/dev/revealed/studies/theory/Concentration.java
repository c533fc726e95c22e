package dev.revealed.studies.theory;

import dev.revealed.mdp.SoftPolicy;
import dev.revealed.numeric.Parallel;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Vec;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/**
 * Section 3's argument: how near the surrogate L^ and the empirical likelihood L~ come to L, each at a theta fixed
 * before the data. Both are means over the same data sets; L is exact.
 */
public record Concentration(
        TheoryProblem theory, TheoryStudy.DataSets data, RandomStream stream, ProgressListener listener) {

    /**
     * Errors for one number of trajectories.
     *
     * @param theta where the likelihood was looked at: the truth, or its opposite
     * @param likelihood L(theta)
     * @param surrogateError mean |L - L^|
     * @param empiricalError mean |L - L~|
     */
    public record Likelihoods(
            String theta,
            int trajectories,
            double likelihood,
            double surrogateError,
            double surrogateStandardError,
            double empiricalError,
            double empiricalStandardError,
            int datasets) {}

    List<Likelihoods> likelihoods() {
        return Stream.of("truth", "opposite").flatMap(name -> at(name).stream()).toList();
    }

    private List<Likelihoods> at(String name) {
        double[] theta = name.equals("truth") ? theory.truth() : theory.opposite();
        double[] reward = new double[theory.mdp().rows()];
        theory.reward().values(theta, reward);
        SoftPolicy policy = TheoryProblem.optimal(theory.mdp(), theory.reward(), theta);
        double startValue = Vec.dot(theory.mdp().start(), policy.values());
        double exact = theory.expectation(policy.logPolicy());
        double[][] payoffs = {reward, policy.logPolicy()};
        Paths paths = theory.paths();
        int datasets = data.likelihoodDatasets();
        AtomicLong done = new AtomicLong();
        long total = (long) datasets * data.likelihoodTrajectories().size();
        List<Likelihoods> rows = new ArrayList<>();
        for (int trajectories : data.likelihoodTrajectories()) {
            double[] surrogate = new double[datasets];
            double[] empirical = new double[datasets];
            Parallel.tasks(datasets, d -> {
                RandomStream own = stream.named(name).at(trajectories).at(d);
                double[] sums = new double[2];
                for (int i = 0; i < trajectories; i++) {
                    paths.add(payoffs, own, sums);
                }
                surrogate[d] = Math.abs(sums[0] / trajectories - startValue - exact);
                empirical[d] = Math.abs(sums[1] / trajectories - exact);
                listener.progress("likelihoods at the " + name, done.incrementAndGet(), total);
            });
            rows.add(new Likelihoods(
                    name,
                    trajectories,
                    exact,
                    Vec.mean(surrogate),
                    Vec.standardError(surrogate),
                    Vec.mean(empirical),
                    Vec.standardError(empirical),
                    datasets));
        }
        return rows;
    }
}
