package dev.revealed.estimate.choice.counterfactual;

import java.util.Arrays;
import java.util.Optional;

/**
 * Numbers that follow from an estimate, with how far its error reaches into them.
 *
 * @param delta by the delta method, in a scale that keeps the ends of the interval in the natural range
 * @param bootstrap from draws of the parameters
 */
public record Quantities(double[] value, Optional<Spread> delta, Optional<Spread> bootstrap) {

    /** Standard errors and intervals. */
    public record Spread(double[] standardError, double[] low, double[] high) {
        Spread part(int from, int to) {
            return new Spread(
                    Arrays.copyOfRange(standardError, from, to),
                    Arrays.copyOfRange(low, from, to),
                    Arrays.copyOfRange(high, from, to));
        }
    }

    /** The delta method's intervals where there are any, else the bootstrap's. */
    public Optional<Spread> spread() {
        return delta.or(() -> bootstrap);
    }

    Quantities part(int from, int to) {
        return new Quantities(
                Arrays.copyOfRange(value, from, to),
                delta.map(s -> s.part(from, to)),
                bootstrap.filter(s -> to <= s.low().length).map(s -> s.part(from, to)));
    }
}
