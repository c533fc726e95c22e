package dev.revealed.estimate.choice;

import dev.revealed.estimate.Estimate;
import dev.revealed.estimate.MlIrl;
import dev.revealed.estimate.Problem;
import dev.revealed.mdp.Agent;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.numeric.RandomStream;

/**
 * Algorithm 1 on a panel, the transition law being known from the first step: preconditioned it climbs the likelihood of
 * the choices itself; in the paper's form, which samples trajectories, the discounted surrogate.
 */
public record MlIrlMethod(MlIrl loop) implements PanelMethod {

    @Override
    public String name() {
        return "ml-irl";
    }

    @Override
    public Fit fit(ChoiceProblem problem, FirstStage first, RandomStream stream, ProgressListener listener) {
        Problem choices = problem.problem(first.phi());
        Problem wanted = loop.agent() instanceof Agent.Sampled
                ? choices.withObservedStarts().withObjective(Problem.Objective.SURROGATE)
                : choices;
        Estimate estimate = loop.fit(wanted, stream, listener);
        return Fit.likelihood(
                        estimate.theta(),
                        first.phi(),
                        estimate.iterations(),
                        estimate.converged(),
                        estimate.status(),
                        estimate.kernelPasses())
                .withTrace(estimate.trace());
    }
}
