package dev.revealed.estimate.choice.likelihood;

import dev.revealed.estimate.MlIrl;
import dev.revealed.estimate.Problem;
import dev.revealed.estimate.choice.ChoiceProblem;
import dev.revealed.estimate.choice.FirstStage;
import dev.revealed.estimate.choice.Fit;
import dev.revealed.estimate.choice.PanelMethod;
import dev.revealed.mdp.Agent;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.numeric.RandomStream;
import java.util.List;

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
    public boolean maximisesLikelihood() {
        return !(loop.agent() instanceof Agent.Sampled);
    }

    @Override
    public boolean heedsWeights() {
        return maximisesLikelihood();
    }

    @Override
    public boolean heedsGaps() {
        return maximisesLikelihood();
    }

    @Override
    public boolean heedsNonlinear() {
        return maximisesLikelihood();
    }

    @Override
    public boolean heedsShocks() {
        return maximisesLikelihood();
    }

    @Override
    public Fit fit(ChoiceProblem problem, FirstStage first, RandomStream stream, ProgressListener listener) {
        boolean paper = !maximisesLikelihood();
        if (!paper && !problem.model().isLogit()) {
            return new ShockLoop(loop.iterations(), loop.tolerance()).fit(problem, first, listener);
        }
        Problem wanted = paper ? MaxEnt.surrogate(problem, first.phi()) : problem.choices(first.phi());
        MlIrl search = problem.startGiven() ? loop.startingAt(problem.start()) : loop;
        MlIrl.Solution found = search.search(wanted, stream, listener);
        return paper
                ? Fit.other(
                        found.theta(),
                        first.phi(),
                        found.search(),
                        MaxEnt.influence(problem, first, found.theta()),
                        List.of())
                : Fit.likelihood(found.theta(), first.phi(), found.search());
    }
}
