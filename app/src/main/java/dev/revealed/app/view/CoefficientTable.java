package dev.revealed.app.view;

import dev.revealed.app.view.Table.Column;
import dev.revealed.numeric.Interval;
import dev.revealed.numeric.Normal;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/** The table of an estimate: coefficients, standard errors, z, P>|z| and intervals. */
public final class CoefficientTable {

    private static final double SMALL = 0.00095;
    private static final Pattern SHARE = Pattern.compile("share\\[\\d+]|discount");

    private CoefficientTable() {}

    /**
     * The interval of a parameter: normal, or on the logit scale where it is the share of a type or a discount. A feature of
     * the user's that has such a name is told apart by values that neither has.
     */
    public static Interval interval(String name, double value, double standardError, double level) {
        return SHARE.matcher(name).matches() && value >= 0 && value <= 1
                ? Interval.share(value, standardError, level)
                : Interval.normal(value, standardError, level);
    }

    /**
     * Makes the table; where a standard error is not a positive number, what follows from it is left blank.
     *
     * @param level of the intervals, for example 0.95
     */
    public static Table of(List<String> names, double[] values, double[] standardErrors, double level) {
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
        return more(table, names, values, standardErrors, level);
    }

    /** Adds parameters below those of a coefficient table. */
    public static Table more(Table above, List<String> names, double[] values, double[] standardErrors, double level) {
        if (names.size() != values.length || names.size() != standardErrors.length) {
            throw new IllegalArgumentException("%d names, %d values and %d standard errors"
                    .formatted(names.size(), values.length, standardErrors.length));
        }
        Table table = above;
        for (int i = 0; i < values.length; i++) {
            double error = standardErrors[i] > 0 && standardErrors[i] < Double.POSITIVE_INFINITY
                    ? standardErrors[i]
                    : Double.NaN;
            double z = values[i] / error;
            double p = 2 * Normal.cdf(-Math.abs(z));
            Interval interval = interval(names.get(i), values[i], error, level);
            boolean small = error < SMALL || (Double.isNaN(error) && Math.abs(values[i]) < SMALL);
            table = table.row(
                    names.get(i),
                    small ? scientific(values[i]) : values[i],
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
