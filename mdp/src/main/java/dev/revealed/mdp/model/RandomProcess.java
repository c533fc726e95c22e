package dev.revealed.mdp.model;

import dev.revealed.mdp.Kernel;
import dev.revealed.mdp.Mdp;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Vec;
import java.util.Arrays;
import java.util.stream.IntStream;

/** Processes with random transitions, to test statements that hold for every process. */
public final class RandomProcess {
    private RandomProcess() {}

    /**
     * Every row has the given number of different successors within {@code reach} of its state (wrapping around), with
     * random probabilities; the start distribution is random.
     */
    public static Mdp of(int states, int actions, int successors, int reach, double discount, RandomStream stream) {
        double[] start = new double[states];
        Arrays.setAll(start, s -> stream.nextExponential());
        double total = Vec.sum(start);
        Arrays.setAll(start, s -> start[s] / total);
        return new Mdp(kernel(states, actions, successors, reach, stream), discount, start);
    }

    public static Kernel kernel(int states, int actions, int successors, int reach, RandomStream stream) {
        double[] weight = new double[successors];
        int[] successor = new int[successors];
        int window = Math.min(2 * reach + 1, states);
        if (successors > window) {
            throw new BadInput(
                    "%d different successors among %d states".formatted(successors, window),
                    "Ask for fewer successors, or for more states.");
        }
        return Kernel.of(states, actions, (s, a, row) -> {
            double sum = 0;
            for (int k = 0; k < successors; k++) {
                do {
                    successor[k] = Math.floorMod(s + stream.nextInt(window) - reach, states);
                } while (repeats(successor, k));
                weight[k] = 0.05 + stream.nextDouble();
                sum += weight[k];
            }
            for (int k = 0; k < successors; k++) {
                row.add(successor[k], weight[k] / sum);
            }
        });
    }

    private static boolean repeats(int[] drawn, int k) {
        return IntStream.range(0, k).anyMatch(i -> drawn[i] == drawn[k]);
    }
}
