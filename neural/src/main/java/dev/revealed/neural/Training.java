package dev.revealed.neural;

import dev.revealed.mdp.Episode;
import dev.revealed.mdp.Simulator;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Tensors;
import dev.revealed.settings.Setting;
import dev.revealed.settings.Settings;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.IntConsumer;

/**
 * An agent that interacts with one or more environments and learns as it goes. Where it learns, on the processor or on a GPU,
 * is what its kinds differ in; what they save is the same, so that one goes on where the other stopped.
 */
public abstract class Training implements AutoCloseable {

    /** When to act at random and when to learn. */
    public record Schedule(
            @Setting(about = "Steps at the beginning with random actions and without updates.", atLeast = 0)
            long randomSteps,

            @Setting(
                    name = "update-ratio",
                    about = "Updates per step; may be a fraction.",
                    above = 0,
                    atMost = 1000,
                    example = "1")
            double updatesPerStep,

            @Setting(about = "Transitions kept to learn from.", atLeast = 1)
            int replay) {
        public Schedule {
            Settings.check(Schedule.class, randomSteps, updatesPerStep, replay);
        }

        /** Refuses batches that are larger than what is kept to learn from. */
        public void check(int batch) {
            BadInput.when(
                    replay < batch,
                    "`replay` keeps %d transitions, and an update takes %d (`batch`)".formatted(replay, batch),
                    "Keep at least as many as an update takes: raise `replay`, or lower `batch`.");
        }
    }

    /**
     * Episodes that ended since this was last asked.
     *
     * @param meanReturn by the task's own reward; NaN where no episode ended
     */
    public record Episodes(long count, double meanReturn, double meanLength) {

        static final class Sum {
            private long count;
            private double returns;
            private long lengths;

            void add(long more, double sumOfReturns, long sumOfLengths) {
                count += more;
                returns += sumOfReturns;
                lengths += sumOfLengths;
            }

            Episodes mean() {
                double n = count == 0 ? Double.NaN : count;
                return new Episodes(count, returns / n, lengths / n);
            }
        }
    }

    private final Schedule schedule;
    private final List<Interaction> environments = new ArrayList<>();
    private RandomStream rows; // those drawn from the replay on the processor
    private long steps;
    private long updates;
    private double owed; // updates due and not made, below one between steps

    /**
     * @param simulators each only used here
     * @param actor the policy that acts in them, now and after every update
     */
    protected Training(List<? extends Simulator> simulators, Actor actor, Schedule schedule, RandomStream stream) {
        this.schedule = schedule;
        rows = stream.named("replay");
        for (Simulator simulator : simulators) {
            RandomStream own =
                    environments.isEmpty() ? stream : stream.named("simulator").at(environments.size());
            environments.add(Interaction.of(simulator, actor.worker(), schedule.replay, own));
        }
    }

    /**
     * Transitions of an expert, of which every batch has some.
     *
     * @param count how many there are
     * @param share of a batch
     * @param cloning weight in the actor's loss, relative to the mean size of the batch's values, of half the squared
     *     distance between its mean action and the expert's, each component as a share of its bound; the mean over the expert's rows
     */
    public record ExpertRows(int count, double share, double cloning) {
        public static final ExpertRows NONE = new ExpertRows(0, 0, 0);

        /** Rows of such a batch that are the expert's: the share, rounded, but neither none nor all of them. */
        public int in(int batch) {
            return count == 0 || share == 0 ? 0 : Math.clamp(Math.round(share * batch), 1, Math.max(1, batch - 1));
        }
    }

    /**
     * From now on every batch has a share of these transitions of an expert, labelled as the others are. They are not saved.
     *
     * @param rows as many as there are transitions
     */
    public void learnFrom(Batch transitions, ExpertRows rows) {
        throw new UnsupportedOperationException("this training draws no batches");
    }

    /** Lets networks begin and learn as though observations were multiplied by these numbers: {@link Learner#scaleInputs}. */
    public void scaleInputs(float[] scale) {
        throw new UnsupportedOperationException("this training has no such networks");
    }

    /**
     * From now on the policy pays for its divergence from this one instead of being paid for its entropy; see {@link
     * Learner#referTo}. It is not saved.
     */
    public void referTo(GaussianActor reference) {
        throw new BadInput(
                "a reference policy is known to Soft Actor-Critic on the processor alone",
                "Leave out `reference`, or choose `device` cpu.");
    }

    /** Continues for a number of steps under a reward, and reports now and then how many were made. */
    public abstract void advance(long count, Batch.Rewards rewards, IntConsumer after);

    /** The policy after all updates, as it is now. */
    public abstract Actor policy();

    /** What curves show, by name: means over the updates since this was last asked. */
    public abstract Map<String, Double> diagnostics();

    /** Seconds spent, by activity, since this object was created. */
    public Map<String, Double> seconds() {
        return Map.of();
    }

    /** How many transitions were ever remembered: the number of the next one. */
    public abstract long remembered();

    /** The number of the oldest transition that is still there. */
    public final long oldest() {
        return Math.max(0, remembered() - schedule.replay);
    }

    /** Writes the transitions {@code from} to {@code to}, which are all still there, as {@link Replay} does. */
    public abstract void writeRows(long from, long to, OutputStream out) throws IOException;

    /** Continues with the transitions {@code from} to {@code to}, as they were written; blocks come in order. */
    public abstract void readRows(long from, long to, InputStream in) throws IOException;

    /** Copies the transitions {@code from} to {@code to}, which are all still there, one after the other. */
    protected abstract void copyRows(long from, long to, float[] into);

    /** Harmless the second time. */
    @Override
    public abstract void close();

    public final long steps() {
        return steps;
    }

    /** Updates that were made, or at least begun. */
    public final long updates() {
        return updates;
    }

    protected final List<Interaction> environments() {
        return environments;
    }

    protected final Schedule schedule() {
        return schedule;
    }

    protected final RandomStream rows() {
        return rows;
    }

    /** Whether the step of that number is one of the random ones. */
    protected final boolean random(long step) {
        return step < schedule.randomSteps;
    }

    protected final void countSteps(long made) {
        steps += made;
    }

    /** Updates that are due for a number of steps that are about to be counted. */
    protected final int due(long forSteps) {
        long before = Math.max(1, schedule.randomSteps) - steps; // of these steps, how many come too early
        owed += Math.max(0, forSteps - Math.max(0, before)) * schedule.updatesPerStep;
        int due = (int) owed;
        owed -= due;
        updates += due;
        return due;
    }

    /** The most steps that {@link #episodes} can look back on: what an array has room for. */
    public static long mostSteps(Simulator.Space space, int environments) {
        return Integer.MAX_VALUE / TransitionLayout.of(space).width() - 1 - (long) space.horizon() * environments;
    }

    /**
     * Episodes that ended within the last {@code count} steps, with all their steps, environment by environment; none where
     * none ended. Those whose first rows were forgotten are left out.
     */
    public final List<Episode> episodes(long count) {
        if (environments.isEmpty()) {
            return List.of();
        }
        int apart = environments.size();
        Simulator.Space space = environments.getFirst().space();
        long to = remembered();
        long from = Math.max(oldest(), to - count - (long) space.horizon() * apart);
        long first = from + Math.floorMod(-from, (long) apart); // a turn of the first environment
        List<EpisodeRows> ended = new ArrayList<>();
        for (Interaction environment : environments) {
            for (EpisodeRows one : environment.recorded()) {
                // Unless all rows are there, the one before the episode must be among them.
                if (one.last() >= to - count && (first == 0 || one.first(apart) - apart >= first)) {
                    ended.add(one);
                }
            }
        }
        long begin = ended.stream().mapToLong(one -> one.first(apart)).min().orElse(to);
        TransitionLayout layout = TransitionLayout.of(space);
        float[] rows = rows(begin, to, layout);
        return ended.stream().map(one -> one.read(rows, begin, apart, layout)).toList();
    }

    private float[] rows(long from, long to, TransitionLayout layout) {
        float[] rows = new float[Math.toIntExact((to - from) * layout.width())];
        copyRows(from, to, rows);
        return rows;
    }

    /** From now on that policy acts, whatever the learner comes to. It is not saved. */
    public final void actBy(Actor policy) {
        environments.forEach(each -> each.actBy(policy.worker()));
    }

    /** Episodes that were terminated within the last {@code count} steps, as long as the replay has their last rows. */
    public final long terminated(long count) {
        return environments.stream()
                .flatMap(environment -> environment.recorded().stream())
                .filter(one -> one.terminated() && one.last() >= Math.max(oldest(), remembered() - count))
                .count();
    }

    /** Episodes of all environments that ended within the last {@code count} steps, by the replay: it forgets none. */
    public final Episodes recentEpisodes(long count) {
        Episodes.Sum sum = new Episodes.Sum();
        int apart = environments.size();
        long to = remembered();
        List<EpisodeRows> ended = environments.stream()
                .flatMap(environment -> environment.recorded().stream())
                .filter(one -> one.last() >= to - count && one.first(apart) >= oldest())
                .toList();
        long begin = ended.stream().mapToLong(one -> one.first(apart)).min().orElse(to);
        if (begin < to) {
            TransitionLayout layout =
                    TransitionLayout.of(environments.getFirst().space());
            float[] rows = rows(begin, to, layout);
            ended.forEach(one -> sum.add(1, one.total(rows, begin, apart, layout), one.length()));
        }
        return sum.mean();
    }

    /** Transitions of these numbers, which are all still there, as a batch with the rewards of the task. */
    public final Batch rows(long[] numbers) {
        Simulator.Space space = environments.getFirst().space();
        TransitionLayout layout = TransitionLayout.of(space);
        Batch batch = Batch.of(numbers.length, space);
        for (int i = 0; i < numbers.length; i++) {
            layout.unpack(rows(numbers[i], numbers[i] + 1, layout), 0, batch, i);
        }
        return batch;
    }

    /** Episodes of all environments that ended since this was last asked. */
    public final Episodes takeEpisodes() {
        Episodes.Sum sum = new Episodes.Sum();
        environments.forEach(each -> each.takeEpisodes(sum));
        return sum.mean();
    }

    /** Hands over everything but the replay's rows, which are too many to write each time. */
    public void save(Tensors into) {
        into.put("training.counts", steps, updates);
        into.put("training.owed", new double[] {owed});
        into.put("training.rows", rows.checkpoint());
        for (int i = 0; i < environments.size(); i++) {
            environments.get(i).save("environment" + i, into);
        }
    }

    /** Goes on from there; the replay's rows are read by the caller. */
    public void restore(Tensors from) {
        long[] counts = from.longs("training.counts");
        steps = counts[0];
        updates = counts[1];
        owed = from.doubles("training.owed")[0];
        rows = RandomStream.resume(from.longs("training.rows"));
        for (int i = 0; i < environments.size(); i++) {
            environments.get(i).restore("environment" + i, from);
        }
    }
}
