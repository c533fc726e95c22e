package dev.revealed.data.panel;

import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The rows of one individual as they come in: periods and codes, and what belongs to the individual as a whole. */
public final class IndividualRows {
    private long key;
    private @Nullable String name;
    private double weight = 1;
    private String cluster = "";
    private double[] covariates = {};
    private boolean uneven; // whether weight, cluster or covariates differ between rows
    private int size;
    private int[] period;
    private int[] code;
    private double[] raw;
    private int[] reported;
    private long[] where;

    IndividualRows() {
        this(64);
    }

    IndividualRows(int capacity) {
        period = new int[capacity];
        code = new int[capacity];
        raw = new double[capacity];
        reported = new int[capacity];
        where = new long[capacity];
    }

    /** Forgets all rows and begins another individual. */
    void begin(long other, @Nullable String called) {
        key = other;
        name = called;
        size = 0;
        uneven = false;
    }

    /**
     * Adds a row.
     *
     * @param value a number of the row that checks need besides its code; 0 where none
     * @param whole a whole number that checks need besides; -1 where none
     * @param at where the row was read
     */
    void add(int when, int coded, double value, int whole, long at) {
        if (size == period.length) {
            int more = 2 * size;
            period = Arrays.copyOf(period, more);
            code = Arrays.copyOf(code, more);
            raw = Arrays.copyOf(raw, more);
            reported = Arrays.copyOf(reported, more);
            where = Arrays.copyOf(where, more);
        }
        period[size] = when;
        code[size] = coded;
        raw[size] = value;
        reported[size] = whole;
        where[size++] = at;
    }

    /** Says what belongs to the individual; rows that disagree are noticed. */
    void describe(double weighs, String belongs, double[] known) {
        if (size <= 1) {
            weight = weighs;
            cluster = belongs;
            covariates = known;
        } else if (weight != weighs || !cluster.equals(belongs) || !Arrays.equals(covariates, known)) {
            uneven = true;
        }
    }

    /** Adds the rows of another, of the same individual. */
    void append(IndividualRows more) {
        if (more.size == 0) {
            return;
        }
        for (int i = 0; i < more.size; i++) {
            add(more.period[i], more.code[i], more.raw[i], more.reported[i], more.where[i]);
        }
        describe(more.weight, more.cluster, more.covariates);
        uneven |= more.uneven;
    }

    IndividualRows copy() {
        IndividualRows copy = new IndividualRows(Math.max(1, size));
        copy.begin(key, name);
        copy.append(this);
        copy.weight = weight;
        copy.cluster = cluster;
        copy.covariates = covariates;
        copy.uneven = uneven;
        return copy;
    }

    /** In a form that can travel. */
    PieceCounts.EdgeRows packed() {
        return new PieceCounts.EdgeRows(
                key,
                Optional.ofNullable(name),
                weight,
                cluster,
                covariates,
                uneven,
                Arrays.copyOf(period, size),
                Arrays.copyOf(code, size),
                Arrays.copyOf(raw, size),
                Arrays.copyOf(reported, size),
                Arrays.copyOf(where, size));
    }

    /** The inverse of {@link #packed}. */
    static IndividualRows of(PieceCounts.EdgeRows packed) {
        IndividualRows rows = new IndividualRows(Math.max(1, packed.period().length));
        rows.begin(packed.key(), packed.name().orElse(null));
        for (int i = 0; i < packed.period().length; i++) {
            rows.add(packed.period()[i], packed.code()[i], packed.raw()[i], packed.reported()[i], packed.where()[i]);
        }
        rows.weight = packed.weight();
        rows.cluster = packed.cluster();
        rows.covariates = packed.covariates();
        rows.uneven = packed.uneven();
        return rows;
    }

    /** Puts the rows in the order of their periods; those of the same period stay in the order they came in. */
    void sort() {
        for (int i = 1; i < size; i++) {
            if (period[i] < period[i - 1]) {
                Integer[] order = new Integer[size];
                Arrays.setAll(order, k -> k);
                Arrays.sort(order, (a, b) -> Integer.compare(period[a], period[b]));
                int[] sorted = Arrays.stream(order).mapToInt(k -> k).toArray();
                period = reordered(period, sorted);
                code = reordered(code, sorted);
                reported = reordered(reported, sorted);
                double[] raws = raw.clone();
                long[] places = where.clone();
                for (int k = 0; k < size; k++) {
                    raw[k] = raws[sorted[k]];
                    where[k] = places[sorted[k]];
                }
                return;
            }
        }
    }

    private static int[] reordered(int[] values, int[] order) {
        int[] sorted = values.clone();
        for (int k = 0; k < order.length; k++) {
            sorted[k] = values[order[k]];
        }
        return sorted;
    }

    public long key() {
        return key;
    }

    public String name() {
        return name == null ? Long.toString(key) : name;
    }

    /** What tells individuals apart: the number, or the text where that is none, of which the key is only a hash. */
    Object identity() {
        return name == null ? (Object) key : name;
    }

    /** The name where the key does not tell it. */
    @Nullable
    String ownName() {
        return name;
    }

    public double weight() {
        return weight;
    }

    public String cluster() {
        return cluster;
    }

    public double[] covariates() {
        return covariates;
    }

    public boolean uneven() {
        return uneven;
    }

    public int size() {
        return size;
    }

    public int period(int i) {
        return period[i];
    }

    public int code(int i) {
        return code[i];
    }

    public double raw(int i) {
        return raw[i];
    }

    public int reported(int i) {
        return reported[i];
    }

    /** Where row i was read; the piece, then the row in it. */
    public long where(int i) {
        return where[i];
    }

    /** Where the first row was read, whatever its period. */
    public long firstWhere() {
        long first = Long.MAX_VALUE;
        for (int i = 0; i < size; i++) {
            first = Math.min(first, where[i]);
        }
        return first;
    }

    public int[] periods() {
        return Arrays.copyOf(period, size);
    }
}
