package dev.revealed.bench;

import dev.revealed.mdp.Simulator;
import dev.revealed.mujoco.Locomotion;
import dev.revealed.mujoco.Task;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.numeric.RandomStream;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;

/**
 * Steps of the tasks per second of processor time on one core, and how much of that time is MuJoCo's own.
 *
 * <p>Random actions are first played through, with a new episode where one ends, and kept as stretches of a few dozen steps
 * with the state each begins in. Then each stretch is played again in two ways that take turns: as whole environment steps
 * (step, observation, reward, end) and as nothing but the native calls of the same steps with the same actions from the
 * same state. Both therefore compute the same physics. For each stretch and way the least processor time over the
 * repetitions counts, and the native share is the sum of one over the sum of the other. Resets are in neither.
 */
public record MujocoBench(List<Task> tasks, int steps, int repetitions) {
    private static final int STRETCH = 50;

    /**
     * @param stepsPerSecond whole environment steps per second of processor time
     * @param nativeShare time in MuJoCo's own calls over time of whole steps
     */
    public record Row(String task, double stepsPerSecond, double nativeShare) {}

    public record Result(int steps, int repetitions, List<Row> rows) {}

    public MujocoBench {
        BadInput.when(
                tasks.isEmpty() || steps < 1 || repetitions < 1,
                "%d tasks, %d steps, %d repetitions".formatted(tasks.size(), steps, repetitions),
                "Measure at least one step of one task once.");
        tasks = List.copyOf(tasks);
    }

    /** A few steps to play again. */
    private static final class Stretch {
        private final double[] start;
        private final float[] actions;
        private long whole = Long.MAX_VALUE;
        private long bare = Long.MAX_VALUE;

        Stretch(double[] start, float[] actions) {
            this.start = start;
            this.actions = actions;
        }

        void play(Locomotion simulator, float[] seen) {
            int size = simulator.space().actions().size();
            simulator.restore(start);
            long begin = now();
            double sum = 0;
            for (int at = 0; at < actions.length; at += size) {
                simulator.step(actions, at);
                simulator.observe(seen, 0);
                sum += simulator.reward();
                if (simulator.terminated()) {
                    sum++;
                }
            }
            whole = Math.min(whole, now() - begin);
            seen[0] = (float) sum; // so that nothing is left out as unused
            simulator.restore(start);
            begin = now();
            for (int at = 0; at < actions.length; at += size) {
                simulator.physics(actions, at);
            }
            bare = Math.min(bare, now() - begin);
        }
    }

    public Result run(long seed, ProgressListener listener) {
        List<Row> rows = new ArrayList<>();
        for (Task task : tasks) {
            listener.progress(task.toString(), rows.size(), tasks.size());
            rows.add(measure(task, RandomStream.of(seed).named(task.toString())));
        }
        return new Result(steps, repetitions, rows);
    }

    private Row measure(Task task, RandomStream stream) {
        try (Locomotion simulator = task.simulator()) {
            List<Stretch> stretches = record(simulator, stream);
            float[] seen = new float[simulator.space().observations()];
            for (int i = 0; i <= repetitions; i++) {
                if (i == 1) { // the first round is for the compiler
                    stretches.replaceAll(s -> new Stretch(s.start, s.actions));
                }
                stretches.forEach(s -> s.play(simulator, seen));
            }
            double whole = 1e-9 * stretches.stream().mapToLong(s -> s.whole).sum();
            double bare = 1e-9 * stretches.stream().mapToLong(s -> s.bare).sum();
            return new Row(task.toString(), steps / whole, bare / whole);
        }
    }

    private List<Stretch> record(Locomotion simulator, RandomStream stream) {
        Simulator.Actions.Box box = (Simulator.Actions.Box) simulator.space().actions();
        List<Stretch> stretches = new ArrayList<>();
        RandomStream resets = stream.named("reset");
        RandomStream choices = stream.named("actions");
        simulator.reset(resets);
        for (int done = 0; done < steps; ) {
            if (simulator.terminated() || simulator.truncated()) {
                simulator.reset(resets);
            }
            double[] start = simulator.state();
            List<float[]> actions = new ArrayList<>();
            do {
                float[] action = new float[box.size()];
                for (int i = 0; i < action.length; i++) {
                    action[i] = box.bound() * (2 * choices.nextFloat() - 1);
                }
                simulator.step(action, 0);
                actions.add(action);
                done++;
            } while (done < steps && actions.size() < STRETCH && !simulator.terminated() && !simulator.truncated());
            float[] flat = new float[actions.size() * box.size()];
            for (int i = 0; i < actions.size(); i++) {
                System.arraycopy(actions.get(i), 0, flat, i * box.size(), box.size());
            }
            stretches.add(new Stretch(start, flat));
        }
        return stretches;
    }

    private static long now() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }
}
