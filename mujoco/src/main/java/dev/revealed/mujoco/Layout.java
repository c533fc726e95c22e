package dev.revealed.mujoco;

import dev.revealed.numeric.BadInput;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Where one version of the library keeps what we read and write: offsets in bytes into its structs. The table
 * layouts.csv has a column for each version, so that a new one is a matter of data.
 */
record Layout(String version, Map<String, Long> offsets) {
    private static final String FIELD = "field";
    private static final String NUMBER = "mj_version";

    /** The layout of the version that {@code mj_version()} reports. */
    static Layout of(int number) {
        Map<String, String[]> table = table();
        String[] names = row(table, FIELD);
        int column = List.of(row(table, NUMBER)).indexOf(Integer.toString(number));
        if (column < 0) {
            throw new BadInput(
                    "this MuJoCo is version %s, whose memory layout is not known".formatted(name(number)),
                    "Known are %s. %s".formatted(String.join(", ", names), Library.INSTALL));
        }
        Map<String, Long> offsets = new HashMap<>();
        table.forEach((field, cells) -> {
            if (!field.equals(FIELD) && !cells[column].isEmpty()) { // empty where nobody knows
                offsets.put(field, Long.valueOf(cells[column]));
            }
        });
        return new Layout(names[column], offsets);
    }

    /** The versions of the table. */
    static List<String> versions() {
        return List.of(row(table(), FIELD));
    }

    /** Whether that version's place of a field is known: of some that only models of one's own need, it is not. */
    boolean has(String field) {
        return offsets.containsKey(field);
    }

    long at(String field) {
        return Objects.requireNonNull(offsets.get(field), field);
    }

    /** Three digits up to 3.4, then three digits for each part. */
    private static String name(int number) {
        return number < 1000
                ? "%d.%d.%d".formatted(number / 100, number / 10 % 10, number % 10)
                : "%d.%d.%d".formatted(number / 1_000_000, number / 1000 % 1000, number % 1000);
    }

    private static String[] row(Map<String, String[]> table, String field) {
        return Objects.requireNonNull(table.get(field), field);
    }

    private static Map<String, String[]> table() {
        Map<String, String[]> table = new HashMap<>();
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(
                Objects.requireNonNull(Layout.class.getResourceAsStream("layouts.csv")), StandardCharsets.UTF_8))) {
            lines.lines().map(line -> line.split(",", -1)).forEach(cells -> {
                table.put(cells[0], Arrays.copyOfRange(cells, 1, cells.length));
            });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return table;
    }
}
