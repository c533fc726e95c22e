package dev.revealed.app.spoil;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import java.util.zip.ZipOutputStream;

/** Spoils the content of a file: bytes of any file, lines, columns and values of text, arrays of NumPy and safetensors. */
final class Damage {
    private static final List<String> ODD = List.of(
            "nan",
            "NaN",
            "inf",
            "-Infinity",
            "1e300",
            "-1e300",
            "1e-320",
            "-0",
            "-0.0",
            "",
            " ",
            "-1",
            "0",
            "1",
            "2",
            "0.5",
            "1.0000001",
            "3.7",
            "99999999999",
            "2147483648",
            "-9223372036854775809",
            "1e2", // 1e3 as a number of grid points is a large but proper model, which takes more than the minute
            "1_000",
            "0x10",
            "1,5",
            "١٢",
            "ünïcödé",
            "🚌",
            "\u0000",
            "\u202e",
            "\"",
            "'",
            "`out`",
            "%s%n",
            "${x}",
            "../..",
            "null",
            "true",
            "[]",
            "{}",
            "[1, 2",
            "{a: b",
            "*a",
            "&a",
            "!!int x",
            "- 1",
            "# x",
            "a: b: c",
            "\t",
            "\r",
            "--out",
            "--json",
            "x".repeat(5000),
            "9".repeat(400),
            "(".repeat(300),
            "-".repeat(300));
    private static final List<String> TYPES = List.of(
            "<f8", "<f4", ">f8", ">f4", "<f2", "<i8", "<i4", ">i2", "|b1", "|u1", "|i1", "|O", "<c16", "<U5", "|S3",
            "<M8[ns]", "", "<q");
    private static final double[] ODD_NUMBERS = {
        Double.NaN,
        Double.POSITIVE_INFINITY,
        Double.NEGATIVE_INFINITY,
        1e300,
        -1e300,
        1e30,
        -1e30,
        1e9,
        -1,
        -0.0,
        0,
        1,
        1.5,
        5,
        1e-320
    };
    private static final Pattern TOKEN = Pattern.compile("[A-Za-z0-9_.+-]+");
    private static final Pattern NUMBER = Pattern.compile("[0-9]+(?:\\.[0-9]+)?(?:[eE][-+]?[0-9]+)?");

    private final Random random;

    Damage(Random random) {
        this.random = random;
    }

    /** The content of a file of that name, spoiled once or more. */
    byte[] spoil(String name, byte[] content) {
        byte[] spoiled = content;
        int times = random.nextInt(4) == 0 ? 2 + random.nextInt(3) : 1;
        for (int i = 0; i < times; i++) {
            spoiled = once(name, spoiled);
        }
        return spoiled;
    }

    private byte[] once(String name, byte[] content) {
        if (content.length == 0 || random.nextInt(5) == 0) {
            return bytes(content);
        }
        String ending = name.substring(name.lastIndexOf('.') + 1);
        return switch (ending) {
            case "csv", "yaml", "json", "jsonl", "txt" ->
                text(ending, new String(content, StandardCharsets.UTF_8)).getBytes(StandardCharsets.UTF_8);
            case "npz" -> npz(content);
            case "safetensors" -> safetensors(content);
            default -> bytes(content);
        };
    }

    private <T> T any(List<T> of) {
        return of.get(random.nextInt(of.size()));
    }

    private int below(int limit) {
        return random.nextInt(Math.max(1, limit));
    }

    private byte[] bytes(byte[] content) {
        int from = below(content.length);
        int to = Math.min(content.length, from + 1 + below(64));
        byte[] changed = content.clone();
        switch (random.nextInt(9)) {
            case 0 -> changed = Arrays.copyOf(content, from); // cut off
            case 1 -> changed = new byte[0];
            case 2 -> changed = joined(Arrays.copyOf(content, from), Arrays.copyOfRange(content, to, content.length));
            case 3 -> changed = joined(Arrays.copyOf(content, to), Arrays.copyOfRange(content, from, content.length));
            case 4 -> Arrays.fill(changed, from, to, (byte) 0);
            case 5 -> {
                byte[] noise = new byte[1 + below(64)];
                random.nextBytes(noise);
                changed = joined(
                        joined(Arrays.copyOf(content, from), noise), Arrays.copyOfRange(content, from, content.length));
            }
            case 6 -> Arrays.fill(changed, from, to, (byte) 0xff);
            default -> {
                for (int i = 1 + below(8); i > 0 && changed.length > 0; i--) {
                    changed[below(changed.length)] ^= (byte) (1 << random.nextInt(8));
                }
            }
        }
        return changed;
    }

    private static byte[] joined(byte[] first, byte[] second) {
        byte[] both = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, both, first.length, second.length);
        return both;
    }

    private String text(String ending, String content) {
        List<String> lines = new ArrayList<>(List.of(content.split("\n", -1)));
        int line = below(lines.size());
        switch (random.nextInt(10)) {
            case 0 -> lines.remove(line);
            case 1 -> lines.add(below(lines.size() + 1), lines.get(line));
            case 2 -> Collections.shuffle(lines, random);
            case 3 -> Collections.swap(lines, line, below(lines.size()));
            case 4 -> {
                return switch (random.nextInt(4)) {
                    case 0 -> "\ufeff" + content;
                    case 1 -> content.replace("\n", "\r\n");
                    case 2 -> content.replace("\n", "\r");
                    default -> content.replace(ending.equals("csv") ? "," : " ", any(List.of(";", "\t", "  ", "")));
                };
            }
            case 5 -> {
                if (ending.equals("csv")) {
                    columns(lines);
                } else {
                    lines.set(line, any(List.of(" ", "\t", "  - ", "}", "{", "]")) + lines.get(line));
                }
            }
            case 6 -> lines.add(line, any(ODD));
            default -> {
                return token(content, random.nextInt(3) == 0 ? TOKEN : NUMBER);
            }
        }
        return String.join("\n", lines);
    }

    /** Removes, repeats or moves a column. */
    private void columns(List<String> lines) {
        int count = lines.getFirst().split(",", -1).length;
        int column = below(count);
        int other = below(count);
        int what = random.nextInt(4);
        for (int i = 0; i < lines.size(); i++) {
            List<String> cells = new ArrayList<>(List.of(lines.get(i).split(",", -1)));
            if (cells.size() == count) {
                switch (what) {
                    case 0 -> cells.remove(column);
                    case 1 -> cells.add(other, cells.get(column));
                    case 2 -> Collections.swap(cells, column, other);
                    default -> cells.add(i == 0 ? "weight" : "2");
                }
                lines.set(i, String.join(",", cells));
            }
        }
    }

    /** Puts an odd value in place of a word or a number. */
    private String token(String content, Pattern pattern) {
        List<MatchResult> found = pattern.matcher(content).results().toList();
        if (found.isEmpty()) {
            return content + any(ODD);
        }
        MatchResult one = any(found);
        String value = random.nextInt(6) == 0 ? any(found).group() : any(ODD);
        return content.substring(0, one.start()) + value + content.substring(one.end());
    }

    private byte[] npz(byte[] content) {
        Map<String, byte[]> arrays = new LinkedHashMap<>();
        try (ZipInputStream in = new ZipInputStream(new ByteArrayInputStream(content))) {
            for (ZipEntry entry = in.getNextEntry(); entry != null; entry = in.getNextEntry()) {
                arrays.put(entry.getName(), in.readAllBytes());
            }
        } catch (IOException | IllegalArgumentException e) { // spoiled before
            return bytes(content);
        }
        if (arrays.isEmpty()) {
            return bytes(content);
        }
        String name = any(List.copyOf(arrays.keySet()));
        byte[] array = arrays.getOrDefault(name, new byte[0]);
        switch (random.nextInt(8)) {
            case 0 -> arrays.remove(name);
            case 1 -> {
                arrays.remove(name);
                arrays.put(any(ODD.subList(0, 30)) + name, array);
            }
            case 2 -> arrays.put(name, arrays.getOrDefault(any(List.copyOf(arrays.keySet())), array));
            case 3 -> arrays.put(name, bytes(array));
            case 4, 5 -> arrays.put(name, npyHeader(array));
            default -> arrays.put(name, npyValues(array));
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (ZipOutputStream zip = new ZipOutputStream(out)) {
            for (Map.Entry<String, byte[]> entry : arrays.entrySet()) {
                zip.putNextEntry(new ZipEntry(entry.getKey()));
                zip.write(entry.getValue());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toByteArray();
    }

    /** Changes what the header says of type, shape and order; its length stays right. */
    private byte[] npyHeader(byte[] array) {
        int end = headerEnd(array);
        if (end < 0) {
            return bytes(array);
        }
        String header = new String(array, 10, end - 10, StandardCharsets.ISO_8859_1);
        String changed = switch (random.nextInt(4)) {
            case 0 ->
                header.replaceFirst("'descr': '[^']*'", Matcher.quoteReplacement("'descr': '" + any(TYPES) + "'"));
            case 1 -> header.replace("False", "True");
            case 2 ->
                header.replaceFirst(
                        "\\([^)]*\\)",
                        any(List.of(
                                "()",
                                "(0,)",
                                "(1,)",
                                "(-1,)",
                                "(2, 3)",
                                "(3, 2, 2)",
                                "(2147483647, 3)",
                                "(99999999999,)",
                                "(0, 5)",
                                "(1, 1, 1, 1)",
                                "(4294967296, 4294967296)",
                                "(a,)")));
            default -> token(header, NUMBER);
        };
        byte[] text = changed.getBytes(StandardCharsets.ISO_8859_1);
        byte[] head = Arrays.copyOf(array, 10);
        head[8] = (byte) text.length;
        head[9] = (byte) (text.length >> 8);
        return joined(joined(head, text), Arrays.copyOfRange(array, end, array.length));
    }

    private static int headerEnd(byte[] array) {
        if (array.length < 10) {
            return -1;
        }
        int end = 10 + (array[8] & 0xff) + ((array[9] & 0xff) << 8);
        return end <= array.length ? end : -1;
    }

    private byte[] npyValues(byte[] array) {
        int end = headerEnd(array);
        if (end < 0 || end == array.length) {
            return bytes(array);
        }
        String header = new String(array, 10, end - 10, StandardCharsets.ISO_8859_1);
        return values(array, end, header.contains("8'") ? 8 : header.contains("4'") ? 4 : 1, header.contains("<f"));
    }

    /** Overwrites some numbers of an array. */
    private byte[] values(byte[] content, int from, int width, boolean floats) {
        byte[] changed = content.clone();
        ByteBuffer buffer = ByteBuffer.wrap(changed).order(ByteOrder.LITTLE_ENDIAN);
        int count = (content.length - from) / width;
        if (count == 0) {
            return bytes(content);
        }
        double value = ODD_NUMBERS[random.nextInt(ODD_NUMBERS.length)];
        boolean all = random.nextInt(8) == 0;
        int first = all ? 0 : below(count);
        int last = all ? count : Math.min(count, first + 1 + below(3));
        for (int i = first; i < last; i++) {
            int at = from + i * width;
            switch (width) {
                case 8 -> buffer.putLong(at, floats ? Double.doubleToRawLongBits(value) : (long) value);
                case 4 -> buffer.putInt(at, floats ? Float.floatToRawIntBits((float) value) : (int) value);
                default -> buffer.put(at, (byte) value);
            }
        }
        return changed;
    }

    private byte[] safetensors(byte[] content) {
        if (content.length < 8) {
            return bytes(content);
        }
        long length = ByteBuffer.wrap(content).order(ByteOrder.LITTLE_ENDIAN).getLong();
        if (length < 0 || length > content.length - 8) {
            return bytes(content);
        }
        int end = 8 + (int) length;
        if (random.nextInt(3) == 0) {
            return values(content, end, 4, true);
        }
        byte[] header = token(
                        new String(content, 8, end - 8, StandardCharsets.UTF_8), random.nextBoolean() ? TOKEN : NUMBER)
                .getBytes(StandardCharsets.UTF_8);
        byte[] size = ByteBuffer.allocate(8)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(header.length)
                .array();
        return joined(joined(size, header), Arrays.copyOfRange(content, end, content.length));
    }
}
