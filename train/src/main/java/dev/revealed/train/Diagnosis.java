package dev.revealed.train;

import dev.revealed.imitate.Learning;
import dev.revealed.mdp.Episode;
import dev.revealed.mdp.Simulator;
import dev.revealed.neural.Actor;
import dev.revealed.neural.Batch;
import dev.revealed.neural.Training;
import dev.revealed.neural.saved.LearnerProbe;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Tensors;
import dev.revealed.runs.NumberTable;
import dev.revealed.runs.RunFiles;
import dev.revealed.runs.RunFolder;
import dev.revealed.runs.Safetensors;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * Measures a run while it learns, on rows of its replay that stay the same, and writes a line each time. It changes nothing of
 * what is learnt. The rows are drawn when there are enough of them, for a fork where it begins, and kept in the folder.
 */
final class Diagnosis implements AutoCloseable {
    /** The lengths of its two files, in the notes of checkpoints. */
    static final String TABLE = "diagnose";

    static final String POLICIES = "policies";

    private static final int ROWS = 2048;
    private static final int RECENT = 5000;
    private static final String DRAWN = "step"; // in the notes of the rows

    private final TrainingPlan plan;
    private final RunFolder folder;
    private final NumberTable table;
    private final NumberTable policies;

    /** @param notes of the checkpoint that the run goes on from; none at the beginning */
    Diagnosis(TrainingPlan plan, RunFolder folder, Map<String, String> notes) {
        this.plan = plan;
        this.folder = folder;
        table = NumberTable.resume(folder, RunFiles.DIAGNOSE, length(notes, TABLE));
        policies = NumberTable.resume(folder, RunFiles.POLICIES, length(notes, POLICIES));
    }

    private static long length(Map<String, String> notes, String name) {
        return Long.parseLong(notes.getOrDefault(name, "0"));
    }

    void note(Map<String, String> into) {
        into.put(TABLE, Long.toString(table.length()));
        into.put(POLICIES, Long.toString(policies.length()));
    }

    /** Measures a run; it is asked again and again, for the same one. */
    final class Measurements {
        private final Simulator.Space space;
        private final Training training;
        private final Learning learning;
        private @Nullable LearnerProbe probe;
        private @Nullable Batch expert;

        Measurements(Simulator.Space space, Training training, Learning learning) {
            this.space = space;
            this.training = training;
            this.learning = learning;
        }

        /** Adds a line, once there are rows to measure on. */
        void add() {
            LearnerProbe rows = probe();
            if (rows == null) {
                return;
            }
            Tensors saved = Tensors.of(training::save);
            Map<String, Double> found = new LinkedHashMap<>(rows.measure(saved, learning.rewards()));
            Batch shown = expert();
            found.put(
                    "expertValue",
                    shown.size() == 0 ? Double.NaN : rows.meanValue(saved, shown.states(), shown.actions()));
            found.put("expertReward", mean(shown));
            found.putAll(learning.measures());
            Training.Episodes played = training.recentEpisodes(RECENT);
            found.put("terminatedInReplay", (double) training.terminated(Long.MAX_VALUE / 2));
            found.put("terminatedRecently", (double) training.terminated(RECENT));
            found.put("episodesRecently", (double) played.count());
            found.put("trainingReturn", played.meanReturn());
            found.put("trainingLength", played.meanLength());
            table.add(training.steps(), found);
        }

        private double mean(Batch shown) {
            learning.rewards().relabel(shown);
            double sum = 0;
            for (float reward : shown.rewards()) {
                sum += reward;
            }
            return sum / shown.size();
        }

        private @Nullable LearnerProbe probe() {
            if (probe == null) {
                Batch rows = rows();
                RandomStream noise = RandomStream.of(plan.seed()).named(TABLE);
                probe = rows == null ? null : new LearnerProbe(space, plan.sac(), rows, noise);
            }
            return probe;
        }

        /** Those that were drawn before this step, or now; none while there are too few. */
        private @Nullable Batch rows() {
            Path file = folder.path().resolve(RunFiles.PROBE);
            if (Files.exists(file)) {
                Safetensors.Content kept = Safetensors.read(file);
                if (length(kept.metadata(), DRAWN) <= training.steps()) {
                    Tensors of = kept.tensors();
                    return new Batch(
                            of.floats("rewards").length,
                            of.floats("states"),
                            of.floats("actions"),
                            of.floats("rewards"),
                            of.floats("live"),
                            of.floats("nextStates"));
                }
            }
            long first = training.oldest();
            long count = training.remembered() - first;
            if (count < (plan.fork().isPresent() ? 1 : ROWS)) {
                return null;
            }
            RandomStream stream = RandomStream.of(plan.seed()).named(TABLE).named("rows");
            Batch drawn = training.rows(
                    stream.longs(ROWS, first, first + count).sorted().toArray());
            Tensors tensors = new Tensors()
                    .put("states", drawn.states())
                    .put("actions", drawn.actions())
                    .put("rewards", drawn.rewards())
                    .put("live", drawn.live())
                    .put("nextStates", drawn.nextStates());
            Map<String, String> notes = Map.of(DRAWN, Long.toString(training.steps()));
            folder.write(RunFiles.PROBE, out -> Safetensors.write(out, tensors, notes));
            return drawn;
        }

        /** Rows of the demonstrations, spread evenly; none where there are no actions. */
        private Batch expert() {
            if (expert == null) {
                List<Episode> all = plan.problem()
                        .demonstrations()
                        .map(shown -> shown.episodes().all())
                        .orElse(List.of());
                boolean acted = all.stream().allMatch(episode -> episode.actions() != null);
                long steps = acted ? all.stream().mapToLong(Episode::length).sum() : 0;
                expert = spread(all, (int) Math.min(ROWS, steps), steps);
            }
            return expert;
        }

        private Batch spread(List<Episode> all, int count, long steps) {
            Batch batch = Batch.of(count, space);
            Arrays.fill(batch.live(), 1);
            int states = space.observations();
            int actions = space.actions().size();
            long before = 0;
            int i = 0;
            for (Episode episode : all) {
                for (; i < count && i * steps / count < before + episode.length(); i++) {
                    int t = (int) (i * steps / count - before);
                    System.arraycopy(episode.observations(), t * states, batch.states(), i * states, states);
                    float[] taken = Objects.requireNonNull(episode.actions());
                    System.arraycopy(taken, t * actions, batch.actions(), i * actions, actions);
                }
                before += episode.length();
            }
            return batch;
        }
    }

    /**
     * Returns of the averaged and the acting policy, each with and without noise.
     *
     * @param play gives the mean return of a policy that acts without noise, or with it
     */
    static Map<String, Double> four(
            double averaged, Actor average, Actor acting, BiFunction<Actor, Boolean, Double> play) {
        Map<String, Double> returns = new LinkedHashMap<>();
        returns.put("averaged", averaged);
        returns.put("averagedWithNoise", play.apply(average, false));
        returns.put("acting", play.apply(acting, true));
        returns.put("actingWithNoise", play.apply(acting, false));
        return returns;
    }

    void add(long step, Map<String, Double> returns) {
        policies.add(step, returns);
    }

    @Override
    public void close() {
        try (table) {
            policies.close();
        }
    }
}
