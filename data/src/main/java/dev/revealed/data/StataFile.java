package dev.revealed.data;

import dev.revealed.numeric.BadInput;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Data files of Stata: read in the formats of Stata 8 to 19 (113 to 115, 117, 118), written in that of Stata 14 (118),
 * which all later versions, pandas and R read. Numbers are read as they are stored, so that a variable with value labels
 * holds its codes; missing values become blank.
 */
public final class StataFile {
    private static final int DOUBLE = 65526;
    private static final int STRL = 32768;
    private static final int WIDEST_TEXT = 2045;

    private StataFile() {}

    /** A variable of a file to be written: numbers, or text where there is any. */
    public record Variable(String name, String label, double[] numbers, List<String> texts) {
        public static Variable of(String name, String label, double[] numbers) {
            return new Variable(name, label, numbers, List.of());
        }

        public static Variable of(String name, String label, List<String> texts) {
            return new Variable(name, label, new double[0], texts);
        }

        private boolean isText() {
            return !texts.isEmpty();
        }

        private int width() {
            return isText()
                    ? Math.clamp(
                            texts.stream().mapToInt(t -> utf8(t).length).max().orElse(1), 1, WIDEST_TEXT)
                    : Double.BYTES;
        }
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** A name that Stata accepts: letters, digits and _, at most 32, not beginning with a digit. */
    public static String legal(String name) {
        String plain = name.replaceAll("[^\\p{L}\\p{N}_]+", "_").replaceAll("_+$", "");
        String begun = plain.isEmpty() || Character.isDigit(plain.charAt(0)) ? "_" + plain : plain;
        return begun.substring(0, Math.min(32, begun.length()));
    }

    // ---- writing

    /** The bytes of a file with these variables, all of the same length. */
    public static byte[] write(List<Variable> variables) {
        int n = variables.isEmpty()
                ? 0
                : variables.getFirst().isText()
                        ? variables.getFirst().texts.size()
                        : variables.getFirst().numbers.length;
        Writer out = new Writer();
        int k = variables.size();
        long[] map = new long[14];
        out.text("<stata_dta><header><release>118</release><byteorder>LSF</byteorder><K>")
                .number(k, 2)
                .text("</K><N>")
                .number(n, 8)
                .text("</N><label>")
                .number(0, 2)
                .text("</label><timestamp>")
                .number(0, 1)
                .text("</timestamp></header>");
        map[1] = out.size();
        out.text("<map>");
        int at = out.size();
        out.zeros(8 * map.length).text("</map>");
        map[2] = out.size();
        out.text("<variable_types>");
        variables.forEach(v -> out.number(v.isText() ? v.width() : DOUBLE, 2));
        out.text("</variable_types>");
        map[3] = out.size();
        out.text("<varnames>");
        names(variables).forEach(name -> out.padded(name, 129));
        out.text("</varnames>");
        map[4] = out.size();
        out.text("<sortlist>").zeros(2 * (k + 1)).text("</sortlist>");
        map[5] = out.size();
        out.text("<formats>");
        variables.forEach(v -> out.padded(v.isText() ? "%" + v.width() + "s" : "%10.0g", 57));
        out.text("</formats>");
        map[6] = out.size();
        out.text("<value_label_names>").zeros(129 * k).text("</value_label_names>");
        map[7] = out.size();
        out.text("<variable_labels>");
        variables.forEach(v -> out.padded(v.label.substring(0, Math.min(80, v.label.length())), 321));
        out.text("</variable_labels>");
        map[8] = out.size();
        out.text("<characteristics></characteristics>");
        map[9] = out.size();
        out.text("<data>");
        for (int i = 0; i < n; i++) {
            for (Variable v : variables) {
                if (v.isText()) {
                    out.padded(v.texts.get(i), v.width());
                } else {
                    out.real(v.numbers[i]);
                }
            }
        }
        out.text("</data>");
        map[10] = out.size();
        out.text("<strls></strls>");
        map[11] = out.size();
        out.text("<value_labels></value_labels>");
        map[12] = out.size();
        out.text("</stata_dta>");
        map[13] = out.size();
        byte[] all = out.bytes.toByteArray();
        ByteBuffer places = ByteBuffer.wrap(all).order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < map.length; i++) {
            places.putLong(at + 8 * i, map[i]);
        }
        return all;
    }

    /** Legal names, no two alike. */
    private static List<String> names(List<Variable> variables) {
        List<String> names = new ArrayList<>();
        for (Variable v : variables) {
            String name = legal(v.name);
            for (int i = 2; names.contains(name); i++) {
                String tail = "_" + i;
                String base = legal(v.name);
                name = base.substring(0, Math.min(base.length(), 32 - tail.length())) + tail;
            }
            names.add(name);
        }
        return names;
    }

    private static final class Writer {
        private static final ByteBuffer MISSING =
                ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(0, 0x7fe0000000000000L);
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

        int size() {
            return bytes.size();
        }

        Writer text(String text) {
            bytes.writeBytes(text.getBytes(StandardCharsets.US_ASCII));
            return this;
        }

        Writer number(long value, int width) {
            for (int i = 0; i < width; i++) {
                bytes.write((int) (value >>> (8 * i)));
            }
            return this;
        }

        Writer zeros(int count) {
            bytes.writeBytes(new byte[count]);
            return this;
        }

        void padded(String text, int width) {
            byte[] own = utf8(text);
            bytes.writeBytes(Arrays.copyOf(own, width));
        }

        void real(double value) {
            if (Double.isFinite(value)) {
                number(Double.doubleToLongBits(value), 8);
            } else {
                bytes.writeBytes(MISSING.array());
            }
        }
    }

    // ---- reading

    /** What a file holds, as the text of a CSV file with a header. */
    static byte[] asCsv(Path file) throws IOException {
        byte[] all = Files.readAllBytes(file);
        try {
            return new Reader(file, all).csv();
        } catch (IndexOutOfBoundsException | java.nio.BufferUnderflowException e) {
            throw new BadInput(file + ": this Stata file ends too early", "Save it again in Stata.");
        }
    }

    private static final class Reader {
        private final Path file;
        private final ByteBuffer in;
        private final Charset charset;
        private final List<String> names = new ArrayList<>();
        private final int[] types; // as formats from 117 on number them
        private final long rows;
        private final int data;

        Reader(Path file, byte[] all) {
            this.file = file;
            in = ByteBuffer.wrap(all);
            boolean tagged = all.length > 11 && new String(all, 0, 11, StandardCharsets.US_ASCII).equals("<stata_dta>");
            if (tagged) {
                int release = Integer.parseInt(new String(all, 28, 3, StandardCharsets.US_ASCII));
                check(release == 117 || release == 118, release);
                charset = release == 118 ? StandardCharsets.UTF_8 : Charset.forName("windows-1252");
                boolean little = text(all, after(all, "<byteorder>", 0), 3).equals("LSF");
                in.order(little ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN);
                int k = in.getShort(after(all, "<K>", 0)) & 0xffff;
                int n = after(all, "<N>", 0);
                rows = release == 117 ? in.getInt(n) & 0xffffffffL : in.getLong(n);
                int from = after(all, "</header>", n);
                types = new int[k];
                int typed = after(all, "<variable_types>", from);
                int named = after(all, "<varnames>", typed);
                int width = release == 118 ? 129 : 33;
                for (int v = 0; v < k; v++) {
                    types[v] = in.getShort(typed + 2 * v) & 0xffff;
                    names.add(text(all, named + v * width, width));
                }
                in.position(after(all, "<map>", from) + 8 * 9);
                data = Math.toIntExact(in.getLong()) + "<data>".length();
            } else {
                int release = all.length == 0 ? 0 : all[0];
                check(release >= 113 && release <= 115, release);
                charset = Charset.forName("windows-1252");
                in.order(all[1] == 2 ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN);
                int k = in.getShort(4) & 0xffff;
                rows = in.getInt(6);
                types = new int[k];
                int at = 109;
                for (int v = 0; v < k; v++) {
                    int type = all[at + v] & 0xff;
                    types[v] = type >= 251 ? DOUBLE + 255 - type : type;
                    names.add(text(all, at + k + 33 * v, 33));
                }
                at += k + 33 * k + 2 * (k + 1) + (release == 113 ? 12 : 49) * k + 33 * k + 81 * k;
                while (all[at] != 0) {
                    at += 5 + in.getInt(at + 1);
                }
                data = at + 5;
            }
        }

        private void check(boolean known, int release) {
            BadInput.when(
                    !known,
                    "%s: this is not a Stata file of the formats 113 to 115, 117 or 118 (found %d)"
                            .formatted(file, release),
                    "Save it with Stata's saveold or as CSV.");
        }

        private int after(byte[] all, String tag, int from) {
            byte[] wanted = tag.getBytes(StandardCharsets.US_ASCII);
            for (int i = from; i + wanted.length <= all.length; i++) {
                if (Arrays.equals(all, i, i + wanted.length, wanted, 0, wanted.length)) {
                    return i + wanted.length;
                }
            }
            throw new IndexOutOfBoundsException(tag);
        }

        private String text(byte[] all, int from, int width) {
            int end = from;
            while (end < from + width && all[end] != 0) {
                end++;
            }
            return new String(all, from, end - from, charset);
        }

        byte[] csv() {
            for (int v = 0; v < types.length; v++) {
                BadInput.when(
                        types[v] == STRL,
                        "%s: the variable %s is a strL, which is not read".formatted(file, names.get(v)),
                        "Drop it, or compress it to a str in Stata: recast str244 %s.".formatted(names.get(v)));
            }
            StringBuilder text = new StringBuilder();
            line(text, names);
            int at = data;
            List<String> cells = new ArrayList<>();
            for (long i = 0; i < rows; i++) {
                cells.clear();
                for (int type : types) {
                    cells.add(cell(type, at));
                    at += width(type);
                }
                line(text, cells);
            }
            return text.toString().getBytes(StandardCharsets.UTF_8);
        }

        private static int width(int type) {
            return switch (type) {
                case DOUBLE -> 8;
                case DOUBLE + 1, DOUBLE + 2 -> 4;
                case DOUBLE + 3 -> 2;
                case DOUBLE + 4 -> 1;
                default -> type;
            };
        }

        private String cell(int type, int at) {
            return switch (type) {
                case DOUBLE -> number(in.getDouble(at), 0x1p1023);
                case DOUBLE + 1 -> number(Double.parseDouble(Float.toString(in.getFloat(at))), 0x1p127);
                case DOUBLE + 2 -> number(in.getInt(at), 2147483620);
                case DOUBLE + 3 -> number(in.getShort(at), 32740);
                case DOUBLE + 4 -> number(in.get(at), 100);
                default -> text(in.array(), at, type);
            };
        }

        /** Blank beyond the largest number of the type: there are the missing values. */
        private static String number(double value, double largest) {
            return value > largest || (largest > 1e30 && value >= largest) ? "" : Place.plain(value);
        }

        private static void line(StringBuilder text, List<String> cells) {
            for (int i = 0; i < cells.size(); i++) {
                String cell = cells.get(i);
                boolean quoted = cell.indexOf(',') >= 0 || cell.indexOf('"') >= 0 || cell.indexOf('\n') >= 0;
                text.append(i > 0 ? "," : "").append(quoted ? '"' + cell.replace("\"", "\"\"") + '"' : cell);
            }
            text.append('\n');
        }
    }
}
