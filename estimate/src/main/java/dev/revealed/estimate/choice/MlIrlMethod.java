package dev.revealed.estimate.choice;

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
        boolean paper = loop.agent() instanceof Agent.Sampled;
        Problem wanted = paper ? MaxEnt.surrogate(problem, first.phi()) : problem.problem(first.phi());
        MlIrl.Search search = loop.search(wanted, stream, listener);
        Fit fit = Fit.likelihood(
                        search.theta(),
                        first.phi(),
                        search.iterations(),
                        search.converged(),
                        search.status(),
                        search.kernelPasses())
                .withTrace(search.trace());
        return paper ? fit.withInfluence(MaxEnt.influence(problem, first, search.theta())) : fit;
    }
}
