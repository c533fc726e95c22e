package dev.revealed.runs;

import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.Tensors;
import dev.revealed.numeric.Tensors.Tensor;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.ShortBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Named arrays in the safetensors format: the length of a header, the header (JSON: type, shape and place of each array),
 * the values. Same content, same bytes. Reads and writes F32, F64 and I64, and F16 as
 * single precision in memory; believes nothing it has not checked.
 */
public final class Safetensors {
    private static final String METADATA = "__metadata__";
    private static final int LONGEST_HEADER = 100_000_000; // the format's own limit
    private static final int CHUNK = 1 << 20;
    private static final String DAMAGED = "The file was cut short or damaged; write it again.";

    private Safetensors() {}

    /** What a file holds. */
    public record Content(Tensors tensors, Map<String, String> metadata) {}

    private enum Type {
        F16(2),
        F32(4),
        F64(8),
        I64(8);

        final int bytes;

        Type(int bytes) {
            this.bytes = bytes;
        }

        static Type of(Tensor tensor, boolean half) {
            return switch (tensor) {
                case Tensor.Floats floats -> half && floats.values().length > 1 ? F16 : F32;
                case Tensor.Doubles _ -> F64;
                case Tensor.Longs _ -> I64;
            };
        }
    }

    /** One array as the header describes it; {@code begin} and {@code end} count from the end of the header. */
    private record Entry(String name, Type type, int[] shape, int size, long begin, long end) {}

    /** Writes a file's bytes. */
    public static void write(OutputStream out, Tensors tensors, Map<String, String> metadata) throws IOException {
        write(out, tensors, metadata, false);
    }

    /** The same with arrays of single precision as F16, rounded to the nearest; those of one value stay as they are. */
    public static void writeHalf(OutputStream out, Tensors tensors, Map<String, String> metadata) throws IOException {
        write(out, tensors, metadata, true);
    }

    private static void write(OutputStream out, Tensors tensors, Map<String, String> metadata, boolean half)
            throws IOException {
        List<String> wideFirst = tensors.names().stream() // so that every array is aligned, whatever their lengths
                .sorted(Comparator.comparing(name -> -Type.of(tensors.get(name), half).bytes))
                .toList();
        Map<String, long[]> offsets = new LinkedHashMap<>();
        long end = 0;
        for (String name : wideFirst) {
            Tensor tensor = tensors.get(name);
            long begin = end;
            end += (long) size(tensor.shape()) * Type.of(tensor, half).bytes;
            offsets.put(name, new long[] {begin, end});
        }
        Map<String, Object> header = new LinkedHashMap<>();
        if (!metadata.isEmpty()) {
            header.put(METADATA, new TreeMap<>(metadata));
        }
        for (String name : tensors.names()) {
            Map<String, Object> entry = new LinkedHashMap<>();
            entry.put("dtype", Type.of(tensors.get(name), half).name());
            entry.put("shape", tensors.get(name).shape());
            entry.put("data_offsets", offsets.get(name));
            if (name.equals(METADATA)) {
                throw new IllegalArgumentException("no tensor can be called " + METADATA);
            }
            header.put(name, entry);
        }
        byte[] json = Json.line(header).getBytes(StandardCharsets.UTF_8);
        byte[] padded = Arrays.copyOf(json, (json.length + 7) / 8 * 8);
        Arrays.fill(padded, json.length, padded.length, (byte) ' ');
        byte[] chunk = new byte[CHUNK];
        ByteBuffer buffer =
                ByteBuffer.wrap(chunk).order(ByteOrder.LITTLE_ENDIAN).putLong(0, padded.length);
        out.write(chunk, 0, 8);
        out.write(padded);
        for (String name : wideFirst) {
            write(tensors.get(name), half, chunk, buffer, out);
        }
    }

    private static void write(Tensor tensor, boolean half, byte[] chunk, ByteBuffer buffer, OutputStream out)
            throws IOException {
        int size = size(tensor.shape());
        int bytes = Type.of(tensor, half).bytes;
        int perChunk = CHUNK / bytes;
        for (int at = 0; at < size; at += Math.min(perChunk, size - at)) {
            int count = Math.min(perChunk, size - at);
            switch (tensor) {
                case Tensor.Floats floats
                when Type.of(tensor, half) == Type.F16 -> {
                    ShortBuffer shorts = buffer.asShortBuffer();
                    for (int i = 0; i < count; i++) {
                        shorts.put(i, Float.floatToFloat16(floats.values()[at + i]));
                    }
                }
                case Tensor.Floats floats -> buffer.asFloatBuffer().put(floats.values(), at, count);
                case Tensor.Doubles doubles -> buffer.asDoubleBuffer().put(doubles.values(), at, count);
                case Tensor.Longs longs -> buffer.asLongBuffer().put(longs.values(), at, count);
            }
            out.write(chunk, 0, count * bytes);
        }
    }

    /** Reads a file, arrays in the order of its header. */
    public static Content read(Path file) {
        try (FileChannel channel = FileChannel.open(file)) {
            return read(channel);
        } catch (BadInput e) {
            throw e.in(file.toString());
        } catch (NoSuchFileException e) {
            throw new BadInput("there is no file " + file, "Check the name and the current folder.");
        } catch (EOFException e) {
            throw new BadInput(file + ": it became shorter while it was read", DAMAGED);
        } catch (IOException e) {
            throw new BadInput(
                    "%s: cannot be read (%s)".formatted(file, BadInput.reason(e)), "Check that you may read it.");
        }
    }

    private static Content read(FileChannel channel) throws IOException {
        long length = channel.size();
        if (length < 8) {
            throw notSafetensors("it has only %d bytes".formatted(length));
        }
        ByteBuffer buffer = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN);
        long headerLength = fill(channel, buffer, 0, 8).getLong();
        if (headerLength < 2 || headerLength > LONGEST_HEADER) {
            throw notSafetensors("its header would have %s bytes".formatted(Long.toUnsignedString(headerLength)));
        }
        long data = 8 + headerLength;
        if (data > length) {
            throw new BadInput("the header has %d bytes and the file only %d".formatted(headerLength, length), DAMAGED);
        }
        ByteBuffer text = fill(channel, ByteBuffer.allocate((int) headerLength), 8, (int) headerLength);
        if (text.get(0) != '{') {
            throw notSafetensors("its header does not begin with a brace");
        }
        Map<?, ?> header;
        try {
            header = Json.read(StandardCharsets.UTF_8.decode(text).toString(), Map.class);
        } catch (BadInput e) {
            throw new BadInput("the header is not a JSON object (%s)".formatted(e.problem()), DAMAGED);
        }
        Map<String, String> metadata = metadata(header.get(METADATA));
        List<Entry> entries = new ArrayList<>();
        header.forEach((name, value) -> {
            if (!METADATA.equals(name)) {
                entries.add(entry(String.valueOf(name), value));
            }
        });
        checkPlaces(entries, length - data);
        Tensors tensors = new Tensors();
        ByteBuffer chunk = ByteBuffer.allocate(CHUNK).order(ByteOrder.LITTLE_ENDIAN);
        for (Entry entry : entries) {
            tensors.put(entry.name, values(channel, chunk, data, entry));
        }
        return new Content(tensors, metadata);
    }

    private static Map<String, String> metadata(@Nullable Object value) {
        Map<String, String> metadata = new LinkedHashMap<>();
        if (value == null) {
            return metadata;
        }
        if (!(value instanceof Map<?, ?> map)) {
            throw new BadInput("the metadata is not a JSON object", DAMAGED);
        }
        map.forEach((key, text) -> {
            if (!(text instanceof String string)) {
                throw new BadInput("the metadata '%s' is not text".formatted(key), DAMAGED);
            }
            metadata.put(String.valueOf(key), string);
        });
        return metadata;
    }

    private static Entry entry(String name, @Nullable Object value) {
        if (!(value instanceof Map<?, ?> fields)
                || !(fields.get("dtype") instanceof String dtype)
                || !(fields.get("shape") instanceof List<?> lengths)
                || !(fields.get("data_offsets") instanceof List<?> offsets)
                || offsets.size() != 2) {
            throw bad(name, "its entry lacks dtype, shape or two data_offsets", DAMAGED);
        }
        Type type = Arrays.stream(Type.values())
                .filter(known -> known.name().equals(dtype))
                .findFirst()
                .orElseThrow(() -> bad(
                        name,
                        "it has the type '%s'".formatted(dtype),
                        "Save it as F16, F32, F64 or I64: these are read."));
        int[] shape = new int[lengths.size()];
        long size = 1;
        for (int d = 0; d < shape.length; d++) {
            long n = whole(name, lengths.get(d));
            size *= n; // each factor and the product so far are below 2^31
            if (n > Integer.MAX_VALUE || size > Integer.MAX_VALUE) {
                throw bad(name, "the shape %s is too large".formatted(lengths), "An array has below 2^31 values.");
            }
            shape[d] = (int) n;
        }
        long begin = whole(name, offsets.get(0));
        long end = whole(name, offsets.get(1));
        if (end - begin != size * type.bytes) {
            throw bad(
                    name,
                    "the shape %s of %s needs %d bytes and has %d"
                            .formatted(lengths, dtype, size * type.bytes, end - begin),
                    DAMAGED);
        }
        return new Entry(name, type, shape, (int) size, begin, end);
    }

    private static long whole(String name, @Nullable Object value) {
        if ((value instanceof Integer || value instanceof Long) && ((Number) value).longValue() >= 0) {
            return ((Number) value).longValue();
        }
        throw bad(name, "'%s' is no length or place".formatted(value), DAMAGED);
    }

    /** The format wants the arrays to follow each other without gaps or overlaps up to the end of the file. */
    private static void checkPlaces(List<Entry> entries, long length) {
        List<Entry> inPlace = entries.stream()
                .sorted(Comparator.comparingLong(Entry::begin).thenComparingLong(Entry::end))
                .toList();
        long at = 0;
        for (Entry entry : inPlace) {
            if (entry.begin != at) {
                throw bad(
                        entry.name,
                        "it begins at byte %d where %d is next: arrays %s"
                                .formatted(entry.begin, at, entry.begin < at ? "overlap" : "leave a gap"),
                        DAMAGED);
            }
            if (entry.end > length) {
                throw bad(
                        entry.name,
                        "it ends at byte %d of the values, of which there are %d".formatted(entry.end, length),
                        DAMAGED);
            }
            at = entry.end;
        }
        if (at != length) {
            throw new BadInput("%d bytes behind the last array".formatted(length - at), DAMAGED);
        }
    }

    private static Tensor values(FileChannel channel, ByteBuffer chunk, long data, Entry entry) throws IOException {
        Tensor tensor = switch (entry.type) {
            case F16, F32 -> new Tensor.Floats(entry.shape, new float[entry.size]);
            case F64 -> new Tensor.Doubles(entry.shape, new double[entry.size]);
            case I64 -> new Tensor.Longs(entry.shape, new long[entry.size]);
        };
        int perChunk = CHUNK / entry.type.bytes;
        long place = data + entry.begin;
        for (int at = 0; at < entry.size; at += Math.min(perChunk, entry.size - at)) {
            int count = Math.min(perChunk, entry.size - at);
            int bytes = count * entry.type.bytes;
            fill(channel, chunk, place, bytes);
            place += bytes;
            switch (tensor) {
                case Tensor.Floats floats
                when entry.type == Type.F16 -> {
                    ShortBuffer shorts = chunk.asShortBuffer();
                    for (int i = 0; i < count; i++) {
                        floats.values()[at + i] = Float.float16ToFloat(shorts.get(i));
                    }
                }
                case Tensor.Floats floats -> chunk.asFloatBuffer().get(floats.values(), at, count);
                case Tensor.Doubles doubles -> chunk.asDoubleBuffer().get(doubles.values(), at, count);
                case Tensor.Longs longs -> chunk.asLongBuffer().get(longs.values(), at, count);
            }
        }
        return tensor;
    }

    /** Reads so many bytes from a place of the file to the start of the buffer. */
    private static ByteBuffer fill(FileChannel channel, ByteBuffer buffer, long place, int bytes) throws IOException {
        buffer.clear().limit(bytes);
        while (buffer.hasRemaining()) {
            if (channel.read(buffer, place + buffer.position()) < 0) {
                throw new EOFException();
            }
        }
        return buffer.flip();
    }

    private static int size(int[] shape) {
        int size = 1;
        for (int n : shape) {
            size *= n;
        }
        return size;
    }

    private static BadInput bad(String name, String problem, String remedy) {
        return new BadInput("tensor '%s': %s".formatted(name, problem), remedy);
    }

    private static BadInput notSafetensors(String why) {
        return new BadInput("this is not a safetensors file: " + why, "Name a file that ends with .safetensors.");
    }
}
