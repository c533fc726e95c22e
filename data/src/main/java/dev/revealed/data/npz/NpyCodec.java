package dev.revealed.data.npz;

import dev.revealed.numeric.BadInput;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.function.ObjIntConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** One array in NumPy's format: magic, version, a header that is a Python literal, raw values. */
final class NpyCodec {
    private static final byte[] MAGIC = {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y'};
    private static final int CHUNK = 1 << 16; // bytes; a multiple of every item size but that of strings
    private static final int LONGEST_HEADER = 1 << 20;

    private static final Pattern DESCR = Pattern.compile("'descr'\\s*:\\s*('([^']*)'|\\[.*?\\])");
    private static final Pattern FORTRAN = Pattern.compile("'fortran_order'\\s*:\\s*(True|False)");
    private static final Pattern SHAPE = Pattern.compile("'shape'\\s*:\\s*\\(([^)]*)\\)");
    private static final Pattern TYPE = // byte order, kind, and a width that this kind has
            Pattern.compile("([<>|=])(f(?=[48]$)|[iu](?=[1248]$)|b(?=1$)|U)(\\d{1,6})");

    private NpyCodec() {}

    /** What the header says. */
    private record Header(ByteOrder order, char kind, int bytes, boolean fortran, int[] shape) {}

    /** Reads an array; {@code length} is what the container says about the bytes to come, negative where it does not. */
    static NpyArray read(InputStream in, long length) throws IOException {
        byte[] start = exactly(in, 8);
        BadInput.when(
                !Arrays.equals(MAGIC, Arrays.copyOf(start, MAGIC.length)),
                "this is not a NumPy array",
                "Write it with numpy.save or numpy.savez.");
        BadInput.when(
                start[6] < 1 || start[6] > 3,
                "NPY format version %d.%d".formatted(start[6], start[7]),
                "Versions 1 to 3 can be read.");
        int lengthBytes = start[6] == 1 ? 2 : 4;
        ByteBuffer headerLength = ByteBuffer.wrap(Arrays.copyOf(exactly(in, lengthBytes), 4));
        int bytes = headerLength.order(ByteOrder.LITTLE_ENDIAN).getInt();
        BadInput.when(
                bytes < 0 || bytes > LONGEST_HEADER,
                "a header of %d bytes".formatted(bytes),
                "The file is damaged; write it again.");
        Header header = header(new String(exactly(in, bytes), StandardCharsets.UTF_8));
        int size = NpyArray.size(header.shape);
        long expected = 8L + lengthBytes + bytes + (long) size * header.bytes;
        if (length >= 0 && length != expected) { // before memory is taken for what may be a lie
            throw new BadInput(
                    "the header says %d bytes, and there are %d".formatted(expected, length),
                    "The file was cut short or damaged; write it again.");
        }
        return values(in, header, size);
    }

    private static Header header(String text) {
        Matcher descr = DESCR.matcher(text);
        Matcher fortran = FORTRAN.matcher(text);
        Matcher shape = SHAPE.matcher(text);
        BadInput.when(
                !descr.find() || !fortran.find() || !shape.find(),
                "the header is '%s'".formatted(text.strip()),
                "The file is damaged; write it again.");
        String dtype = descr.group(2) == null ? descr.group(1) : descr.group(2);
        Matcher type = TYPE.matcher(dtype);
        BadInput.when(
                !type.matches(),
                "the array has dtype '%s'".formatted(dtype),
                "Use float32, float64, integers, booleans or, for names, strings (.astype before saving).");
        char kind = type.group(2).charAt(0);
        int width = Integer.parseInt(type.group(3));
        try {
            int[] lengths = Arrays.stream(shape.group(1).split(",", -1))
                    .map(String::strip)
                    .filter(part -> !part.isEmpty())
                    .mapToInt(Integer::parseInt)
                    .toArray();
            return new Header(
                    type.group(1).equals(">") ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN,
                    kind,
                    kind == 'U' ? 4 * width : width,
                    fortran.group(1).equals("True"),
                    lengths);
        } catch (NumberFormatException e) {
            throw new BadInput("the shape is (%s)".formatted(shape.group(1)), "At most 2^31-1 values can be read.");
        }
    }

    private static NpyArray values(InputStream in, Header header, int size) throws IOException {
        return switch (header.kind) {
            case 'f' -> {
                if (header.bytes == 4) {
                    float[] values = new float[size];
                    decode(in, header, size, (buffer, k) -> values[k] = buffer.getFloat());
                    yield new NpyArray.Singles(header.shape, values);
                }
                double[] values = new double[size];
                decode(in, header, size, (buffer, k) -> values[k] = buffer.getDouble());
                yield new NpyArray.Floats(header.shape, values);
            }
            case 'U' -> {
                String[] values = new String[size];
                decode(in, header, size, (buffer, k) -> values[k] = string(buffer, header.bytes / 4));
                yield new NpyArray.Text(header.shape, List.of(values));
            }
            default -> {
                long[] values = new long[size];
                decode(in, header, size, (buffer, k) -> values[k] = integer(buffer, header));
                yield new NpyArray.Integers(header.shape, values);
            }
        };
    }

    /**
     * Reads the values, a few thousand at a time and never a part of one.
     *
     * @param element takes the next value of a buffer, whose place in C order it is given
     */
    private static void decode(InputStream in, Header header, int size, ObjIntConsumer<ByteBuffer> element)
            throws IOException {
        if (header.bytes == 0 && size > 0) { // strings all of which are empty
            throw new BadInput("the array has strings without letters", "Give every name at least one letter.");
        }
        int[] place = header.fortran ? places(header.shape) : new int[0];
        int perChunk = Math.max(1, CHUNK / Math.max(1, header.bytes));
        for (int done = 0; done < size; done += perChunk) {
            int count = Math.min(perChunk, size - done);
            ByteBuffer buffer =
                    ByteBuffer.wrap(exactly(in, count * header.bytes)).order(header.order);
            for (int k = done; k < done + count; k++) {
                element.accept(buffer, header.fortran ? place[k] : k);
            }
        }
    }

    private static long integer(ByteBuffer buffer, Header header) {
        boolean signed = header.kind == 'i';
        return switch (header.bytes) {
            case 1 -> signed ? buffer.get() : buffer.get() & 0xFFL;
            case 2 -> signed ? buffer.getShort() : buffer.getShort() & 0xFFFFL;
            case 4 -> signed ? buffer.getInt() : buffer.getInt() & 0xFFFFFFFFL;
            default -> {
                long value = buffer.getLong();
                if (!signed && value < 0) {
                    throw new BadInput(
                            "the array holds " + Long.toUnsignedString(value), "Integers must be below 2^63.");
                }
                yield value;
            }
        };
    }

    private static String string(ByteBuffer buffer, int characters) {
        StringBuilder text = new StringBuilder(characters);
        for (int i = 0; i < characters; i++) {
            int codePoint = buffer.getInt();
            if (!Character.isValidCodePoint(codePoint)) {
                throw new BadInput(
                        "the array holds the character " + codePoint, "The file is damaged; write it again.");
            }
            text.appendCodePoint(codePoint);
        }
        int length = text.length();
        while (length > 0 && text.charAt(length - 1) == 0) { // NumPy pads with zeros
            length--;
        }
        return text.substring(0, length);
    }

    /** For each position in Fortran order, where C order has that value. */
    private static int[] places(int[] shape) {
        int[] places = new int[NpyArray.size(shape)];
        int[] index = new int[shape.length];
        for (int k = 0; k < places.length; k++) {
            int at = 0;
            for (int d = shape.length - 1; d >= 0; d--) {
                at = at * shape[d] + index[d];
            }
            places[at] = k;
            for (int d = shape.length - 1; d >= 0 && ++index[d] == shape[d]; d--) {
                index[d] = 0;
            }
        }
        return places;
    }

    private static byte[] exactly(InputStream in, int count) throws IOException {
        byte[] bytes = in.readNBytes(count);
        if (bytes.length < count) {
            throw new EOFException("it ends before its array does");
        }
        return bytes;
    }

    /** Writes {@code <f8}, {@code <f4}, {@code <i8} or {@code <U}, always in C order. */
    static void write(OutputStream out, NpyArray array) throws IOException {
        int longest = array instanceof NpyArray.Text text
                ? text.values().stream()
                        .mapToInt(s -> s.codePointCount(0, s.length()))
                        .max()
                        .orElse(1)
                : 0;
        String descr = switch (array) {
            case NpyArray.Floats _ -> "<f8";
            case NpyArray.Singles _ -> "<f4";
            case NpyArray.Integers _ -> "<i8";
            case NpyArray.Text _ -> "<U" + Math.max(1, longest);
        };
        String shape = Arrays.stream(array.shape()).mapToObj(n -> n + ",").collect(Collectors.joining(" ", "(", ")"));
        String dictionary = "{'descr': '%s', 'fortran_order': False, 'shape': %s, }".formatted(descr, shape);
        int unpadded = MAGIC.length + 4 + dictionary.length() + 1;
        int padding = (64 - unpadded % 64) % 64; // values start at a multiple of 64, so that they can be mapped
        byte[] header = (dictionary + " ".repeat(padding) + "\n").getBytes(StandardCharsets.US_ASCII);
        out.write(MAGIC);
        out.write(new byte[] {1, 0, (byte) header.length, (byte) (header.length >> 8)});
        out.write(header);
        ByteBuffer buffer = ByteBuffer.allocate(CHUNK).order(ByteOrder.LITTLE_ENDIAN);
        switch (array) {
            case NpyArray.Floats floats -> {
                for (double value : floats.values()) {
                    room(buffer, 8, out).putDouble(value);
                }
            }
            case NpyArray.Singles singles -> {
                for (float value : singles.values()) {
                    room(buffer, 4, out).putFloat(value);
                }
            }
            case NpyArray.Integers integers -> {
                for (long value : integers.values()) {
                    room(buffer, 8, out).putLong(value);
                }
            }
            case NpyArray.Text text -> {
                for (String value : text.values()) {
                    for (int codePoint : Arrays.copyOf(value.codePoints().toArray(), Math.max(1, longest))) {
                        room(buffer, 4, out).putInt(codePoint);
                    }
                }
            }
        }
        flush(buffer, out);
    }

    private static ByteBuffer room(ByteBuffer buffer, int bytes, OutputStream out) throws IOException {
        if (buffer.remaining() < bytes) {
            flush(buffer, out);
        }
        return buffer;
    }

    private static void flush(ByteBuffer buffer, OutputStream out) throws IOException {
        byte[] bytes = new byte[buffer.flip().remaining()];
        buffer.get(bytes).clear();
        out.write(bytes);
    }
}
