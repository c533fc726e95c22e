package dev.revealed.data.npz;

import dev.revealed.data.AtomicFile;
import dev.revealed.data.Csv;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.Closest;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.zip.CRC32;
import java.util.zip.CheckedInputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

/** The arrays of a NumPy archive (.npz), by name; also single arrays (.npy). Complaints name file and array. */
public record Npz(Path file, Map<String, NpyArray> arrays) {
    private static final String ENDING = ".npy";
    private static final LocalDateTime NO_TIME =
            LocalDateTime.of(1980, 1, 1, 0, 0); // as NumPy: same content, same bytes

    public Npz {
        arrays = Collections.unmodifiableMap(arrays);
    }

    public static Npz read(Path file) {
        return read(file, Set.of());
    }

    /** @param without arrays that are left unread, such as those of Python's objects */
    public static Npz read(Path file, Set<String> without) {
        Map<String, NpyArray> arrays = new LinkedHashMap<>();
        try (ZipFile zip = new ZipFile(file.toFile())) {
            for (ZipEntry entry : Collections.list(zip.entries())) {
                String name = entry.getName();
                BadInput.when(
                        !name.endsWith(ENDING),
                        "%s: holds '%s', which is not an array".formatted(file, name),
                        "Write the file with numpy.savez.");
                String array = name.substring(0, name.length() - ENDING.length());
                if (!without.contains(array)) {
                    arrays.put(array, read(file, array, zip, entry));
                }
            }
        } catch (ZipException e) {
            throw new BadInput(
                    "%s: this is not a whole NPZ file (%s)".formatted(file, e.getMessage()),
                    "It was cut short or is something else; write it again with numpy.savez.");
        } catch (IOException e) {
            throw Csv.unreadable(file, e);
        }
        return new Npz(file, arrays);
    }

    private static NpyArray read(Path file, String array, ZipFile zip, ZipEntry entry) throws IOException {
        CRC32 sum = new CRC32();
        try (InputStream in = new CheckedInputStream(zip.getInputStream(entry), sum)) {
            NpyArray read = NpyCodec.read(in, entry.getSize());
            if (entry.getCrc() >= 0 && entry.getCrc() != sum.getValue()) { // ZipFile leaves this check to us
                throw new BadInput("the checksum is wrong", "The file is damaged; write it again.");
            }
            return read;
        } catch (BadInput e) {
            throw e.in(file + ", array " + array);
        } catch (EOFException | ZipException e) {
            throw new BadInput(
                    "%s, array %s: cut short or damaged (%s)".formatted(file, array, e.getMessage()),
                    "Write the file again with numpy.savez.");
        }
    }

    /** Reads a single array. */
    public static NpyArray readNpy(Path file) {
        try (InputStream in = new BufferedInputStream(Files.newInputStream(file))) {
            return NpyCodec.read(in, Files.size(file));
        } catch (BadInput e) {
            throw e.in(file.toString());
        } catch (EOFException e) {
            throw new BadInput(file + ": cut short, " + e.getMessage(), "Write the file again with numpy.save.");
        } catch (IOException e) {
            throw Csv.unreadable(file, e);
        }
    }

    /** Writes arrays, compressed; the file appears only when it is whole. */
    public static void write(Path file, Map<String, NpyArray> arrays) {
        AtomicFile.write(file, out -> {
            ZipOutputStream zip = new ZipOutputStream(out);
            for (Map.Entry<String, NpyArray> array : arrays.entrySet()) {
                ZipEntry entry = new ZipEntry(array.getKey() + ENDING);
                entry.setTimeLocal(NO_TIME);
                zip.putNextEntry(entry);
                NpyCodec.write(zip, array.getValue());
                zip.closeEntry();
            }
            zip.finish();
        });
    }

    /** Writes a single array. */
    public static void writeNpy(Path file, NpyArray array) {
        AtomicFile.write(file, out -> NpyCodec.write(out, array));
    }

    public Set<String> names() {
        return arrays.keySet();
    }

    public boolean has(String name) {
        return arrays.containsKey(name);
    }

    public NpyArray array(String name) {
        NpyArray array = arrays.get(name);
        if (array == null) {
            throw new BadInput(
                    "%s: there is no array '%s'".formatted(file, name),
                    Closest.question("Rename '%s'? ", name, names()) + "The file has " + String.join(", ", names())
                            + ".");
        }
        return array;
    }

    /** The values of an array as finite or not finite numbers. */
    public double[] numbers(String name) {
        return of(name, NpyArray::numbers);
    }

    /** What is made of an array; complaints name file and array. */
    public <T> T of(String name, Function<NpyArray, T> made) {
        NpyArray array = array(name);
        return BadInput.placed(file + ", array " + name, () -> made.apply(array));
    }

    /** The values of an array of integers that number something: 0 to 2^31-1. */
    public int[] indices(String name) {
        if (!(array(name) instanceof NpyArray.Integers integers)) {
            throw bad(name, "the array does not hold integers", "Save it with .astype(int).");
        }
        int[] indices = new int[integers.size()];
        for (int i = 0; i < indices.length; i++) {
            long value = integers.values()[i];
            if (value < 0 || value > Integer.MAX_VALUE) {
                throw bad(name, "entry %d is %d".formatted(i, value), "Give whole numbers from 0.");
            }
            indices[i] = (int) value;
        }
        return indices;
    }

    /** Refuses arrays of other names. */
    public Npz only(List<String> known) {
        for (String name : names()) {
            Closest.place("%s: unknown array '%s'".formatted(file, name), name, known, "The arrays are");
        }
        return this;
    }

    public void badWhen(boolean wrong, String array, String problem, String remedy) {
        BadInput.when(wrong, "%s, array %s: %s".formatted(file, array, problem), remedy);
    }

    /** A complaint with file and array in front. */
    public BadInput bad(String array, String problem, String remedy) {
        return new BadInput(problem, remedy).in(file + ", array " + array);
    }
}
