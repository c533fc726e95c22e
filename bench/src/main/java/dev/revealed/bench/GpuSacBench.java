package dev.revealed.bench;

import dev.revealed.bench.SacBench.Contender;
import dev.revealed.bench.SacBench.Size;
import dev.revealed.cuda.Gpu;
import dev.revealed.cuda.Speed;
import dev.revealed.neural.Batch;
import dev.revealed.neural.Sac;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.numeric.RandomStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * Soft Actor-Critic updates per second on a GPU, of one run and of many at once, beside PyTorch on the same GPU and beside
 * ours on the processor.
 *
 * @param seconds for each of ours on the GPU at each size; the processor gets a second at most
 * @param missingScript a sentence on how to have PyTorch measured, where no script is named
 */
public record GpuSacBench(Gpu gpu, double seconds, String missingScript) {
    private static final List<Integer> RUNS = List.of(1, 4, 16);
    private static final int CPU_ROUNDS = 3;
    private static final int KERNEL_BATCH = 128; // of imitation
    private static final Duration TORCH_LIMIT = Duration.ofMinutes(5);

    /**
     * @param runs at once, whose updates are added up
     * @param timesBestTorch updates per second over those of PyTorch's fastest way; NaN where none was measured
     */
    public record Row(
            String device,
            String task,
            int batch,
            int runs,
            String name,
            double updatesPerSecond,
            double timesBestTorch) {

        private Row(String device, Size size, int runs, String name, double updatesPerSecond) {
            this(device, size.task(), size.batch(), runs, name, updatesPerSecond, Double.NaN);
        }

        /** {@code hopper, batch 100, 16 at once: 68900 updates/s}. */
        private String text() {
            return String.format(
                    Locale.ROOT, "%s, batch %d, %d at once: %.0f updates/s", task, batch, runs, updatesPerSecond);
        }

        private boolean isOf(Size size) {
            return task.equals(size.task()) && batch == size.batch();
        }

        private Row beside(double best) {
            return new Row(device, task, batch, runs, name, updatesPerSecond, updatesPerSecond / best);
        }
    }

    /**
     * @param torch version of PyTorch; empty where it was not measured
     * @param notes what is missing, and why
     */
    public record Result(String gpu, String torch, List<Row> rows, List<Kernel> kernels, List<String> notes) {}

    /** Microseconds of a kernel in an update of as many runs, with layer norm, at the largest size. */
    public record Kernel(String name, int runs, double microseconds) {}

    /**
     * @param script that measures PyTorch, where there is one
     * @param say hears what takes long without telling how far it has come
     */
    public Result run(long seed, int threads, Optional<Path> script, ProgressListener listener, Consumer<String> say) {
        BadInput.when(!(seconds > 0), "%s seconds".formatted(seconds), "Measure for some time.");
        List<Row> ours = new ArrayList<>();
        long stages = SacBench.SIZES.size() * (RUNS.size() + 1L) + 1;
        long done = 0;
        for (Size size : SacBench.SIZES) {
            for (int runs : RUNS) {
                listener.progress("updating", done++, stages);
                Sac.Settings plain = Sac.Settings.PAPER.withBatch(size.batch());
                Speed speed = new Speed(gpu, SacBench.space(size), plain, runs, seconds);
                Row row = new Row("cuda", size, runs, "revealed", speed.updates());
                ours.add(row);
                listener.note(row.text());
                ours.add(new Row("cuda", size, runs, "revealed, with rows and policies", speed.updatesWithRows()));
                Sac.Settings normed = plain.with(Map.of("layer-norm", true));
                Speed other = new Speed(gpu, SacBench.space(size), normed, runs, seconds);
                ours.add(new Row("cuda", size, runs, "revealed, layer norm", other.updates()));
            }
            listener.progress("updating", done++, stages);
            IntStream.of(1, threads).distinct().forEach(count -> {
                String name = "revealed, %d thread%s".formatted(count, count == 1 ? "" : "s");
                ours.add(new Row("cpu", size, 1, name, onProcessor(size, count, seed)));
            });
        }
        List<Kernel> kernels = new ArrayList<>();
        for (int runs : RUNS) {
            Sac.Settings normed = Sac.Settings.PAPER.with(Map.of("layer-norm", true, "batch", KERNEL_BATCH));
            Speed speed = new Speed(gpu, SacBench.space(SacBench.SIZES.getLast()), normed, runs, seconds);
            speed.kernels().forEach((name, each) -> kernels.add(new Kernel(name, runs, 1e6 * each)));
        }
        listener.progress("PyTorch", done, stages);
        script.ifPresent(file ->
                say.accept("PyTorch is measured by %s: up to %d minutes.".formatted(file, TORCH_LIMIT.toMinutes())));
        TorchSac torch =
                script.map(file -> TorchSac.run(file, TORCH_LIMIT)).orElseGet(() -> TorchSac.missing(missingScript));
        return beside(gpu.name(), ours, kernels, torch);
    }

    private double onProcessor(Size size, int threads, long seed) {
        Batch batch = SacBench.batch(size, RandomStream.of(seed).named("batch"));
        try (Sac sac = SacBench.sac(size, threads, seed)) {
            Contender contender = new Contender("revealed", size, threads, () -> sac.update(batch, () -> {}));
            for (int round = 0; round < CPU_ROUNDS; round++) {
                contender.run(Math.min(seconds, 1) / CPU_ROUNDS);
            }
            return contender.best;
        }
    }

    /** PyTorch's rows below those of the same size, and in each row how it compares. */
    static Result beside(String gpu, List<Row> ours, List<Kernel> kernels, TorchSac torch) {
        List<Row> all = new ArrayList<>(ours);
        List<Row> rows = new ArrayList<>();
        for (Size size : SacBench.SIZES) {
            List<Row> theirs = torch.rates().stream()
                    .filter(rate -> rate.task().equals(size.task()) && rate.batch() == size.batch())
                    .map(rate -> new Row("cuda", size, 1, "PyTorch " + rate.mode(), rate.updatesPerSecond()))
                    .toList();
            double best =
                    theirs.stream().mapToDouble(Row::updatesPerSecond).max().orElse(Double.NaN);
            all.addAll(theirs);
            all.stream().filter(row -> row.isOf(size)).forEach(row -> rows.add(row.beside(best)));
        }
        return new Result(gpu, torch.version(), List.copyOf(rows), kernels, torch.notes());
    }
}
