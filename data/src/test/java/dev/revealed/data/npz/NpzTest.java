package dev.revealed.data.npz;

import static dev.revealed.data.Fixtures.numpy;
import static dev.revealed.data.Fixtures.refused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.revealed.data.npz.NpyArray.Integers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NpzTest {
    @TempDir
    private Path folder;

    @ParameterizedTest
    @CsvSource({"f8,3", "f8_big,3", "f8_fortran,3", "f4,4"})
    void readsFloats(String name, double divisor) {
        NpyArray array = Npz.read(numpy("dtypes.npz")).array(name);
        assertThat(array.shape()).containsExactly(2, 3);
        assertThat(array.numbers()).containsExactly(0, 1 / divisor, 2 / divisor, 3 / divisor, 4 / divisor, 5 / divisor);
    }

    @ParameterizedTest
    @CsvSource({
        "i1,1,-3",
        "i2,1000,-3",
        "i4,100000,-3",
        "i4_big_fortran,100000,-3",
        "i8,10000000000,-3",
        "u1,1,250",
        "u4,1,4294967290"
    })
    void readsIntegers(String name, long slope, long first) {
        Integers array = (Integers) Npz.read(numpy("dtypes.npz")).array(name);
        assertThat(array.shape()).containsExactly(2, 3);
        assertThat(array.values())
                .containsExactly(
                        first,
                        first + slope,
                        first + 2 * slope,
                        first + 3 * slope,
                        first + 4 * slope,
                        first + 5 * slope);
    }

    @Test
    void readsBooleansScalarsTextEmptyAndThreeDimensions() {
        Npz npz = Npz.read(numpy("dtypes.npz"));
        assertThat(npz.numbers("b1")).containsExactly(0, 1, 0, 1, 0, 1);
        assertThat(npz.array("scalar").shape()).isEmpty();
        assertThat(npz.numbers("scalar")).containsExactly(0.95);
        assertThat(npz.indices("scalar_int")).containsExactly(7);
        assertThat(npz.array("names").strings()).containsExactly("cost", "größe", "\uD83D\uDE00");
        assertThat(npz.array("empty").shape()).containsExactly(0, 3);
        int[] cube = npz.indices("cube_fortran");
        for (int i = 0; i < cube.length; i++) {
            assertThat(cube[i]).isEqualTo(i);
        }
    }

    @Test
    void readsVersionTwoHeaders() {
        assertThat(Npz.readNpy(numpy("version2.npy")).numbers()[5]).isEqualTo(5.0 / 3);
    }

    @Test
    void writesWhatItReads() {
        Map<String, NpyArray> arrays = new LinkedHashMap<>();
        double[] values = new double[20_000]; // several chunks
        Arrays.setAll(values, i -> Math.sqrt(i) * (i % 2 == 0 ? 1 : -1e-300));
        values[7] = Double.NEGATIVE_INFINITY;
        arrays.put("floats", new NpyArray.Floats(new int[] {100, 200}, values));
        arrays.put("integers", new Integers(new int[] {3}, new long[] {Long.MIN_VALUE, 0, Long.MAX_VALUE}));
        arrays.put("names", NpyArray.of(List.of("a", "größe", "\uD83D\uDE00x")));
        arrays.put("scalar", NpyArray.scalar(0.1));
        arrays.put("empty", NpyArray.of(new double[0]));
        Path file = folder.resolve("all.npz");
        Npz.write(file, arrays);

        Npz read = Npz.read(file);
        assertThat(read.names()).containsExactly("floats", "integers", "names", "scalar", "empty");
        assertThat(read.array("floats").shape()).containsExactly(100, 200);
        assertThat(read.numbers("floats")).containsExactly(values);
        assertThat(((Integers) read.array("integers")).values()).containsExactly(Long.MIN_VALUE, 0, Long.MAX_VALUE);
        assertThat(read.array("names").strings()).containsExactly("a", "größe", "\uD83D\uDE00x");
        assertThat(read.array("scalar").shape()).isEmpty();
        assertThat(read.numbers("empty")).isEmpty();

        Path single = folder.resolve("one.npy");
        Npz.writeNpy(single, NpyArray.of(1, 2, 3));
        assertThat(Npz.readNpy(single).numbers()).containsExactly(1, 2, 3);
    }

    @Test
    void sameContentGivesTheSameBytes() throws IOException {
        Map<String, NpyArray> arrays = Map.of("x", NpyArray.of(1.0, 2.0));
        Npz.write(folder.resolve("a.npz"), arrays);
        Npz.write(folder.resolve("b.npz"), arrays);
        assertThat(folder.resolve("a.npz")).hasSameBinaryContentAs(folder.resolve("b.npz"));
    }

    @ParameterizedTest
    @CsvSource({"object.npz,things,|O", "complex.npz,waves,<c16", "structured.npz,table,<i4", "half.npz,halves,<f2"})
    void refusesOtherTypes(String file, String array, String dtype) {
        refused(() -> Npz.read(numpy(file)), file, "array " + array, dtype);
    }

    @Test
    void refusesAnArrayThatWasCut() {
        refused(() -> Npz.read(numpy("short.npz")), "short.npz", "array cut", "176", "171");
    }

    @Test
    void refusesFilesThatAreCutOrNotZip() throws IOException {
        byte[] whole = Files.readAllBytes(numpy("process.npz"));
        Path cut = Files.write(folder.resolve("cut.npz"), Arrays.copyOf(whole, whole.length / 2));
        refused(() -> Npz.read(cut), "cut.npz", "not a whole NPZ");
        Path text = Files.writeString(folder.resolve("text.npz"), "state,action\n");
        refused(() -> Npz.read(text), "text.npz", "not a whole NPZ");
        Path empty = Files.writeString(folder.resolve("empty.npz"), "");
        refused(() -> Npz.read(empty), "empty.npz");
        refused(() -> Npz.read(folder.resolve("absent.npz")), "absent.npz", "no such file");
        refused(() -> Npz.readNpy(text), "text.npz", "not a NumPy array");
        byte[] array = Files.readAllBytes(numpy("version2.npy"));
        Path cutArray = Files.write(folder.resolve("cut.npy"), Arrays.copyOf(array, 20));
        refused(() -> Npz.readNpy(cutArray), "cut.npy", "cut short");
    }

    @Test
    void refusesDamagedValues() throws IOException {
        byte[] bytes = Files.readAllBytes(numpy("trajectories.npz")); // stored, so values lie open
        for (int i = 0; i < bytes.length - 8; i++) {
            if (bytes[i] == '\n' && bytes[i - 1] == ' ') { // the end of the first header
                bytes[i + 1] ^= 1;
                break;
            }
        }
        Path damaged = Files.write(folder.resolve("damaged.npz"), bytes);
        refused(() -> Npz.read(damaged), "damaged.npz", "array states", "checksum");
    }

    @Test
    void refusesIndicesThatAreNone() {
        Npz.write(
                folder.resolve("x.npz"),
                Map.of("floats", NpyArray.of(0.5), "negative", NpyArray.of(3, -1), "names", NpyArray.of(List.of("a"))));
        Npz npz = Npz.read(folder.resolve("x.npz"));
        refused(() -> npz.indices("floats"), "x.npz", "array floats", "integers");
        refused(() -> npz.indices("negative"), "x.npz", "array negative", "entry 1", "-1");
        refused(() -> npz.numbers("names"), "x.npz", "array names");
        refused(() -> npz.array("float"), "x.npz", "'float'", "Rename 'floats'?");
    }
}
