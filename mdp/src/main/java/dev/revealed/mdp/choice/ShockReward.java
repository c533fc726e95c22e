package dev.revealed.mdp.choice;

import dev.revealed.mdp.Reward;
import dev.revealed.mdp.shock.NestedLogit;
import dev.revealed.mdp.shock.Shocks;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Vec;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A utility together with shocks that are not independent Gumbel ones. The parameters of the shocks, if the data are to
 * decide them, come after those of the utility.
 */
public final class ShockReward implements Reward {
    private final Reward utility;
    private final List<String> names;
    private final Family family;
    private final int free;

    /** Shocks at given parameters. */
    @FunctionalInterface
    public interface Family {
        Shocks at(double[] parameters);
    }

    private ShockReward(Reward utility, List<String> own, Family family) {
        this.utility = utility;
        this.family = family;
        free = own.size();
        names = Stream.concat(utility.names().stream(), own.stream()).toList();
    }

    /** Shocks without parameters. */
    public static ShockReward of(Reward utility, Shocks shocks) {
        return new ShockReward(utility, List.of(), none -> shocks);
    }

    /**
     * Nested logit.
     *
     * @param nest of each action
     * @param dissimilarities names of those that the data decide, by nest; empty where the dissimilarity is known
     * @param known dissimilarities, looked at where there is no name
     */
    public static ShockReward nested(Reward utility, int[] nest, List<String> dissimilarities, double[] known) {
        List<String> own = dissimilarities.stream()
                .filter(name -> !name.isEmpty())
                .distinct()
                .toList();
        int[] place = dissimilarities.stream().mapToInt(own::indexOf).toArray();
        return new ShockReward(utility, own, parameters -> {
            double[] lambda = known.clone();
            for (int n = 0; n < lambda.length; n++) {
                lambda[n] = place[n] < 0 ? lambda[n] : parameters[place[n]];
            }
            return new Tied(new NestedLogit(nest, lambda), place);
        });
    }

    /** Nests of which some share a dissimilarity, or have a known one. */
    private record Tied(NestedLogit nests, int[] place) implements Shocks {
        @Override
        public double choose(double[] q, double[] logPolicy) {
            return nests.choose(q, logPolicy);
        }

        @Override
        public void slope(double[] q, double[] logPolicy, double[] dq, double[] into) {
            nests.slope(q, logPolicy, dq, into);
        }

        @Override
        public void transposedSlope(double[] q, double[] logPolicy, double[] y, double[] into) {
            nests.transposedSlope(q, logPolicy, y, into);
        }

        @Override
        public double parameterSlope(int k, double[] q, double[] logPolicy, double[] into) {
            double slope = 0;
            double[] own = new double[into.length];
            Arrays.fill(into, 0);
            for (int n = 0; n < place.length; n++) {
                if (place[n] == k) {
                    slope += nests.parameterSlope(n, q, logPolicy, own);
                    Vec.axpy(1, own, into);
                }
            }
            return slope;
        }
    }

    private double[] ofUtility(double[] theta) {
        return Arrays.copyOf(theta, utility.parameters());
    }

    @Override
    public Optional<Shocks> shocks(double[] theta) {
        int first = utility.parameters();
        return Optional.of(family.at(Arrays.copyOfRange(theta, first, first + free)));
    }

    @Override
    public double[] shockSlope(int j) {
        double[] slope = new double[free];
        if (j >= utility.parameters()) {
            slope[j - utility.parameters()] = 1;
        }
        return slope;
    }

    @Override
    public boolean admits(double[] theta) {
        for (int k = utility.parameters(); k < utility.parameters() + free; k++) {
            if (!(theta[k] > 0)) {
                return false;
            }
        }
        return true;
    }

    @Override
    public List<String> names() {
        return names;
    }

    @Override
    public boolean stateOnly() {
        return utility.stateOnly();
    }

    @Override
    public int rows() {
        return utility.rows();
    }

    @Override
    public void values(double[] theta, double[] rows) {
        utility.values(ofUtility(theta), rows);
    }

    @Override
    public void accumulate(double[] theta, double[] weight, double[] gradient) {
        utility.accumulate(ofUtility(theta), weight, gradient);
    }

    @Override
    public void derivative(double[] theta, int j, double[] rows) {
        if (j < utility.parameters()) {
            utility.derivative(ofUtility(theta), j, rows);
        } else {
            Arrays.fill(rows, 0);
        }
    }

    /** Dissimilarities begin at 1, where the model is a logit. */
    @Override
    public double[] initial(RandomStream stream) {
        double[] start = Arrays.copyOf(utility.initial(stream), names.size());
        Arrays.fill(start, utility.parameters(), start.length, 1);
        return start;
    }
}
