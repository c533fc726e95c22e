package dev.revealed.mujoco;

import static org.assertj.core.api.Assertions.assertThat;

import dev.revealed.data.npz.NpyArray;
import dev.revealed.data.npz.Npz;
import java.util.Arrays;
import java.util.Locale;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Steps that others recorded, made again: from rows that tell the whole state, with the recorded action. The rows are
 * rounded to single precision, which contacts amplify; hence medians, with the 99th percentile reported. An error is the
 * largest over coordinates and velocities: absolute, and relative where they are above one, as rounding is. The humanoid
 * turns so fast that the rounding of what was recorded alone exceeds 1e-6.
 */
@NeedsMujoco
class ReplayTest {
    private static final int EVERY = 4;

    @ParameterizedTest
    @CsvSource({
        "hopper,hopper",
        "hopper,hopper-firl",
        "halfcheetah,halfcheetah",
        "halfcheetah,halfcheetah-strong",
        "walker2d,walker2d",
        "ant,ant",
        "humanoid,humanoid"
    })
    void oneStepFromEveryRowGivesTheNext(String name, String file) {
        Reference.assumeItsVersion();
        Task task = Task.named(name);
        Npz demonstrations = Npz.read(Reference.shared("demos/" + file + ".npz"));
        Rows observations = new Rows(demonstrations.array("observations"));
        Rows actions = new Rows(demonstrations.array("actions"));
        double[] rewards =
                demonstrations.names().contains("rewards") ? demonstrations.numbers("rewards") : new double[0];
        double[] errors = new double[observations.episodes() * actions.steps() / EVERY];
        double[] relative = new double[errors.length];
        double[] rewardErrors = new double[errors.length];
        int count = 0;
        try (Locomotion simulator = task.simulator()) {
            int hidden = task.rules().hidden();
            int nq = switch (task) {
                case HOPPER -> 6;
                case HALFCHEETAH, WALKER2D -> 9;
                case HUMANOID -> 24;
                default -> 15;
            };
            int nv = hidden == 2 ? nq - 1 : nq;
            int compared = nq - hidden + nv;
            for (int episode = 0; episode < observations.episodes(); episode++) {
                for (int t = 0; t + 1 < actions.steps() && count < errors.length; t += EVERY) {
                    double[] now = observations.row(episode, t);
                    double[] qpos = new double[nq];
                    System.arraycopy(now, 0, qpos, hidden, nq - hidden);
                    double[] qvel = Arrays.copyOfRange(now, nq - hidden, compared);
                    if (!told(qvel, task.rules().velocityClip())) {
                        continue;
                    }
                    simulator.place(qpos, qvel);
                    simulator.step(actions.row(episode, t));
                    double[] next = observations.row(episode, t + 1);
                    errors[count] = distance(simulator.observation(), next, compared, Double.POSITIVE_INFINITY);
                    relative[count] = distance(simulator.observation(), next, compared, 1);
                    // The way paid for is measured between lagging positions, so the reward of a second step counts.
                    simulator.step(actions.row(episode, t + 1));
                    if (rewards.length > 0) {
                        rewardErrors[count] = Math.abs(simulator.reward() - rewards[episode * actions.steps() + t + 1]);
                    }
                    count++;
                }
            }
        }
        errors = Arrays.copyOf(errors, count);
        relative = Arrays.copyOf(relative, count);
        rewardErrors = Arrays.copyOf(rewardErrors, count);
        Arrays.sort(errors);
        Arrays.sort(relative);
        Arrays.sort(rewardErrors);
        String summary = String.format(
                Locale.ROOT,
                "%s: %d rows, error of the next row: median %.2g, 99th percentile %.2g; relative: %.2g, %.2g;"
                        + " of the reward: %.2g, %.2g",
                file,
                count,
                errors[count / 2],
                errors[count * 99 / 100],
                relative[count / 2],
                relative[count * 99 / 100],
                rewardErrors[count / 2],
                rewardErrors[count * 99 / 100]);
        System.out.println(summary);
        assertThat(count).as(summary).isGreaterThan(1000);
        assertThat(errors[count / 2]).as(summary).isLessThan(task == Task.HUMANOID ? 1.25e-6 : 1e-6);
        assertThat(relative[count / 2]).as(summary).isLessThan(1e-6);
        assertThat(rewardErrors[count / 2]).as(summary).isLessThan(1e-6);
    }

    /** Whether no velocity was clipped. */
    private static boolean told(double[] qvel, double clip) {
        return Arrays.stream(qvel).allMatch(v -> Math.abs(v) < clip);
    }

    /** @param one numbers above it count relative to themselves */
    private static double distance(double[] a, double[] b, int length, double one) {
        double largest = 0;
        for (int i = 0; i < length; i++) {
            largest = Math.max(largest, Math.abs(a[i] - b[i]) / (Math.abs(b[i]) > one ? Math.abs(b[i]) : 1));
        }
        return largest;
    }

    /** Vectors by episode and step. */
    private record Rows(int episodes, int steps, int width, double[] numbers) {
        Rows(NpyArray array) {
            this(array.shape()[0], array.shape()[1], array.shape()[2], array.numbers());
        }

        double[] row(int episode, int step) {
            int from = (episode * steps + step) * width;
            return Arrays.copyOfRange(numbers, from, from + width);
        }
    }
}
