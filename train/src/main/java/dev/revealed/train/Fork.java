package dev.revealed.train;

import dev.revealed.imitate.Intervention;
import dev.revealed.imitate.RewardModel;
import dev.revealed.mdp.Simulator;
import dev.revealed.neural.Batch;
import dev.revealed.neural.Replay;
import dev.revealed.neural.TransitionLayout;
import dev.revealed.neural.objective.Objective;
import dev.revealed.neural.saved.FreshCritics;
import dev.revealed.neural.saved.SavedTraining;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.RandomStream;
import dev.revealed.runs.Checkpoints;
import dev.revealed.runs.Checkpoints.Restored;
import dev.revealed.runs.Checkpoints.StoredBlock;
import dev.revealed.runs.Events;
import dev.revealed.runs.Metrics;
import dev.revealed.runs.RunFolder;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The continuation of a checkpoint of another run, in a folder of its own: it differs in some random streams, or by one
 * intervention. {@link #begin} makes the folder of a run that was interrupted there; resuming that run trains the fork. See
 * docs/design/forks.md.
 *
 * @param run the folder of the original
 * @param step of the checkpoint
 * @param number of the fork, from 1: those of one checkpoint differ by it
 */
public record Fork(Path run, long step, int number, ForkStreams streams, Intervention intervention) {
    private static final int CRITIC_UPDATES = 20_000; // of fresh critics
    private static final List<String> OWN = List.of(Diagnosis.TABLE, Diagnosis.POLICIES);

    public Fork {
        BadInput.when(number < 1, "the number of a fork is %d".formatted(number), "Number forks from 1.");
    }

    /** Makes the folder that is to be resumed. */
    void begin(TrainingPlan plan, RunFolder folder, int threads) {
        intervention.check(plan.sac());
        Restored from = Checkpoints.at(run, step);
        BadInput.when(
                plan.steps() <= step,
                "the fork ends at step %d, and its checkpoint is of step %d".formatted(plan.steps(), step),
                "Give more `iterations`: they count from the beginning of the original.");
        RandomStream stream =
                RandomStream.of(plan.seed()).named("fork").at(step).at(number);
        Source source = new Source(plan, from, stream, threads);
        Optional<Intervention.Rows> dropped =
                intervention.dropped(source.rows(), source.saved().firstOpenRow());
        SavedTraining begun = intervention.begin(source).withStreams(streams.inCheckpoint(), stream);
        Map<String, String> notes = new LinkedHashMap<>(from.notes());
        Metrics.copy(run, folder, Long.parseLong(from.notes().get("metrics")));
        Events.copy(run, folder, Long.parseLong(from.notes().get("events")));
        notes.keySet().removeAll(OWN); // tables that begin with the fork
        if (dropped.isEmpty()) {
            Checkpoints.in(folder).adopt(from, begun.tensors(), notes);
        } else {
            Intervention.Rows gone = dropped.get();
            Checkpoints.in(folder)
                    .write(
                            step,
                            begun.withoutEpisodes(gone.from(), gone.to()).tensors(),
                            notes,
                            source.without(gone),
                            source.rows().from());
        }
    }

    /** Updates of the original before the fork: its own time does not include them. */
    long updatesBefore(TrainingPlan plan) {
        long first = Math.max(1, plan.schedule().randomSteps());
        return (long) (Math.max(0, step - first) * plan.schedule().updatesPerStep());
    }

    /** The checkpoint with its replay. */
    private record Source(TrainingPlan plan, Restored from, RandomStream stream, int threads)
            implements Intervention.Beginning {
        @Override
        public SavedTraining saved() {
            return new SavedTraining(from.state());
        }

        /** Those that can be drawn; blocks may begin before. */
        Intervention.Rows rows() {
            long to = from.blocks().isEmpty() ? 0 : from.blocks().getLast().to();
            return new Intervention.Rows(Math.max(0, to - plan.schedule().replay()), to);
        }

        @Override
        public SavedTraining withFreshCritics() {
            Simulator.Space space = plan.environment().space();
            Replay replay = new Replay(space, plan.schedule().replay());
            for (StoredBlock block : from.blocks()) {
                try (InputStream in = block.open()) {
                    replay.read(block.from(), block.to(), in);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
            Batch.Rewards rewards = plan.problem().objective(space, plan.sac().discount())
                            instanceof Objective.Labelled labelled
                    ? RewardModel.load(from.state(), space, labelled.forEver()).labels()
                    : Batch.Rewards.STORED;
            return new FreshCritics(space, plan.sac(), rewards, CRITIC_UPDATES)
                    .in(saved(), replay, stream.named("critics"), threads);
        }

        /** All rows, where others replace those that are dropped. */
        Checkpoints.Block without(Intervention.Rows gone) {
            Intervention.Rows all = rows();
            long stay = (all.to() - all.from()) - (gone.to() - gone.from());
            int width = (int) TransitionLayout.of(plan.environment().space()).bytes(1);
            return new Checkpoints.Block(all.from(), all.to(), out -> {
                try (RowFiles files = new RowFiles(from.blocks(), width)) {
                    for (long row = all.from(); row < all.to(); row++) {
                        boolean drop = row >= gone.from() && row < gone.to();
                        files.copy(drop ? other(row, gone, all.from(), stay) : row, out);
                    }
                }
            });
        }

        /** The row that replaces a dropped one, spread evenly over the {@code stay} that are not dropped. */
        private static long other(long row, Intervention.Rows gone, long oldest, long stay) {
            long place = (row - gone.from()) * stay / (gone.to() - gone.from());
            long older = gone.from() - oldest;
            return place < older ? oldest + place : gone.to() + place - older;
        }
    }

    /** Rows of blocks by their numbers; most are read one after the other, from one file. */
    private static final class RowFiles implements AutoCloseable {
        private final List<StoredBlock> blocks;
        private final ByteBuffer row;
        private StoredBlock open;
        private FileChannel channel;

        RowFiles(List<StoredBlock> blocks, int width) throws IOException {
            this.blocks = blocks;
            row = ByteBuffer.allocate(width);
            open = blocks.getFirst();
            channel = FileChannel.open(open.file());
        }

        void copy(long number, OutputStream out) throws IOException {
            if (number < open.from() || number >= open.to()) {
                channel.close();
                open = blocks.stream()
                        .filter(block -> number >= block.from() && number < block.to())
                        .findFirst()
                        .orElseThrow();
                channel = FileChannel.open(open.file());
            }
            row.clear();
            long at = (number - open.from()) * row.capacity();
            while (row.hasRemaining()) {
                if (channel.read(row, at + row.position()) < 0) {
                    throw new EOFException("%s ends before row %d".formatted(open.file(), number));
                }
            }
            out.write(row.array());
        }

        @Override
        public void close() throws IOException {
            channel.close();
        }
    }
}
