package dev.revealed.neural;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.revealed.mdp.Episode;
import dev.revealed.mdp.Episode.Ending;
import dev.revealed.mdp.Simulator;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Tensors;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Episodes that the interaction recorded, compared with those found in the replay by comparing states. */
class RecordedEpisodesTest {
    private static final int HORIZON = 12;

    /** A random walk whose actions are large enough to leave the line now and then: episodes of many lengths. */
    private static CpuTraining training(int simulators, int replay, long seed) {
        List<Simulator> all = new ArrayList<>();
        for (int i = 0; i < simulators; i++) {
            all.add(new Line(HORIZON));
        }
        Sac.Settings settings = Sac.Settings.PAPER.withHidden(4, 4).withBatch(4);
        RandomStream stream = RandomStream.of(seed);
        return new CpuTraining(
                all,
                new Sac(all.getFirst().space(), settings, stream, 1),
                new Training.Schedule(1_000_000, 1, replay),
                stream);
    }

    @Test
    void areThoseFoundInTheReplay() throws IOException {
        long found = 0;
        boolean terminated = false;
        for (int simulators = 1; simulators <= 4; simulators++) {
            for (int replay : new int[] {37, 60, 151, 5000}) {
                try (CpuTraining training = training(simulators, replay, 10L * simulators + replay)) {
                    for (int made : new int[] {1, 7, 40, 13, 100, 61, 200, 3}) {
                        training.advance(made, Batch.Rewards.STORED, done -> {});
                        for (int last : new int[] {1, 5, 25, 37, 100, 1000}) {
                            List<Episode> recorded = training.episodes(last);
                            assertThat(recorded)
                                    .as("%d simulators, replay %d, last %d", simulators, replay, last)
                                    .usingRecursiveComparison()
                                    .isEqualTo(found(training, simulators, last));
                            found += recorded.size();
                            terminated |= recorded.stream().anyMatch(one -> one.ending() == Ending.TERMINATED);
                        }
                    }
                }
            }
        }
        assertThat(found).isGreaterThan(1000);
        assertThat(terminated).isTrue();
    }

    /** A training that was saved and resumed has the same episodes as one that went on, whatever the replay forgot. */
    @Test
    void surviveACheckpoint() throws IOException {
        for (int cut : new int[] {5, 33, 150}) {
            try (CpuTraining whole = training(3, 90, 7);
                    CpuTraining first = training(3, 90, 7);
                    CpuTraining second = training(3, 90, 7)) {
                whole.advance(200, Batch.Rewards.STORED, made -> {});
                first.advance(cut, Batch.Rewards.STORED, made -> {});
                Tensors saved = new Tensors();
                first.save(saved);
                ByteArrayOutputStream rows = new ByteArrayOutputStream();
                first.writeRows(first.oldest(), cut, rows);
                second.restore(saved);
                second.readRows(first.oldest(), cut, new ByteArrayInputStream(rows.toByteArray()));
                assertThat(second.episodes(60)).usingRecursiveComparison().isEqualTo(first.episodes(60));
                second.advance(200 - cut, Batch.Rewards.STORED, made -> {});
                assertThat(second.episodes(60))
                        .isNotEmpty()
                        .usingRecursiveComparison()
                        .isEqualTo(whole.episodes(60));
            }
        }
    }

    @Test
    void areMissedInACheckpointOfAnOlderVersion() {
        try (CpuTraining training = training(1, 90, 7)) {
            Tensors saved = new Tensors();
            training.save(saved);
            Tensors older = new Tensors();
            saved.names().stream()
                    .filter(name -> !name.endsWith(".episodes"))
                    .forEach(name -> older.put(name, saved.get(name)));
            assertThatExceptionOfType(BadInput.class)
                    .isThrownBy(() -> training.restore(older))
                    .withMessageContaining("older version");
        }
    }

    /** The episodes whole within the last rows, told apart where a row does not begin as the one before ended. */
    private static List<Episode> found(Training training, int simulators, long steps) throws IOException {
        TransitionLayout layout = TransitionLayout.of(new Line(HORIZON).space());
        int width = layout.width();
        long to = training.remembered();
        long first = Math.max(training.oldest(), to - steps - (long) HORIZON * simulators);
        first += Math.floorMod(-first, (long) simulators);
        int rows = (int) (to - first);
        float[] all = new float[Math.max(0, rows) * width];
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        training.writeRows(Math.min(first, to), to, bytes);
        ByteBuffer.wrap(bytes.toByteArray())
                .order(ByteOrder.LITTLE_ENDIAN)
                .asFloatBuffer()
                .get(all);
        List<Episode> found = new ArrayList<>();
        for (int which = 0; which < simulators; which++) {
            int start = first == 0 ? which : -1; // an episode that began before the first row is not whole
            int length = 0;
            for (int row = which; row < rows; row += simulators) {
                length++;
                boolean terminated = all[row * width + layout.live()] == 0;
                int next = row + simulators;
                int after = row * width + layout.nextState();
                boolean continues =
                        next >= rows || Arrays.equals(all, after, after + 2, all, next * width, next * width + 2);
                if (terminated || !continues || length == HORIZON) {
                    if (start >= 0 && row >= rows - steps) {
                        found.add(episode(all, layout, simulators, start, length, terminated));
                    }
                    start = next;
                    length = 0;
                }
            }
        }
        return found;
    }

    private static Episode episode(
            float[] all, TransitionLayout layout, int simulators, int start, int length, boolean terminated) {
        float[] observations = new float[(length + 1) * 2];
        float[] actions = new float[length];
        for (int t = 0; t < length; t++) {
            int at = (start + t * simulators) * layout.width();
            System.arraycopy(all, at, observations, 2 * t, 2);
            actions[t] = all[at + 2];
            System.arraycopy(all, at + layout.nextState(), observations, 2 * t + 2, 2);
        }
        return new Episode(length, observations, actions, null, terminated ? Ending.TERMINATED : Ending.TRUNCATED);
    }
}
