package dev.revealed.estimate;

import dev.revealed.numeric.Normal;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** The table of an estimate as plain text: coefficient, standard error, z, P>|z| and the normal 95 % interval. */
public final class EstimateText {
    private static final String GAP = "   ";
    private static final int MOST_ROWS = 40;
    private static final double TAIL = 0.025;
    private static final double SMALL = 0.00095; // a smaller standard error loses its digits in four decimals
    private static final double LARGE = 1e9;

    private EstimateText() {}

    /** The rows of the table with a heading; the first 40 where there are more. */
    public static String table(List<Estimate.Parameter> parameters) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("", "coef", "std err", "z", "P>|z|", "[0.025", "0.975]"));
        parameters.stream().limit(MOST_ROWS).forEach(parameter -> rows.add(row(parameter)));
        int[] width = new int[rows.getFirst().size()];
        rows.forEach(row ->
                Arrays.setAll(width, j -> Math.max(width[j], row.get(j).length())));
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < rows.size(); i++) {
            List<String> row = rows.get(i);
            for (int j = 0; j < width.length; j++) {
                String space = " ".repeat(width[j] - row.get(j).length());
                text.append(j == 0 ? row.get(j) + space : GAP + space + row.get(j));
            }
            text.append('\n');
            if (i == 0) {
                text.append("-".repeat(Arrays.stream(width).sum() + GAP.length() * (width.length - 1)))
                        .append('\n');
            }
        }
        int more = parameters.size() - MOST_ROWS;
        return more <= 0 ? text.toString() : text + "... and %d more\n".formatted(more);
    }

    private static List<String> row(Estimate.Parameter parameter) {
        double value = parameter.value();
        double given = parameter.standardError().orElse(Double.NaN);
        double error = given > 0 && given < Double.POSITIVE_INFINITY ? given : Double.NaN;
        double z = value / error;
        double margin = -Normal.quantile(TAIL) * error;
        boolean small = error < SMALL || (Double.isNaN(error) && Math.abs(value) < SMALL);
        return List.of(
                parameter.name(),
                number(value, small),
                number(error, small),
                number(z, 3),
                Double.isNaN(z) ? number(z, 3) : String.format(Locale.ROOT, "%.3f", 2 * Normal.cdf(-Math.abs(z))),
                number(value - margin, small),
                number(value + margin, small));
    }

    private static String number(double value, boolean small) {
        return small && Double.isFinite(value) ? String.format(Locale.ROOT, "%.3e", value) : number(value, 4);
    }

    private static String number(double value, int decimals) {
        double size = Math.abs(value);
        if (Double.isNaN(value)) {
            return "–";
        } else if (Double.isInfinite(value)) {
            return value > 0 ? "∞" : "-∞";
        } else if (size != 0 && (size >= LARGE || size < 0.5 * Math.pow(10, -decimals))) {
            return String.format(Locale.ROOT, "%." + (decimals - 1) + "e", value);
        }
        return BigDecimal.valueOf(value)
                .setScale(decimals, RoundingMode.HALF_EVEN)
                .toPlainString();
    }
}
