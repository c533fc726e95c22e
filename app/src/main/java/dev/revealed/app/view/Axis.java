package dev.revealed.app.view;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Locale;
import java.util.stream.DoubleStream;

/**
 * A scale from data to the unit interval with ticks at round numbers. The ends are on the transformed scale: logarithms
 * where the axis is logarithmic. Tick labels are to be multiplied by the factor, which is empty where they are not.
 */
record Axis(Scale scale, double low, double high, List<Tick> ticks, String factor) {

    private static final double HUGE = 1e300;
    private static final double TINY = 1e-290;
    private static final double SAME = 1e-12;

    record Tick(double value, String label) {}

    private record Ticks(List<Tick> list, String factor) {}

    /** An axis over the finite values with some room at the ends and as many ticks as have room for their labels. */
    static Axis over(Scale scale, DoubleStream values, double room, double pixels, boolean horizontal) {
        DoubleSummaryStatistics range = values.filter(scale::shows)
                .map(v -> scale.forward(Math.clamp(v, scale == Scale.LOG10 ? TINY : -HUGE, HUGE)))
                .summaryStatistics();
        double low = range.getCount() == 0 ? 0 : range.getMin();
        double high = range.getCount() == 0 ? 1 : range.getMax();
        double size = Math.max(Math.abs(low), Math.abs(high));
        double reach = high - low;
        boolean constant = reach <= SAME * (scale == Scale.LOG10 ? 1 : size) || reach < TINY;
        double widen = !constant ? room * reach : scale == Scale.LOG10 ? 0.5 : size < TINY ? 1 : size / 10;
        low -= widen;
        high += widen;
        int target = Math.max(2, (int) (pixels / (horizontal ? 70 : 44)));
        Ticks ticks = ticks(scale, low, high, target);
        while (horizontal && target > 1 && crowded(ticks, pixels)) {
            ticks = ticks(scale, low, high, --target);
        }
        return new Axis(scale, low, high, ticks.list, ticks.factor);
    }

    /** Where a value lies, 0 at the low end and 1 at the high end; off the scale is below it. */
    double position(double value) {
        if (Double.isFinite(value) && !scale.shows(value)) {
            return -1;
        }
        return (scale.forward(value) - low) / (high - low);
    }

    double labelWidth() {
        return labelWidth(ticks);
    }

    private static double labelWidth(List<Tick> ticks) {
        return ticks.stream()
                .mapToDouble(tick -> Svg.width(tick.label, Svg.FONT))
                .max()
                .orElse(0);
    }

    private static boolean crowded(Ticks ticks, double pixels) {
        return ticks.list.size() * (labelWidth(ticks.list) + Svg.FONT) > pixels;
    }

    private static Ticks ticks(Scale scale, double low, double high, int target) {
        if (scale == Scale.LINEAR) {
            return linear(low, high, target);
        }
        List<Tick> ticks = new ArrayList<>();
        boolean decadesOnly = high - low >= 2;
        int stride = decadesOnly ? (int) Math.max(1, Math.ceil((high - low) / target)) : 1;
        for (int e = Math.floorDiv((int) Math.floor(low), stride) * stride; e <= high; e += stride) {
            for (int digit : decadesOnly ? new int[] {1} : new int[] {1, 2, 5}) {
                double at = e + Math.log10(digit);
                if (at >= low && at <= high) {
                    double value = BigDecimal.valueOf(digit, -e).doubleValue();
                    String power = Numbers.powerOfTen(e);
                    boolean plain = !decadesOnly && e >= -3 && e < 5;
                    String label = plain ? Numbers.significant(value, 1) : digit == 1 ? power : digit + "×" + power;
                    ticks.add(new Tick(value, label));
                }
            }
        }
        return ticks.size() >= 3 || decadesOnly
                ? new Ticks(ticks, "")
                : linear(Math.pow(10, low), Math.pow(10, high), target);
    }

    private static Ticks linear(double low, double high, int target) {
        double rough = (high - low) / target;
        int exponent = (int) Math.floor(Math.log10(rough));
        double lead = rough / Math.pow(10, exponent);
        int digit = lead < 1.42 ? 1 : lead < 3.17 ? 2 : lead < 7.08 ? 5 : 10;
        BigDecimal step = BigDecimal.valueOf(digit, -exponent).stripTrailingZeros();
        double size = Math.log10(Math.max(Math.abs(low), Math.abs(high)));
        int shift = size >= 5 || size < -3 ? Math.floorDiv((int) Math.floor(size), 3) * 3 : 0;
        int decimals = Math.max(0, step.scale() + shift);
        List<Tick> ticks = new ArrayList<>();
        BigDecimal first = new BigDecimal(low).divide(step, 0, RoundingMode.CEILING);
        for (BigDecimal t = first.multiply(step); t.doubleValue() <= high; t = t.add(step)) {
            String label = String.format(Locale.ROOT, "%,." + decimals + "f", t.movePointLeft(shift));
            ticks.add(new Tick(t.doubleValue(), label.replace('-', '−')));
        }
        return new Ticks(ticks, shift == 0 ? "" : "×" + Numbers.powerOfTen(shift));
    }
}
