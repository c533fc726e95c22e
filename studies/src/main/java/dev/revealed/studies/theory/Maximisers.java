package dev.revealed.studies.theory;

import dev.revealed.estimate.ExactLikelihood;
import dev.revealed.estimate.Problem;
import dev.revealed.mdp.Demonstrations;
import dev.revealed.mdp.InformationCost;
import dev.revealed.mdp.Likelihood;
import dev.revealed.mdp.Mdp;
import dev.revealed.mdp.SoftPolicy;
import dev.revealed.mdp.SoftProcess;
import dev.revealed.mdp.SoftSolver;
import dev.revealed.mdp.Trajectory;
import dev.revealed.numeric.Lbfgs;
import dev.revealed.numeric.Objective;
import dev.revealed.numeric.Parallel;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Vec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What section 3's choice is for: how good are the estimates that maximise the surrogate L^, and those that maximise
 * the empirical likelihood L~, by the exact L they lose against the truth (Corollary 2's quantity).
 */
public final class Maximisers {
    private Maximisers() {}

    /**
     * Losses for one number of trajectories.
     *
     * @param surrogateExcess mean L(theta*) - L(theta^) of the maximiser of L^
     * @param empiricalExcess the same of the maximiser of L~, on the same data
     */
    public record Excess(
            int trajectories,
            double surrogateExcess,
            double surrogateStandardError,
            double empiricalExcess,
            double empiricalStandardError,
            int datasets) {}

    static List<Excess> run(
            TheoryProblem theory, TheoryStudy.DataSets sets, RandomStream stream, ProgressListener listener) {
        int datasets = sets.maximiserDatasets();
        long total = (long) datasets * sets.maximiserTrajectories().size();
        AtomicLong done = new AtomicLong();
        double best = theory.expectation(theory.expert().logPolicy());
        List<Excess> rows = new ArrayList<>();
        for (int trajectories : sets.maximiserTrajectories()) {
            double[] surrogate = new double[datasets];
            double[] empirical = new double[datasets];
            Parallel.tasks(datasets, d -> {
                RandomStream own = stream.at(trajectories).at(d);
                Demonstrations data = theory.paths().simulation().demonstrations(trajectories, theory.length(), own);
                Problem problem = Problem.of(theory.mdp(), theory.reward(), data);
                surrogate[d] = best - likelihood(theory, new ExactLikelihood(problem, problem.process()));
                empirical[d] = best - likelihood(theory, Empirical.of(problem));
                listener.progress("maximisers", done.incrementAndGet(), total);
            });
            rows.add(new Excess(
                    trajectories,
                    Vec.mean(surrogate),
                    Vec.standardError(surrogate),
                    Vec.mean(empirical),
                    Vec.standardError(empirical),
                    datasets));
        }
        return rows;
    }

    /** L at the maximiser of an approximation of it. */
    static double likelihood(TheoryProblem theory, Objective approximation) {
        return theory.expectation(TheoryProblem.optimal(theory.mdp(), theory.reward(), maximiser(theory, approximation))
                .logPolicy());
    }

    static double[] maximiser(TheoryProblem theory, Objective approximation) {
        return new Lbfgs(10, 500, 1e-6)
                .maximise(approximation, new double[theory.truth().length], (k, x, value, gradient) -> {})
                .x();
    }

    /** L~(theta): the discounted log-probabilities of the observed choices. */
    private record Empirical(
            Problem problem, SoftProcess process, SoftSolver solver, SoftPolicy policy, double[] counts)
            implements Objective {
        static Empirical of(Problem problem) {
            Mdp mdp = problem.mdp();
            double[] counts = new double[mdp.rows()];
            double scale = 1.0 / problem.demonstrations().size();
            for (Trajectory trajectory : problem.demonstrations().trajectories()) {
                Likelihood.Surrogate.count(
                        mdp, InformationCost.STANDARD, trajectory, scale, counts, new double[mdp.states()]);
            }
            SoftProcess process = problem.process();
            return new Empirical(problem, process, new SoftSolver(process), SoftPolicy.start(process), counts);
        }

        @Override
        public double at(double[] theta, double[] gradient) {
            Mdp mdp = problem.mdp();
            double[] rows = new double[mdp.rows()];
            problem.reward().values(theta, rows);
            solver.solve(rows, policy, 1e-11);
            // d log pi = dQ - E_pi dQ, and dQ = dr + gamma P dV: count less expected choices, and what they lead to
            double[] weight = counts.clone();
            for (int begin = 0; begin < weight.length; begin += mdp.actions()) {
                double visits = 0;
                for (int row = begin; row < begin + mdp.actions(); row++) {
                    visits += counts[row];
                }
                for (int row = begin; row < begin + mdp.actions(); row++) {
                    weight[row] -= visits * policy.policy()[row];
                }
            }
            double[] start = new double[mdp.states()];
            process.push(weight, start);
            double[] occupancy = new double[mdp.states()];
            solver.under(policy.policy()).occupancy(start, occupancy);
            for (int row = 0; row < weight.length; row++) {
                weight[row] += mdp.discount() * occupancy[row / mdp.actions()] * policy.policy()[row];
            }
            Arrays.fill(gradient, 0);
            problem.reward().accumulate(theta, weight, gradient);
            return Vec.dot(counts, policy.logPolicy());
        }
    }
}
