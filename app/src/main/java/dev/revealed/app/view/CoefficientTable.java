package dev.revealed.app.view;

import dev.revealed.app.view.Table.Column;
import dev.revealed.estimate.Estimate;
import dev.revealed.estimate.ParameterRange;
import dev.revealed.numeric.Interval;
import dev.revealed.numeric.Normal;
import java.util.List;
import java.util.Locale;

/** The table of an estimate: coefficients, standard errors, z, P>|z| and intervals. */
public final class CoefficientTable {

    private static final double SMALL = 0.00095;

    private CoefficientTable() {}

    /** A parameter; where the standard error is not a positive number, what follows from it is left blank. */
    public record Row(String name, double value, double standardError, ParameterRange range) {
        public static Row of(Estimate.Parameter parameter) {
            return new Row(
                    parameter.name(),
                    parameter.value(),
                    parameter.standardError().orElse(Double.NaN),
                    parameter.range());
        }
    }

    /**
     * Makes the table.
     *
     * @param level of the intervals, for example 0.95
     */
    public static Table of(List<Row> rows, double level) {
        if (!(level > 0 && level < 1)) {
            throw new IllegalArgumentException("the level is " + level + ", outside (0, 1)");
        }
        double tail = (1 - level) / 2;
        Table table = Table.of(
                Column.text(""),
                Column.decimals("coef", 4),
                Column.decimals("std err", 4),
                Column.decimals("z", 3),
                new Column("P>|z|", true, CoefficientTable::probability),
                Column.decimals("[" + Numbers.significant(tail, 4), 4),
                Column.decimals(Numbers.significant(1 - tail, 4) + "]", 4));
        return more(table, rows, level);
    }

    /** Adds parameters below those of a coefficient table. */
    public static Table more(Table above, List<Row> rows, double level) {
        Table table = above;
        for (Row row : rows) {
            double given = row.standardError;
            double error = given > 0 && given < Double.POSITIVE_INFINITY ? given : Double.NaN;
            double z = row.value / error;
            double p = 2 * Normal.cdf(-Math.abs(z));
            Interval interval = row.range.interval(row.value, error, level);
            boolean small = error < SMALL || (Double.isNaN(error) && Math.abs(row.value) < SMALL);
            table = table.row(
                    row.name,
                    small ? scientific(row.value) : row.value,
                    small ? scientific(error) : error,
                    z,
                    p,
                    small ? scientific(interval.low()) : interval.low(),
                    small ? scientific(interval.high()) : interval.high());
        }
        return table;
    }

    /** A row whose standard error would lose its digits in four decimals is written in powers of ten throughout. */
    private static Table.Cell scientific(double value) {
        return new Table.Cell(
                Double.isNaN(value) ? Numbers.decimals(value, 4) : String.format(Locale.ROOT, "%.3e", value),
                Double.isNaN(value) ? "" : Double.toString(value),
                true);
    }

    /** Three decimals, however small: 0.000 is what readers know. */
    private static String probability(double p) {
        return Double.isNaN(p) ? Numbers.decimals(p, 3) : String.format(Locale.ROOT, "%.3f", p);
    }
}
