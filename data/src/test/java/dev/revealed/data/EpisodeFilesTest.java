package dev.revealed.data;

import static dev.revealed.data.Fixtures.numpy;
import static dev.revealed.data.Fixtures.refused;
import static dev.revealed.data.Fixtures.shared;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.revealed.data.npz.NpyArray;
import dev.revealed.data.npz.Npz;
import dev.revealed.mdp.Episode;
import dev.revealed.mdp.Episode.Ending;
import dev.revealed.mdp.Episodes;
import dev.revealed.mdp.Simulator;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.RandomStream;
import io.jhdf.HdfFile;
import io.jhdf.WritableHdfFile;
import io.jhdf.api.WritableGroup;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EpisodeFilesTest {
    private static final Simulator.Space HOPPER =
            new Simulator.Space("hopper", 11, new Simulator.Actions.Box(3, 1), 1000);

    @TempDir
    private Path folder;

    private static Episodes episodes(int... lengths) {
        RandomStream stream = RandomStream.of(5);
        return new Episodes(Arrays.stream(lengths)
                .mapToObj(length -> {
                    float[] observations = new float[3 * (length + 1)];
                    float[] actions = new float[2 * length];
                    for (int i = 0; i < observations.length; i++) {
                        observations[i] = (float) stream.nextGaussian();
                    }
                    for (int i = 0; i < actions.length; i++) {
                        actions[i] = (float) stream.nextDouble();
                    }
                    Ending ending = length % 2 == 0 ? Ending.TERMINATED : Ending.TRUNCATED;
                    return new Episode(
                            length,
                            observations,
                            actions,
                            stream.doubles(length).toArray(),
                            ending);
                })
                .toList());
    }

    /** The mean returns are those of the table in the shared folder's own description. */
    @ParameterizedTest
    @CsvSource({
        "hopper, 10, 1000, 11, 3, 1, 3480",
        "hopper-firl, 10, 999, 11, 3, 1, NaN",
        "halfcheetah, 10, 1000, 17, 6, 1, 4240",
        "halfcheetah-strong, 10, 1000, 17, 6, 1, 15705",
        "walker2d, 10, 1000, 17, 6, 1, 5747",
        "ant, 10, 1000, 111, 8, 1, 6626",
        "humanoid, 5, 1000, 376, 17, 0.4, 10397"
    })
    void readsTheSharedDemonstrations(String name, int n, int steps, int d, int m, float bound, double mean) {
        Path file = shared("demos/" + name + ".npz");
        Episodes read =
                EpisodeFiles.read(file, new Simulator.Space(name, d, new Simulator.Actions.Box(m, bound), 1000));
        assertThat(read.size()).isEqualTo(n);
        assertThat(read.all()).allMatch(e -> e.length() == steps);
        assertThat(read.hasRewards()).isEqualTo(!Double.isNaN(mean));
        if (read.hasRewards()) {
            assertThat(read.meanReturn()).isCloseTo(mean, within(0.5)); // the table has no decimals
            assertThat(read.all()).allMatch(e -> e.ending() == Ending.TRUNCATED);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"x.npz", "x.hdf5", "x.h5", "X.NPZ"})
    void whatIsWrittenIsRead(String name) {
        Path file = folder.resolve(name);
        for (Episodes written : List.of(episodes(4, 4), episodes(7), episodes(5, 1, 8))) {
            EpisodeFiles.write(file, written);
            assertThat(EpisodeFiles.read(file).hash()).isEqualTo(written.hash());
        }
        Episodes bare = new Episodes(List.of(new Episode(2, new float[] {1, 2, 3}, null, null, Ending.UNKNOWN)));
        EpisodeFiles.write(file, bare);
        assertThat(EpisodeFiles.read(file).hash()).isEqualTo(bare.hash());
    }

    /** D4RL's layout keeps lengths, endings and the observation after a last step. */
    @Test
    void aLogIsReadAsItWasWritten() {
        Path file = folder.resolve("log.hdf5");
        Episodes written = episodes(5, 1, 8);
        EpisodeFiles.writeLog(file, written, "hopper");
        assertThat(EpisodeFiles.taskOf(file)).contains("hopper");
        Episodes read = EpisodeFiles.readUnrewarded(file);
        assertThat(read.hasRewards()).isFalse();
        for (int i = 0; i < written.size(); i++) {
            Episode one = written.all().get(i);
            Episode other = read.all().get(i);
            assertThat(other.observations()).isEqualTo(one.observations());
            assertThat(other.actions()).isEqualTo(one.actions());
            assertThat(other.ending() == Ending.TERMINATED).isEqualTo(one.ending() == Ending.TERMINATED);
        }
        assertThat(EpisodeFiles.read(file).hasRewards()).isTrue();
    }

    /** As files without next observations have it: what came of a last step is not known. */
    @Test
    void withoutNextObservationsLastStepsAreLeftOut() {
        Path file = folder.resolve("old.hdf5");
        try (WritableHdfFile hdf = HdfFile.write(file)) {
            hdf.putDataset("observations", new float[][] {{0}, {1}, {2}, {10}, {11}, {20}});
            hdf.putDataset("actions", new float[][] {{0.1f}, {0.2f}, {0.3f}, {0.4f}, {0.5f}, {0.6f}});
            hdf.putDataset("rewards", new float[] {1, 1, 1, 1, 1, 1});
            hdf.putDataset("terminals", new boolean[] {false, false, true, false, false, false});
            hdf.putDataset("timeouts", new boolean[] {false, false, false, false, true, false});
        }
        Episodes read = EpisodeFiles.read(file);
        assertThat(read.all()).extracting(Episode::length).containsExactly(2, 1);
        assertThat(read.all().get(0).observations()).containsExactly(0, 1, 2);
        assertThat(read.all().get(1).actions()).containsExactly(0.4f);
        assertThat(read.all()).allMatch(e -> e.ending() == Ending.TRUNCATED);
    }

    /** Without timeouts a reset shows in that the next row does not begin where the last one led. */
    @Test
    void aResetEndsAnEpisodeWithoutTimeouts() {
        Path file = folder.resolve("reset.hdf5");
        try (WritableHdfFile hdf = HdfFile.write(file)) {
            hdf.putDataset("observations", new float[][] {{0}, {1}, {10}, {11}, {12}});
            hdf.putDataset("next_observations", new float[][] {{1}, {2}, {11}, {12}, {13}});
            hdf.putDataset("actions", new float[][] {{0.1f}, {0.2f}, {0.3f}, {0.4f}, {0.5f}});
            hdf.putDataset("terminals", new boolean[] {false, false, false, false, true});
        }
        Episodes read = EpisodeFiles.read(file);
        assertThat(read.all()).hasSize(2);
        assertThat(read.all().get(0).observations()).containsExactly(0, 1, 2);
        assertThat(read.all().get(1).observations()).containsExactly(10, 11, 12, 13);
        assertThat(read.all()).extracting(Episode::ending).containsExactly(Ending.TRUNCATED, Ending.TERMINATED);
    }

    @Test
    void aLogOfAnotherTaskIsRefused() {
        Path file = folder.resolve("log.hdf5");
        EpisodeFiles.writeLog(file, episodes(3), "walker2d");
        refused(
                () -> EpisodeFiles.readUnrewarded(file, HOPPER),
                "log.hdf5: the log is of walker2d, and the task is hopper",
                "Name a log of hopper");
    }

    /** Rewards that are no numbers change nothing, since they are not read. */
    @Test
    void unrewardedEpisodesDoNotDependOnRewards() {
        Path file = folder.resolve("x.npz");
        EpisodeFiles.write(file, episodes(5, 1, 8));
        String hash = EpisodeFiles.readUnrewarded(file).hash();
        Npz npz = Npz.read(file);
        double[] nan = new double[npz.numbers("rewards").length];
        Arrays.fill(nan, Double.NaN);
        Map<String, NpyArray> arrays = new LinkedHashMap<>();
        for (String name : List.of("observations", "actions", "terminations", "lengths")) {
            arrays.put(name, npz.array(name));
        }
        arrays.put("rewards", new NpyArray.Floats(npz.array("rewards").shape(), nan));
        Npz.write(file, arrays);
        assertThat(EpisodeFiles.readUnrewarded(file).hash()).isEqualTo(hash);
    }

    /** The same in Minari's layout and in D4RL's. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void unrewardedHdf5DoesNotDependOnRewards(boolean flat) {
        List<String> hashes = new ArrayList<>();
        for (float reward : new float[] {1, Float.NaN}) {
            Path file = folder.resolve("x.hdf5");
            try (WritableHdfFile hdf = HdfFile.write(file)) {
                WritableGroup group = flat ? hdf : hdf.putGroup("episode_0");
                group.putDataset("observations", flat ? new float[][] {{0}, {1}} : new float[][] {{0}, {1}, {2}});
                if (flat) {
                    group.putDataset("next_observations", new float[][] {{1}, {2}});
                }
                group.putDataset("actions", new float[][] {{0.1f}, {0.2f}});
                group.putDataset("rewards", new float[] {reward, reward});
                group.putDataset(flat ? "terminals" : "terminations", new boolean[] {false, true});
            }
            hashes.add(EpisodeFiles.readUnrewarded(file).hash());
            if (Float.isNaN(reward)) {
                refused(() -> EpisodeFiles.read(file), "rewards are NaN");
            }
        }
        assertThat(hashes.get(1)).isEqualTo(hashes.get(0));
    }

    @ParameterizedTest
    @ValueSource(strings = {"npz", "hdf5"})
    void sameEpisodesSameBytes(String ending) {
        EpisodeFiles.write(folder.resolve("a." + ending), episodes(3, 2));
        EpisodeFiles.write(folder.resolve("b." + ending), episodes(3, 2));
        assertThat(folder.resolve("a." + ending)).hasSameBinaryContentAs(folder.resolve("b." + ending));
        assertThat(folder).isDirectoryNotContaining("glob:**.revealed-tmp");
    }

    @Test
    void singlePrecisionStaysSoInTheFile() {
        EpisodeFiles.write(folder.resolve("x.npz"), episodes(3, 2));
        Npz npz = Npz.read(folder.resolve("x.npz"));
        assertThat(npz.array("observations")).isInstanceOf(NpyArray.Singles.class);
        assertThat(npz.array("observations").shape()).containsExactly(2, 4, 3);
        assertThat(npz.array("actions").shape()).containsExactly(2, 3, 2);
        assertThat(npz.indices("lengths")).containsExactly(3, 2);
        assertThat(npz.numbers("observations")[23]).isNaN(); // beyond the second trajectory
        assertThat(npz.numbers("terminations")).containsExactly(0, 0, 0, 0, 1, 0);
    }

    @Test
    void readsWhatH5pyWrote() {
        Episodes read = EpisodeFiles.read(numpy("minari.hdf5"));
        assertThat(read.size()).isEqualTo(2);
        assertThat(read.all().get(0).observations()).containsExactly(0, 1, 2, 3, 4, 5, 6, 7);
        assertThat(read.all().get(1).observations()).containsExactly(10, 11, 12, 13, 14, 15);
        assertThat(read.all().get(1).actions()).containsExactly(0.5f, 0.5f);
        assertThat(read.meanReturn()).isEqualTo(2);
        assertThat(read.all()).extracting(Episode::ending).containsExactly(Ending.TERMINATED, Ending.TRUNCATED);
    }

    /** The newest format of HDF5 1.10, with both kinds of index of chunks, as its library wrote it. */
    @ParameterizedTest
    @ValueSource(strings = {"latest-1.10-fixed.hdf5", "latest-1.10-extensible.hdf5"})
    void readsTheNewestFormatThatIsKnown(String name) {
        Episodes read = EpisodeFiles.read(numpy(name));
        assertThat(read.all().get(1).observations()).containsExactly(1, 1.5f, 2, 2.5f, 3, 3.5f, 4, 4.5f);
        assertThat(read.all().get(1).actions()).containsExactly(0, 0.25f, 0.5f);
        assertThat(read.all()).extracting(Episode::ending).containsExactly(Ending.TRUNCATED, Ending.TERMINATED);
    }

    /** HDF5 1.12 gave booleans another version in its newest format; a superblock of version 4 is not known yet. */
    @Test
    void formatsThatAreNotKnownAreNotCalledDamaged() throws IOException {
        refused(
                () -> EpisodeFiles.read(numpy("latest-1.12.hdf5")),
                "latest-1.12.hdf5: this HDF5 file is of a version, or has a part, that is not read (Unrecognized datatype"
                        + " version '4' detected)",
                "libver='earliest'");
        Path file = folder.resolve("x.hdf5");
        EpisodeFiles.write(file, episodes(3, 2));
        byte[] bytes = Files.readAllBytes(file);
        bytes[8] = 4; // after the signature
        Files.write(file, bytes);
        refused(() -> EpisodeFiles.read(file), "x.hdf5: this HDF5 file is of a version", "version = 4");
    }

    private Path npz(Map<String, NpyArray> arrays) {
        Npz.write(folder.resolve("bad.npz"), arrays);
        return folder.resolve("bad.npz");
    }

    private static NpyArray zeros(int... shape) {
        return new NpyArray.Singles(shape, new float[NpyArray.size(shape)]);
    }

    @Test
    void theWrongWidthIsRefused() {
        Path file = npz(Map.of("observations", zeros(1, 3, 17), "actions", zeros(1, 2, 6)));
        refused(
                () -> EpisodeFiles.read(file, HOPPER),
                "bad.npz: observations have 17 columns where hopper needs 11",
                "`task`");
        Path other = npz(Map.of("observations", zeros(1, 3, 11), "actions", zeros(1, 2, 6)));
        refused(() -> EpisodeFiles.read(other, HOPPER), "bad.npz: actions have 6 columns where hopper needs 3");
    }

    @Test
    void actionsOutOfBoundsAreRefused() {
        NpyArray.Singles actions = new NpyArray.Singles(new int[] {2, 2, 3}, new float[12]);
        actions.values()[10] = -1.5f;
        Path file = npz(Map.of("observations", zeros(2, 3, 11), "actions", actions));
        refused(
                () -> EpisodeFiles.read(file, HOPPER),
                "bad.npz: actions are -1.5 at trajectory 1, step 1, column 1, outside -1.0..1.0");
    }

    @Test
    void whatIsNotFiniteIsRefused() {
        NpyArray.Singles observations = new NpyArray.Singles(new int[] {2, 3, 2}, new float[12]);
        observations.values()[11] = Float.NaN;
        refused(
                () -> EpisodeFiles.read(npz(Map.of("observations", observations))),
                "bad.npz, trajectory 1: observations are NaN at step 2, column 1",
                "length");
        NpyArray large = new NpyArray.Floats(new int[] {1, 2, 1}, new double[] {0, 1e300});
        refused(() -> EpisodeFiles.read(npz(Map.of("observations", large))), "observations are Infinity at step 1");
        Map<String, NpyArray> shorter = Map.of("observations", observations, "lengths", NpyArray.of(2, 1));
        assertThat(EpisodeFiles.read(npz(shorter)).steps()).isEqualTo(3);
    }

    @Test
    void arraysThatDoNotFitAreRefused() {
        NpyArray observations = zeros(2, 3, 2);
        refused(
                () -> EpisodeFiles.read(npz(Map.of("observations", observations, "actions", zeros(2, 3, 1)))),
                "bad.npz, array actions: the shape is [2, 3, 1] where observations have [2, 3, 2]",
                "n x T actions x columns");
        refused(
                () -> EpisodeFiles.read(npz(Map.of("observations", observations, "rewards", zeros(3, 2)))),
                "array rewards: the shape is [3, 2]");
        refused(() -> EpisodeFiles.read(npz(Map.of("observations", zeros(3, 2)))), "the shape is [3, 2]");
        refused(() -> EpisodeFiles.read(npz(Map.of("observations", zeros(0, 3, 2)))), "the shape is [0, 3, 2]");
        refused(
                () -> EpisodeFiles.read(npz(Map.of("observations", observations, "lengths", NpyArray.of(2, 3)))),
                "array lengths: trajectory 1 has 3 steps, outside 1..2");
        refused(
                () -> EpisodeFiles.read(npz(Map.of("observations", observations, "lengths", NpyArray.of(2)))),
                "array lengths: it has 1 entries for 2");
        refused(
                () -> EpisodeFiles.read(npz(Map.of(
                        "observations", observations, "terminations", NpyArray.matrix(new int[] {0, 0, 1, 0}, 2, 2)))),
                "trajectory 1: terminations say that it ended at step 0, but it has 2 steps");
    }

    @Test
    void missingAndUnknownArraysAreToldByName() {
        refused(
                () -> EpisodeFiles.read(npz(Map.of("observation", zeros(1, 2, 1)))),
                "unknown array 'observation'",
                "'observations'");
        refused(() -> EpisodeFiles.read(npz(Map.of("actions", zeros(1, 2, 1)))), "there is no array 'observations'");
    }

    private Path hdf(Map<String, Object> arrays) {
        Path file = folder.resolve("bad.hdf5");
        try (WritableHdfFile hdf = HdfFile.write(file)) {
            WritableGroup group = hdf.putGroup("episode_0");
            arrays.forEach(group::putDataset);
        }
        return file;
    }

    @Test
    void badHdf5IsRefused() throws IOException {
        float[][] observations = new float[4][2];
        refused(
                () -> EpisodeFiles.read(hdf(Map.of("observations", observations, "actions", new float[4][1]))),
                "bad.hdf5: episode_0: actions has 4 rows and observations have 4");
        refused(
                () -> EpisodeFiles.read(hdf(Map.of("observation", observations))),
                "episode_0: there is no array 'observations'",
                "Rename 'observation'?");
        observations[2][1] = Float.POSITIVE_INFINITY;
        refused(
                () -> EpisodeFiles.read(hdf(Map.of("observations", observations))),
                "bad.hdf5: episode_0: observations are Infinity at step 2, column 1");
        refused(() -> EpisodeFiles.read(hdf(Map.of("observations", new float[3]))), "observations has the shape [3]");
        Path text = Files.writeString(folder.resolve("text.hdf5"), "not at all");
        refused(() -> EpisodeFiles.read(text), "text.hdf5", "not a whole HDF5 file");
        Path empty = folder.resolve("empty.hdf5");
        HdfFile.write(empty).close();
        refused(() -> EpisodeFiles.read(empty), "there is no group episode_0");
        refused(() -> EpisodeFiles.read(folder.resolve("absent.hdf5")), "there is no file");
        refused(() -> EpisodeFiles.read(folder.resolve("demo.csv")), "demo.csv", ".npz or .hdf5");
    }

    @Test
    void aCutHdf5FileIsRefused() throws IOException {
        Path file = folder.resolve("x.hdf5");
        EpisodeFiles.write(file, episodes(3, 2));
        byte[] whole = Files.readAllBytes(file);
        for (int length = 0; length < whole.length - 1; length += 97) {
            Files.write(file, Arrays.copyOf(whole, length));
            refused(() -> EpisodeFiles.read(file), "x.hdf5");
        }
    }

    @Test
    void choicesMayBeWithoutColumns() {
        Map<String, Object> arrays = new LinkedHashMap<>();
        arrays.put("observations", new float[3][2]);
        arrays.put("actions", new long[] {1, 2});
        Episodes read =
                EpisodeFiles.read(hdf(arrays), new Simulator.Space("car", 2, new Simulator.Actions.Choices(3), 200));
        assertThat(read.all().getFirst().actions()).containsExactly(1, 2);
    }

    /** Two trajectories of two and one steps, as numpy.savez of the package imitation had them, its objects included. */
    @Test
    void filesOfThePackageImitationAreRead() {
        Path file = folder.resolve("imitation.npz");
        Map<String, NpyArray> arrays = new LinkedHashMap<>();
        arrays.put("obs", new NpyArray.Floats(new int[] {5, 1}, new double[] {1, 2, 3, 10, 20}));
        arrays.put("acts", new NpyArray.Floats(new int[] {3, 1}, new double[] {0.1, 0.2, 0.3}));
        arrays.put("rews", new NpyArray.Floats(new int[] {3}, new double[] {5, 6, 7}));
        arrays.put("terminal", new NpyArray.Integers(new int[] {2}, new long[] {0, 1}));
        arrays.put("indices", new NpyArray.Integers(new int[] {1}, new long[] {2}));
        arrays.put("infos", NpyArray.of(List.of("never read")));
        Npz.write(file, arrays);
        List<Episode> all = EpisodeFiles.read(file).all();
        assertThat(all).hasSize(2);
        assertThat(all.getFirst().observations()).containsExactly(1, 2, 3);
        assertThat(all.getFirst().rewards()).containsExactly(5, 6);
        assertThat(all.getFirst().ending()).isEqualTo(Episode.Ending.TRUNCATED);
        assertThat(all.getLast().observations()).containsExactly(10, 20);
        assertThat(all.getLast().actions()).containsExactly(0.3f);
        assertThat(all.getLast().ending()).isEqualTo(Episode.Ending.TERMINATED);
        arrays.put("indices", new NpyArray.Integers(new int[] {1}, new long[] {7}));
        Npz.write(file, arrays);
        assertThatThrownBy(() -> EpisodeFiles.read(file))
                .isInstanceOf(BadInput.class)
                .hasMessageContaining("trajectory 0 goes from step 0 to 7 of 3");
    }
}
