package dev.revealed.app;

import dev.revealed.cuda.Check;
import dev.revealed.cuda.CudaSac;
import dev.revealed.cuda.CudaTraining;
import dev.revealed.cuda.Gpu;
import dev.revealed.mdp.Simulator;
import dev.revealed.mujoco.Task;
import dev.revealed.neural.Sac;
import dev.revealed.neural.Training;
import dev.revealed.numeric.RandomStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Compares the GPU with the CPU and measures it: for a machine with a GPU, where there is perhaps nothing to test with.
 *
 * <ul>
 *   <li>no arguments: everything; {@code --small}: few and small updates, as compute-sanitizer likes them
 *   <li>{@code TASK RUNS SECONDS}: trains so many seeds of a task for so long instead, and shows their returns
 * </ul>
 */
final class CudaCheck {
    private static final int STEPS_PER_ROUND = 50;
    private static final int REPLAY = 1_000_000;

    private CudaCheck() {}

    public static void main(String[] arguments) {
        int failures = arguments.length == 3
                ? train(Task.named(arguments[0]), Integer.parseInt(arguments[1]), Double.parseDouble(arguments[2]))
                : Check.run(Arrays.asList(arguments).contains("--small"), CudaCheck::say);
        System.exit(failures == 0 ? 0 : 1);
    }

    private static void say(String line) {
        System.out.println(line);
        System.out.flush();
    }

    private static int train(Task task, int runs, double seconds) {
        Gpu.Found found = Gpu.find();
        say(found.reason());
        if (found.gpu().isEmpty()) {
            return 1;
        }
        List<Simulator> simulators = new ArrayList<>();
        List<RandomStream> streams = new ArrayList<>();
        for (int run = 0; run < runs; run++) {
            simulators.add(task.simulator());
            streams.add(RandomStream.of(run));
        }
        Simulator.Space space = simulators.getFirst().space();
        Sac.Settings settings = Sac.Settings.PAPER;
        Training.Schedule schedule = new Training.Schedule(settings.batch(), 10_000, 10_000, 1, REPLAY);
        try (CudaSac sac = new CudaSac(found.gpu().get(), space, settings, REPLAY, STEPS_PER_ROUND, streams)) {
            CudaTraining training = new CudaTraining(sac, simulators, schedule, STEPS_PER_ROUND, streams);
            long start = System.nanoTime();
            double spent = 0;
            while (spent < seconds) {
                training.advance(20_000 / STEPS_PER_ROUND);
                spent = (System.nanoTime() - start) * 1e-9;
                StringBuilder line = new StringBuilder();
                for (int run = 0; run < runs; run++) {
                    line.append(String.format(
                            Locale.ROOT, " %.0f", training.takeEpisodes(run).meanReturn()));
                }
                say(String.format(
                        Locale.ROOT,
                        "%d steps of each in %.0f s, %.0f steps/s in all; mean returns of the last 20,000:%s",
                        training.steps(),
                        spent,
                        training.steps() * runs / spent,
                        line));
            }
        } finally {
            simulators.forEach(Simulator::close);
        }
        return 0;
    }
}
