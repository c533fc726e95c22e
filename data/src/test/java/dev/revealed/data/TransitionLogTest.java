package dev.revealed.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.revealed.data.npz.NpyArray;
import dev.revealed.data.npz.Npz;
import dev.revealed.numeric.BadInput;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TransitionLogTest {
    @TempDir
    private Path folder = Path.of("");

    private TransitionLog csv(String text) throws IOException {
        Path file = folder.resolve("log.csv");
        Files.writeString(file, text);
        return TransitionLog.read(file);
    }

    private void refuses(String text, String... words) {
        assertThatExceptionOfType(BadInput.class)
                .isThrownBy(() -> csv(text).counts(3, 2))
                .satisfies(e -> assertThat(e.getMessage()).contains(words));
    }

    @Test
    void readsMovesAndNeverLooksAtRewards() throws IOException {
        TransitionLog plain = csv("state,action,next\n0,1,2\n2,0,0\n0,1,2\n");
        assertThat(plain.states()).isEqualTo(3);
        assertThat(plain.actions()).isEqualTo(2);
        assertThat(plain.counts(3, 2).visits(1)).isEqualTo(2);
        TransitionLog rewarded = csv("""
                reward,state,action,next
                NaN,0,1,2
                -inf,2,0,0
                ,0,1,2
                """);
        assertThat(rewarded.counts(3, 2).hash()).isEqualTo(plain.counts(3, 2).hash());
    }

    /** A file of trajectories is a log: final states count as next ones, and no move joins two trajectories. */
    @Test
    void trajectoriesAreALog() throws IOException {
        TransitionLog log = csv("""
                trajectory,time,state,action
                ann,0,0,1
                bob,0,1,0
                ann,1,2,0
                bob,1,1,
                ann,2,0,
                """);
        assertThat(log.counts(3, 2).hash())
                .isEqualTo(csv("state,action,next\n0,1,2\n2,0,0\n1,0,1\n")
                        .counts(3, 2)
                        .hash());
    }

    @Test
    void readsArrays() {
        Path file = folder.resolve("log.npz");
        Npz.write(
                file,
                Map.of(
                        "state", NpyArray.of(new int[] {0, 2}),
                        "action", NpyArray.of(new int[] {1, 0}),
                        "next", NpyArray.of(new int[] {2, 0}),
                        "reward", NpyArray.of(new double[] {Double.NaN, 1})));
        assertThat(TransitionLog.read(file).counts(3, 2).moves()).isEqualTo(2);
        Npz.write(
                file,
                Map.of(
                        "state", NpyArray.of(new int[] {0, 2}),
                        "action", NpyArray.of(new int[] {1}),
                        "next", NpyArray.of(new int[] {2, 0})));
        assertThatExceptionOfType(BadInput.class)
                .isThrownBy(() -> TransitionLog.read(file))
                .withMessageContaining("action")
                .withMessageContaining("1 values where state has 2");
        Path trajectories = folder.resolve("trajectories.npz");
        Npz.write(
                trajectories,
                Map.of(
                        "states", NpyArray.matrix(new int[] {0, 2, 0, 1, 1, 1}, 2, 3),
                        "actions", NpyArray.matrix(new int[] {1, 0, 0, 0}, 2, 2)));
        assertThat(TransitionLog.read(trajectories).counts(3, 2).visits(2)).isEqualTo(2);
    }

    @Test
    void badLogsAreRefusedWithTheirPlace() {
        refuses("state,action,next\n", "log.csv: there are no moves");
        refuses("state,action,next\n0,1,2\n0,x,2\n", "log.csv, line 3", "action is 'x'");
        refuses("state,action,next\n0,1,2\n0,1,3\n", "log.csv, line 3", "next is 3, outside 0..2", "`states`");
        refuses("state,action,next\n0,2,2\n", "line 2", "action is 2, outside 0..1", "`actions`");
        refuses("state,action\n0,1\n", "there is no column 'next'");
        refuses("state,action,next,weight\n0,1,2,3\n", "unknown column 'weight'");
        refuses("trajectory,time,state\na,0,0\na,1,1\n", "the trajectories hold no actions");
        assertThatExceptionOfType(BadInput.class)
                .isThrownBy(
                        () -> csv("state,action,next\n0,1,2\n0,1,2000000000\n").states())
                .withMessageContaining("log.csv, line 3: next is 2000000000");
    }
}
