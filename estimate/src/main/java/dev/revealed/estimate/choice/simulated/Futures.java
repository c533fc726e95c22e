package dev.revealed.estimate.choice.simulated;

import dev.revealed.numeric.BadInput;

/**
 * How futures are simulated.
 *
 * @param draws per round
 * @param rounds of draws, each of which refines the values of the one before
 * @param periods after which futures that have not met are given up
 */
public record Futures(int draws, int rounds, int periods) {
    public static final Futures STANDARD = new Futures(100, 4, 20_000);

    public Futures {
        if (draws < ForwardSimulation.BATCHES || rounds < 1 || periods < 1) {
            throw new BadInput(
                    "futures of %d draws in %d rounds for %d periods".formatted(draws, rounds, periods),
                    "Give at least %d draws, 1 round and 1 period.".formatted(ForwardSimulation.BATCHES));
        }
    }

    public Futures withDraws(int other) {
        return new Futures(other, rounds, periods);
    }
}
