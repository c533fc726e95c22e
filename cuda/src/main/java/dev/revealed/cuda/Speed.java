package dev.revealed.cuda;

import dev.revealed.mdp.Simulator;
import dev.revealed.neural.Sac;
import dev.revealed.numeric.RandomStream;
import java.util.Arrays;
import java.util.Map;

/**
 * How many updates a GPU makes in a second, of all runs together.
 *
 * @param runs at once
 * @param seconds to measure for, in rounds of which the median counts
 */
public record Speed(Gpu gpu, Simulator.Space space, Sac.Settings settings, int runs, double seconds) {
    private static final int ROUNDS = 5;
    private static final int REPLAY = 20_000;
    private static final int STEPS = 10; // of each run between two calls

    private interface Round {
        /** Seconds that so many updates of every run take. */
        double seconds(int updates);
    }

    /** Of the updates alone, by the device's clock. */
    public double updates() {
        try (CudaSac sac = filled()) {
            return median(sac::time);
        }
    }

    /** Seconds that each kernel of an update of all runs takes, alone on the device, by its name and pass. */
    public Map<String, Double> kernels() {
        try (CudaSac sac = filled()) {
            sac.stageSeconds(STEPS); // the first launches are slow
            return sac.stageSeconds(5 * STEPS);
        }
    }

    private CudaSac filled() {
        CudaSac sac = sac();
        float[] rows = noise(REPLAY * sac.rowPitch());
        for (int run = 0; run < runs; run++) {
            sac.fill(run, rows);
        }
        return sac;
    }

    /** With what goes over the bus, ten rows and a policy for every ten updates of a run; by the host's clock. */
    public double updatesWithRows() {
        float[] state = noise(space.observations());
        float[] action = noise(space.actions().size());
        try (CudaSac sac = sac()) {
            return median(updates -> {
                long start = System.nanoTime();
                for (int done = 0; done < updates; done += STEPS) {
                    for (int run = 0; run < runs; run++) {
                        for (int i = 0; i < STEPS; i++) {
                            sac.add(run, state, action, 1, false, state);
                        }
                    }
                    sac.update(STEPS);
                }
                sac.await();
                return (System.nanoTime() - start) * 1e-9;
            });
        }
    }

    private CudaSac sac() {
        CudaSac sac = new CudaSac(gpu, space, settings, REPLAY, STEPS, runs);
        sac.beginAll(1);
        return sac;
    }

    private double median(Round round) {
        round.seconds(5 * STEPS); // the first launches are slow
        double each = round.seconds(5 * STEPS) / (5 * STEPS);
        int updates = STEPS * (int) Math.max(1, seconds / ROUNDS / each / STEPS);
        double[] rates = new double[ROUNDS];
        for (int i = 0; i < ROUNDS; i++) {
            rates[i] = updates * (double) runs / round.seconds(updates);
        }
        Arrays.sort(rates);
        return rates[ROUNDS / 2];
    }

    private static float[] noise(int count) {
        RandomStream random = RandomStream.of(1);
        float[] values = new float[count];
        for (int i = 0; i < count; i++) {
            values[i] = random.nextFloat() - 0.5f;
        }
        return values;
    }
}
