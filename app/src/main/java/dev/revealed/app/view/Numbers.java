package dev.revealed.app.view;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Locale;

/** Numbers written for people: the same in every locale, with the digits that matter. */
public final class Numbers {

    private Numbers() {}

    /**
     * At most so many significant digits and no idle zeros; whole digits are never rounded away, and very large or
     * small numbers become scientific.
     */
    public static String significant(double value, int digits) {
        if (!Double.isFinite(value) || value == 0) {
            return special(value);
        }
        BigDecimal exact = BigDecimal.valueOf(value);
        BigDecimal rounded = exact.round(new MathContext(digits, RoundingMode.HALF_EVEN));
        int exponent = rounded.precision() - rounded.scale() - 1;
        if (exponent < -4 || exponent >= 12) {
            return scientific(value, digits);
        }
        BigDecimal kept = exponent >= digits ? exact.setScale(0, RoundingMode.HALF_EVEN) : rounded;
        return kept.scale() > 0 ? kept.stripTrailingZeros().toPlainString() : kept.toPlainString();
    }

    /** So many decimals, always; scientific with as many digits when that would show nothing or far too much. */
    public static String decimals(double value, int decimals) {
        if (!Double.isFinite(value)) {
            return special(value);
        }
        double size = Math.abs(value);
        if (size != 0 && (size >= 1e9 || size < 0.5 * Math.pow(10, -decimals))) {
            return scientific(value, Math.max(2, decimals));
        }
        return BigDecimal.valueOf(value)
                .setScale(decimals, RoundingMode.HALF_EVEN)
                .toPlainString();
    }

    /** A whole number with its thousands apart. */
    public static String count(long value) {
        return String.format(Locale.ROOT, "%,d", value);
    }

    /** A whole number in few letters: 950, 1.9k, 420k, 1.2M. */
    public static String thousands(long value) {
        if (value < 1000) {
            return Long.toString(value);
        }
        if (value < 1_000_000) {
            return value / 1000 + (value < 10_000 ? "." + value / 100 % 10 : "") + "k";
        }
        return String.format(Locale.ROOT, "%.1fM", value / 1e6);
    }

    private static String scientific(double value, int digits) {
        return String.format(Locale.ROOT, "%." + (digits - 1) + "e", value);
    }

    private static String special(double value) {
        return Double.isNaN(value) ? "–" : value == 0 ? "0" : value > 0 ? "∞" : "-∞";
    }

    /** 10 to a power, with a raised exponent. */
    static String powerOfTen(int exponent) {
        StringBuilder power = new StringBuilder("10");
        Integer.toString(exponent).chars().forEach(c -> power.append(c == '-' ? '⁻' : "⁰¹²³⁴⁵⁶⁷⁸⁹".charAt(c - '0')));
        return power.toString();
    }
}
