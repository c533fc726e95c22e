package dev.revealed.cuda;

import dev.revealed.neural.Mlp;
import dev.revealed.neural.ensemble.Ensemble;
import dev.revealed.neural.ensemble.PredictedRows;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Tensors;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/** Whether an ensemble on the GPU learns what it learns on the processor, and goes on from a checkpoint to the same bits. */
final class EnsembleCheck {
    private static final int MEMBERS = 3;
    private static final int WIDTH = 7;
    private static final int WIDE = 5;
    private static final int[] HIDDEN = {20, 37, 16}; // tiles that end within a matrix, and columns that are padded
    private static final int BATCH = 40;
    private static final int ROWS = 330; // the last rows fill no minibatch
    private static final Ensemble.Settings SETTINGS = new Ensemble.Settings(BATCH, 1e-3, 1e-2);

    /** Relative; roundings of single precision grow from step to step. */
    private static final double LOSS_TOLERANCE = 1e-4;

    private static final double PARAMETER_TOLERANCE = 1e-2;

    private final Gpu gpu;
    private final PredictedRows rows;
    private final Mlp shape;

    EnsembleCheck(Gpu gpu, boolean ends) {
        this.gpu = gpu;
        RandomStream stream = RandomStream.of(5);
        float[] inputs = new float[ROWS * WIDTH];
        float[] targets = new float[ROWS * WIDE];
        boolean[] ended = new boolean[ends ? ROWS : 0];
        for (int row = 0; row < ROWS; row++) {
            for (int i = 0; i < WIDTH; i++) {
                inputs[row * WIDTH + i] = (float) stream.nextGaussian();
            }
            for (int j = 0; j < WIDE; j++) {
                targets[row * WIDE + j] = (float) (Math.sin(inputs[row * WIDTH + j]) + 0.1 * stream.nextGaussian());
            }
            if (ends) {
                ended[row] = inputs[row * WIDTH] > 1;
            }
        }
        rows = new PredictedRows(ROWS, WIDTH, WIDE, inputs, targets, ended);
        shape = Mlp.relu(WIDTH, HIDDEN[0], HIDDEN[1], HIDDEN[2], rows.outputs());
    }

    private static List<RandomStream> streams() {
        return IntStream.range(0, MEMBERS)
                .mapToObj(m -> RandomStream.of(9).at(m))
                .toList();
    }

    private Ensemble onGpu() {
        return new CudaEnsemble(gpu, shape, rows, SETTINGS, streams());
    }

    private static int[][] orders(int pass) {
        int[][] orders = new int[MEMBERS][ROWS];
        for (int m = 0; m < MEMBERS; m++) {
            RandomStream stream = RandomStream.of(pass).at(m);
            for (int i = 0; i < ROWS; i++) {
                int j = stream.nextInt(i + 1);
                orders[m][i] = orders[m][j];
                orders[m][j] = i;
            }
        }
        return orders;
    }

    private static int[] all() {
        return IntStream.range(0, ROWS).toArray();
    }

    void compare(int passes, Consumer<String> out) {
        double worstLoss = 0;
        double worstChange = 0;
        try (Ensemble there = onGpu();
                Ensemble here = Ensemble.Maker.PROCESSOR.of(shape, rows, SETTINGS, streams())) {
            worstLoss = furthest(here.losses(all()), there.losses(all()));
            float[][] begun = parameters(here);
            for (int pass = 0; pass < passes; pass++) {
                worstLoss = Math.max(worstLoss, furthest(here.pass(orders(pass)), there.pass(orders(pass))));
                worstLoss = Math.max(worstLoss, furthest(here.losses(all()), there.losses(all())));
            }
            float[][] one = parameters(here);
            float[][] other = parameters(there);
            for (int m = 0; m < MEMBERS; m++) {
                worstChange = Math.max(worstChange, distance(one[m], other[m]) / distance(one[m], begun[m]));
            }
        }
        out.accept("  losses differ by %.2e, changes of parameters by %.2e".formatted(worstLoss, worstChange));
        Check.require(worstLoss < LOSS_TOLERANCE, "losses differ by %.2e".formatted(worstLoss));
        Check.require(worstChange < PARAMETER_TOLERANCE, "changes of parameters by %.2e".formatted(worstChange));
    }

    void resume() {
        try (Ensemble whole = onGpu();
                Ensemble stopped = onGpu();
                Ensemble resumed = onGpu()) {
            whole.pass(orders(0));
            whole.pass(orders(1));
            stopped.pass(orders(0));
            Tensors state = saved(stopped);
            for (int m = 0; m < MEMBERS; m++) {
                resumed.restore(m, "m" + m, state);
            }
            resumed.pass(orders(1));
            Check.requireSame(saved(whole), saved(resumed), "%s differs after a checkpoint");
        }
    }

    private static Tensors saved(Ensemble ensemble) {
        return Tensors.of(into -> {
            for (int m = 0; m < MEMBERS; m++) {
                ensemble.save(m, "m" + m, into);
            }
        });
    }

    private static float[][] parameters(Ensemble ensemble) {
        return IntStream.range(0, MEMBERS).mapToObj(ensemble::parameters).toArray(float[][]::new);
    }

    /** The largest relative difference. */
    private static double furthest(double[] a, double[] b) {
        double worst = 0;
        for (int i = 0; i < a.length; i++) {
            worst = Math.max(worst, Math.abs(a[i] - b[i]) / Math.max(1e-3, Math.abs(a[i])));
        }
        return worst;
    }

    private static double distance(float[] a, float[] b) {
        double sum = 0;
        for (int i = 0; i < a.length; i++) {
            sum += (a[i] - b[i]) * (double) (a[i] - b[i]);
        }
        return Math.sqrt(sum);
    }
}
