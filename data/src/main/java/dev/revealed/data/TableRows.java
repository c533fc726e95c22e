package dev.revealed.data;

import dev.revealed.numeric.BadInput;
import java.util.List;

/**
 * A table with known columns, read row by row, whatever the format of its file. Columns are addressed by their place in the
 * list of known names, required ones first. Every complaint names file, row, column and value.
 */
public interface TableRows extends AutoCloseable {
    /** Whether the file has this column. */
    boolean has(int column);

    /** Columns that the file has and nobody asked for. */
    List<String> others();

    /** Goes to the next row; false at the end. */
    boolean next();

    /** The number of the current row, as the file's format counts. */
    int line();

    /** The same where numbers may be larger than an integer. */
    default long position() {
        return line();
    }

    BadInput bad(String problem, String remedy);

    boolean blank(int column);

    /** The cell's text; refused where it is blank. */
    String text(int column);

    /** Whether the cell reads as this text: a comparison that needs no new string. */
    boolean reads(int column, String text);

    /** The hash of the cell's text, as a string has it. */
    int hash(int column);

    /** A whole number from 0. */
    int index(int column);

    /** A finite number. */
    double number(int column);

    /** A finite number, or NaN where the cell holds none. */
    double numberOrNaN(int column);

    /**
     * A number that stands for the text of a cell: the same for the same text in tables of any format. Whole numbers without
     * leading zeros stand for themselves, and other texts for a negative hash of 63 binary digits.
     */
    long key(int column);

    @Override
    void close();

    /** The key of a text; see {@link #key(int)}. */
    static long key(CharSequence text) {
        int n = text.length();
        if (n > 0 && n <= 18 && (text.charAt(0) != '0' || n == 1)) {
            long value = 0;
            int i = 0;
            while (i < n && text.charAt(i) >= '0' && text.charAt(i) <= '9') {
                value = 10 * value + (text.charAt(i++) - '0');
            }
            if (i == n) {
                return value;
            }
        }
        long hash = 0xCBF29CE484222325L;
        for (int i = 0; i < n; i++) {
            hash = (hash ^ text.charAt(i)) * 0x100000001B3L;
            hash ^= hash >>> 29;
        }
        hash *= 0x9E3779B97F4A7C15L;
        return (hash ^ (hash >>> 32)) | Long.MIN_VALUE;
    }
}
