package dev.revealed.data;

import static dev.revealed.data.Fixtures.file;
import static dev.revealed.data.Fixtures.numpy;
import static dev.revealed.data.Fixtures.refused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.revealed.data.npz.NpyArray;
import dev.revealed.data.npz.Npz;
import dev.revealed.mdp.Demonstrations;
import dev.revealed.mdp.Mdp;
import dev.revealed.mdp.Trajectory;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class TrajectoriesTest {
    private static final String HEADER = "trajectory,time,state,action\n";

    @TempDir
    private Path folder;

    private Mdp mdp;

    @BeforeEach
    void readProcess() {
        mdp = ProcessFiles.read(
                        numpy("process.npz"),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        OptionalDouble.empty())
                .mdp();
    }

    private Demonstrations read(String content) throws IOException {
        return Trajectories.read(file(folder, "trajectories.csv", content), mdp);
    }

    @Test
    void readsInterleavedTrajectoriesWithAndWithoutFinalStates() throws IOException {
        Demonstrations read = read(HEADER + "bob,0,0,1\nann,0,1,1\nbob,1,1,1.0\nann,1,2,\nbob,2,2,0\n");
        assertThat(read.size()).isEqualTo(2);
        Trajectory bob = read.trajectories().getFirst();
        assertThat(bob.states()).containsExactly(0, 1, 2);
        assertThat(bob.actions()).containsExactly(1, 1, 0);
        assertThat(bob.hasFinalState()).isFalse();
        Trajectory ann = read.trajectories().get(1);
        assertThat(ann.states()).containsExactly(1, 2);
        assertThat(ann.actions()).containsExactly(1);
        assertThat(ann.hasFinalState()).isTrue();
        assertThat(read("time,trajectory,state,action\n0,x,2,1\n").decisions()).isEqualTo(1);
    }

    @Test
    void readsStatesAlone() throws IOException {
        Demonstrations read = read("trajectory,time,state\na,0,0\na,1,1\na,2,2\n");
        assertThat(read.hasActions()).isFalse();
        assertThat(read.trajectories().getFirst().states()).containsExactly(0, 1, 2);
    }

    @Test
    void readsNumpy() {
        Demonstrations read = Trajectories.read(numpy("trajectories.npz"), mdp);
        assertThat(read.trajectories().getFirst().states()).containsExactly(0, 1, 2);
        assertThat(read.trajectories().getFirst().actions()).containsExactly(1, 1);
        assertThat(read.trajectories().get(1).states()).containsExactly(0, 0, 1);
    }

    @Test
    void writesWhatItReads() throws IOException {
        Demonstrations mixed = read(HEADER + "a,0,0,1\na,1,1,1\na,2,2,\nb,0,2,0\n");
        Demonstrations even = Trajectories.read(numpy("trajectories.npz"), mdp);
        for (Demonstrations one : List.of(mixed, mixed.slice(0, 1).statesOnly(), even, even.statesOnly())) {
            Trajectories.write(folder.resolve("again.csv"), one);
            assertThat(Trajectories.read(folder.resolve("again.csv"), mdp).hash())
                    .isEqualTo(one.hash());
        }
        for (Demonstrations one : List.of(even, even.statesOnly(), mixed.slice(1, 2))) {
            Trajectories.write(folder.resolve("again.npz"), one);
            assertThat(Trajectories.read(folder.resolve("again.npz"), mdp).hash())
                    .isEqualTo(one.hash());
        }
        refused(() -> Trajectories.write(folder.resolve("x.npz"), mixed), "x.npz", "different lengths", "CSV");
    }

    @Test
    void readsAMillionRows() throws IOException {
        Path file = folder.resolve("million.csv");
        try (BufferedWriter out = Files.newBufferedWriter(file)) {
            out.write(HEADER);
            for (int i = 0; i < 1_000_000; i++) {
                out.write(i / 1000 + "," + i % 1000 + ",2," + i % 2 + "\n");
            }
        }
        Demonstrations read = Trajectories.read(file, mdp);
        assertThat(read.size()).isEqualTo(1000);
        assertThat(read.decisions()).isEqualTo(1_000_000);
    }

    static Stream<Arguments> bad() {
        return Stream.of(
                Arguments.of("", new String[] {"trajectories.csv", "empty", "trajectory,time,state"}),
                Arguments.of(HEADER, new String[] {"trajectories.csv", "no trajectories"}),
                Arguments.of(HEADER + "a,0,0\n", new String[] {"trajectories.csv, line 2", "3 cells", "4"}),
                Arguments.of(HEADER + "a,0,two,1\n", new String[] {"trajectories.csv, line 2", "state", "'two'"}),
                Arguments.of(HEADER + "a,0,0,left\n", new String[] {"trajectories.csv, line 2", "action", "'left'"}),
                Arguments.of(HEADER + ",0,0,1\n", new String[] {"trajectories.csv, line 2", "trajectory is blank"}),
                Arguments.of(
                        "trajectory,t,state,action\na,0,0,1\n",
                        new String[] {"trajectories.csv, line 1", "'time'", "Rename 't'?"}),
                Arguments.of(
                        "trajectory,time,state,actions\na,0,0,1\n",
                        new String[] {"trajectories.csv, line 1", "'actions'", "Did you mean 'action'?"}),
                Arguments.of(
                        HEADER + "a,0,0,1\na,1,3,0\n", new String[] {"trajectories.csv, line 3", "state is 3", "0..2"}),
                Arguments.of(
                        HEADER + "a,0,0,2\na,1,1,0\n",
                        new String[] {"trajectories.csv, line 2", "action is 2", "0..1"}),
                Arguments.of(HEADER + "a,0,0,-1\n", new String[] {"trajectories.csv, line 2", "action", "'-1'"}),
                Arguments.of(
                        HEADER + "a,1,0,1\n",
                        new String[] {"trajectories.csv, line 2", "time is 1", "'a' is at 0", "gaps"}),
                Arguments.of(
                        HEADER + "a,0,0,0\na,2,0,0\n",
                        new String[] {"trajectories.csv, line 3", "time is 2", "'a' is at 1", "gaps"}),
                Arguments.of(
                        HEADER + "a,0,0,0\na,1,0,0\na,1,0,0\n",
                        new String[] {"trajectories.csv, line 4", "time is 1", "'a' is at 2", "once"}),
                Arguments.of(
                        HEADER + "a,0,0,\na,1,0,1\n",
                        new String[] {"trajectories.csv, line 2", "action is blank", "'a'"}),
                Arguments.of(
                        HEADER + "b,0,0,1\na,0,0,\n", new String[] {"trajectories.csv, line 3", "'a'", "single state"}),
                Arguments.of(
                        "trajectory,time,state\na,0,0\n",
                        new String[] {"trajectories.csv, line 2", "'a'", "single state"}),
                Arguments.of(HEADER + "a,0,0,0\na,1,1,0\na,2,2,\nb,0,0,1\nb,1,2,\n", new String[] {
                    "trajectories.csv, line 4", "state is 2", "state 1", "action 0", "line 3", "probability 0"
                }),
                Arguments.of(
                        "trajectory,time,state\na,0,2\na,1,1\n",
                        new String[] {"trajectories.csv, line 3", "state is 1", "state 2", "any action", "line 2"}),
                Arguments.of(HEADER + "a,0,0,\0\n", new String[] {"trajectories.csv", "not UTF-8 text"}));
    }

    @ParameterizedTest
    @MethodSource("bad")
    void refuses(String content, String[] message) {
        refused(() -> read(content), message);
    }

    @Test
    void refusesBinary() throws IOException {
        Path file = Files.write(folder.resolve("noise.csv"), new byte[] {(byte) 0xff, (byte) 0xfe, 1, 2, 3});
        refused(() -> Trajectories.read(file, mdp), "noise.csv", "not UTF-8 text");
        refused(() -> Trajectories.read(folder.resolve("absent.csv"), mdp), "absent.csv", "no such file");
    }

    @Test
    void refusesBadArrays() {
        NpyArray states = NpyArray.matrix(new int[] {0, 1, 2}, 1, 3);
        npz(Map.of("states", NpyArray.of(0, 1, 2)), "array states", "[3]");
        npz(Map.of("states", states, "action", NpyArray.matrix(new int[] {1, 1}, 1, 2)), "'action'", "'actions'");
        npz(Map.of("states", states, "actions", NpyArray.matrix(new int[] {1}, 1, 1)), "array actions", "[1, 1]");
        npz(
                Map.of("states", states, "actions", NpyArray.matrix(new int[] {1, 0}, 1, 2)),
                "states [0, 2]",
                "state is 2",
                "state 1",
                "action 0");
        npz(Map.of("states", NpyArray.matrix(new int[0], 0, 3)), "no trajectories");
        npz(Map.of("states", NpyArray.matrix(new int[0], 3, 0)), "no trajectories");
        npz(Map.of("actions", states), "'states'");
    }

    private void npz(Map<String, NpyArray> arrays, String... message) {
        Path file = folder.resolve("bad.npz");
        Npz.write(file, arrays);
        refused(
                () -> Trajectories.read(file, mdp),
                Stream.concat(Stream.of("bad.npz"), Stream.of(message)).toArray(String[]::new));
    }
}
