package dev.revealed.neural;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.revealed.mdp.Simulator;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.RandomStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class ReplayTest {
    private static final Simulator.Space SPACE = new Simulator.Space("toy", 3, new Simulator.Actions.Box(2, 1), 10);

    /** Row i holds numbers that only row i has. */
    private static void add(Replay replay, long i) {
        float f = i;
        replay.add(new float[] {f, f + 0.1f, f + 0.2f}, new float[] {-f, -f - 0.1f}, 10 * f, i % 5 == 4, new float[] {
            f + 1, f + 1.1f, f + 1.2f
        });
    }

    private static Replay filled(int capacity, long rows) {
        Replay replay = new Replay(SPACE, capacity);
        for (long i = 0; i < rows; i++) {
            add(replay, i);
        }
        return replay;
    }

    @Test
    void drawsEveryRowThatIsThereAboutEquallyOftenAndNoOther() {
        Replay replay = filled(100, 250); // rows 150 to 249 are left
        Batch batch = Batch.of(50, SPACE);
        RandomStream stream = RandomStream.of(3);
        int[] drawn = new int[250];
        int draws = 2000;
        for (int k = 0; k < draws; k++) {
            replay.sample(stream, batch);
            for (int i = 0; i < batch.size(); i++) {
                drawn[(int) batch.states()[3 * i]]++;
            }
        }
        double mean = draws * 50 / 100.0;
        for (int row = 0; row < 250; row++) {
            if (row < 150) {
                assertThat(drawn[row]).as("row %d is forgotten", row).isZero();
            } else {
                assertThat(Math.abs(drawn[row] - mean))
                        .as("draws of row %d", row)
                        .isLessThan(5 * Math.sqrt(mean));
            }
        }
    }

    @Test
    void rowsComeBackWhole() {
        Replay replay = filled(10_000, 9_000); // more than one piece of memory
        Batch batch = Batch.of(500, SPACE);
        replay.sample(RandomStream.of(1), batch);
        for (int i = 0; i < batch.size(); i++) {
            float f = batch.states()[3 * i];
            assertThat(batch.states()[3 * i + 2]).isEqualTo(f + 0.2f);
            assertThat(batch.actions()[2 * i + 1]).isEqualTo(-f - 0.1f);
            assertThat(batch.rewards()[i]).isEqualTo(10 * f);
            assertThat(batch.live()[i]).isEqualTo((long) f % 5 == 4 ? 0 : 1);
            assertThat(batch.nextStates()[3 * i]).isEqualTo(f + 1);
        }
    }

    @Test
    void whatWasWrittenInBlocksIsReadBackTheSame() throws IOException {
        Replay first = filled(100, 60);
        byte[] early = written(first, 0, 60);
        for (long i = 60; i < 130; i++) {
            add(first, i);
        }
        byte[] late = written(first, 60, 130);

        Replay second = new Replay(SPACE, 100);
        second.read(0, 60, new ByteArrayInputStream(early));
        second.read(60, 130, new ByteArrayInputStream(late));

        assertThat(second.added()).isEqualTo(130);
        Batch expected = Batch.of(1000, SPACE);
        Batch actual = Batch.of(1000, SPACE);
        first.sample(RandomStream.of(2), expected);
        second.sample(RandomStream.of(2), actual);
        assertThat(actual.states()).isEqualTo(expected.states());
        assertThat(actual.nextStates()).isEqualTo(expected.nextStates());
        assertThat(actual.rewards()).isEqualTo(expected.rewards());
    }

    @Test
    void aBlockCutShortIsToldFromAWholeOne() throws IOException {
        byte[] block = written(filled(100, 10), 0, 10);
        byte[] cut = java.util.Arrays.copyOf(block, block.length - 1);
        assertThatThrownBy(() -> new Replay(SPACE, 100).read(0, 10, new ByteArrayInputStream(cut)))
                .isInstanceOf(EOFException.class)
                .hasMessageContaining("row 9");
    }

    @Test
    void anEmptyReplayIsRefused() {
        assertThatThrownBy(() -> new Replay(SPACE, 0)).isInstanceOf(BadInput.class);
    }

    private static byte[] written(Replay replay, long from, long to) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        replay.write(from, to, out);
        return out.toByteArray();
    }
}
