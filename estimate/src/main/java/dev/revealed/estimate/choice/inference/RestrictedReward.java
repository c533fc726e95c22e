package dev.revealed.estimate.choice.inference;

import dev.revealed.mdp.Reward;
import dev.revealed.mdp.rules.ParameterRules;
import dev.revealed.mdp.shock.Shocks;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Vec;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** A reward whose parameters satisfy a hypothesis: what is left to choose are the parameters the hypothesis leaves free. */
final class RestrictedReward implements Reward {
    private final Reward full;
    private final Hypothesis.Solved restriction;
    private final List<String> names;

    /** @param hypothesis on the parameters of the reward */
    RestrictedReward(Reward full, Hypothesis hypothesis) {
        if (hypothesis.names().size() != full.parameters()) {
            throw new IllegalArgumentException("a hypothesis on %d parameters for a reward of %d"
                    .formatted(hypothesis.names().size(), full.parameters()));
        }
        this.full = full;
        restriction = hypothesis.solved();
        names = Arrays.stream(restriction.free())
                .mapToObj(j -> full.names().get(j))
                .toList();
    }

    /** The parameters of the unrestricted reward. */
    double[] theta(double[] gamma) {
        return restriction.theta(gamma);
    }

    @Override
    public int parameters() {
        return names.size();
    }

    @Override
    public List<String> names() {
        return names;
    }

    @Override
    public boolean linear() {
        return full.linear();
    }

    @Override
    public ParameterRules rules() {
        return full.rules().of(restriction.free());
    }

    @Override
    public boolean stateOnly() {
        return full.stateOnly();
    }

    @Override
    public int rows() {
        return full.rows();
    }

    @Override
    public void values(double[] gamma, double[] rows) {
        full.values(theta(gamma), rows);
    }

    @Override
    public void accumulate(double[] gamma, double[] weight, double[] gradient) {
        double[] all = new double[full.parameters()];
        full.accumulate(theta(gamma), weight, all);
        for (int j = 0; j < all.length; j++) {
            for (int k = 0; k < parameters(); k++) { // methods may hold further parameters behind ours
                gradient[k] += all[j] * restriction.basis()[j][k];
            }
        }
    }

    @Override
    public void derivative(double[] gamma, int k, double[] rows) {
        double[] theta = theta(gamma);
        double[] own = new double[rows.length];
        Arrays.fill(rows, 0);
        for (int j = 0; j < theta.length; j++) {
            double weight = restriction.basis()[j][k];
            if (weight != 0) {
                full.derivative(theta, j, own);
                Vec.axpy(weight, own, rows);
            }
        }
    }

    @Override
    public Optional<Shocks> shocks(double[] gamma) {
        return full.shocks(theta(gamma));
    }

    @Override
    public double[] shockSlope(int k) {
        double[] slope = new double[0];
        for (int j = 0; j < full.parameters(); j++) {
            double[] own = full.shockSlope(j);
            slope = slope.length == 0 ? new double[own.length] : slope;
            Vec.axpy(restriction.basis()[j][k], own, slope);
        }
        return slope;
    }

    @Override
    public boolean admits(double[] gamma) {
        return full.admits(theta(gamma));
    }

    @Override
    public double[] initial(RandomStream stream) {
        double[] all = full.initial(stream);
        return Arrays.stream(restriction.free()).mapToDouble(j -> all[j]).toArray();
    }
}
