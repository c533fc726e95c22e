package dev.revealed.studies;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * A figure of Rust (1987) as he printed it, from {@code rust-1987.csv}: the one place that holds them.
 *
 * @param table VIII, IX or X
 * @param quantity such as {@code theta11}, {@code se theta11} or {@code log-likelihood}
 * @param printed with all digits that he printed
 * @param remark why ours may be right where it differs by more than rounding; else empty
 */
public record PublishedRust(
        String table,
        int bins,
        String cost,
        String groups,
        double discount,
        String quantity,
        String printed,
        String remark) {
    private static final List<PublishedRust> ALL = read();

    /** All of them, table by table. */
    public static List<PublishedRust> all() {
        return ALL;
    }

    private static List<PublishedRust> read() {
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(
                Objects.requireNonNull(PublishedRust.class.getResourceAsStream("rust-1987.csv")),
                StandardCharsets.UTF_8))) {
            return lines.lines()
                    .skip(1)
                    .map(line -> line.split(",", 8)) // a remark may hold commas
                    .map(c -> new PublishedRust(
                            c[0], Integer.parseInt(c[1]), c[2], c[3], Double.parseDouble(c[4]), c[5], c[6], c[7]))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * What he printed in a place of a table, beside ours.
     *
     * @param ours by quantity; other data than his may lack some
     */
    static List<Comparison> compare(
            String table, String cost, String groups, double discount, Map<String, Double> ours) {
        return ALL.stream()
                .filter(p -> p.table.equals(table)
                        && p.cost.equals(cost)
                        && p.groups.equals(groups)
                        && p.discount == discount
                        && ours.containsKey(p.quantity))
                .map(p -> p.beside(Objects.requireNonNull(ours.get(p.quantity))))
                .toList();
    }

    public double value() {
        return Double.parseDouble(printed);
    }

    /** How many decimals he printed. */
    public int decimals() {
        return new BigDecimal(printed).scale();
    }

    /** Our number beside it. */
    private Comparison beside(double ours) {
        BigDecimal off = BigDecimal.valueOf(ours)
                .setScale(decimals(), RoundingMode.HALF_EVEN)
                .subtract(new BigDecimal(printed));
        return new Comparison(
                this, ours, ours - value(), off.unscaledValue().abs().intValue());
    }

    /**
     * A printed figure and ours.
     *
     * @param difference ours less his
     * @param unitsOff the same in units of his last digit, ours rounded to his digits; 0 where we print the same
     */
    public record Comparison(PublishedRust published, double ours, double difference, int unitsOff) {

        /** What explains a difference, in a sentence. */
        public String why() {
            return unitsOff == 0 ? "" : published.remark.isEmpty() ? "The last digit." : published.remark;
        }
    }
}
