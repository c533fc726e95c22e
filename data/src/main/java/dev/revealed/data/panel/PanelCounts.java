package dev.revealed.data.panel;

import java.util.Arrays;

/**
 * What one pass over a panel's rows counts: how often each row was followed by each other row of the same individual, and a
 * few totals. A row is known by its code, a number that stands for its state and action ({@link RowCodes}).
 *
 * <p>Counts of parts of a panel that share no individual are put together by {@link #merge}, which is associative and does
 * not depend on the order of the parts: numbers of rows are integers, and sums of weights have fixed point.
 */
public final class PanelCounts {
    /** Stands for the row before, where none led to this one. */
    public static final int NONE = -1;

    /** How many totals there are; see {@link Total}. */
    private static final int TOTALS = Total.values().length;

    /** Numbers of rows and individuals that the pass adds up. */
    public enum Total {
        /** Rows read, whether they count or not. */
        ROWS(0),
        /** Individuals with a decision that counts. */
        INDIVIDUALS(1),
        /** Decisions that count. */
        DECISIONS(2),
        /** Steps from one row of an individual to the next. */
        LINKS(3),
        /** Those of them that skip a period. */
        HOLES(4),
        /** Rows left out since they have no action. */
        DROPPED(5),
        /** Decisions that do not follow right on the individual's decision before. */
        BREAKS(6);

        private final int place;

        Total(int place) {
            this.place = place;
        }
    }

    /** Numbers before those of pairs: whether there are weights, how many pairs, their sum, the totals. */
    private static final int HEAD = 2 + ExactSums.WORDS + TOTALS;

    /** Numbers of a pair but for weights: its key, how often it occurs, where it occurs first. */
    private static final int PAIR = 4;

    private long[] keys = new long[256]; // open addressing; 0 where free
    private int[] slot = new int[256]; // of each key
    private int size;
    private long[] pairs = new long[64]; // keys in order of first appearance
    private long[] times = new long[64];
    private long[] first = new long[64]; // where the individual begins that has the pair first
    private int[] firstTime = new int[64]; // and at which of its rows
    private long individual; // where the current one begins
    private int time;
    private final boolean weighted;
    private final ExactSums weights;
    private final ExactSums squares;
    private final ExactSums total = new ExactSums(1); // weights of individuals
    private final long[] totals = new long[TOTALS];

    /** @param weighted whether individuals have weights; without, all count once */
    public PanelCounts(boolean weighted) {
        this.weighted = weighted;
        weights = new ExactSums(weighted ? times.length : 0);
        squares = new ExactSums(weighted ? times.length : 0);
    }

    private PanelCounts(boolean weighted, ExactSums weights, ExactSums squares) {
        this.weighted = weighted;
        this.weights = weights;
        this.squares = squares;
    }

    /**
     * Counts one row.
     *
     * @param before code of the row that led to it, or {@link #NONE}
     * @param code its own
     * @param weight of its individual; 1 without weights
     */
    public void add(int before, int code, double weight) {
        int at = place(key(before, code));
        times[at]++;
        see(at, individual, time++);
        if (weighted) {
            weights.add(at, weight);
            squares.add(at, weight * weight);
        }
    }

    public void add(Total which, long count) {
        totals[which.place] += count;
    }

    private void see(int at, long where, int t) {
        if (where < first[at] || (where == first[at] && t < firstTime[at])) {
            first[at] = where;
            firstTime[at] = t;
        }
    }

    /**
     * Counts an individual that has decisions; its rows follow.
     *
     * @param where a number that grows with the place of the individual in its table
     */
    public void addIndividual(long where, long decisions, long breaks, double weight) {
        individual = where;
        time = 0;
        add(Total.INDIVIDUALS, 1);
        add(Total.DECISIONS, decisions);
        add(Total.BREAKS, breaks);
        total.add(0, weight);
    }

    private static long key(int before, int code) {
        return (before + 1L) << 32 | (code + 1);
    }

    private int place(long key) {
        int mask = keys.length - 1;
        int i = mix(key) & mask;
        while (keys[i] != key) {
            if (keys[i] == 0) {
                return added(key, i);
            }
            i = i + 1 & mask;
        }
        return slot[i];
    }

    private int added(long key, int at) {
        keys[at] = key;
        slot[at] = size;
        if (size == times.length) {
            pairs = Arrays.copyOf(pairs, 2 * size);
            times = Arrays.copyOf(times, 2 * size);
            first = Arrays.copyOf(first, 2 * size);
            firstTime = Arrays.copyOf(firstTime, 2 * size);
            if (weighted) {
                weights.grow(2 * size);
                squares.grow(2 * size);
            }
        }
        first[size] = Long.MAX_VALUE;
        pairs[size++] = key;
        if (2 * size > keys.length) {
            rehash();
        }
        return size - 1;
    }

    private void rehash() {
        int length = 2 * keys.length;
        keys = new long[length];
        slot = new int[length];
        for (int k = 0; k < size; k++) {
            int i = mix(pairs[k]) & length - 1;
            while (keys[i] != 0) {
                i = i + 1 & length - 1;
            }
            keys[i] = pairs[k];
            slot[i] = k;
        }
    }

    private static int mix(long key) {
        long mixed = key * 0x9E3779B97F4A7C15L;
        return (int) (mixed >>> 32);
    }

    /** Adds what another pass counted over other individuals; that one is left as it is. */
    public PanelCounts merge(PanelCounts other) {
        if (weighted != other.weighted) {
            throw new IllegalArgumentException("counts with and without weights");
        }
        for (int k = 0; k < other.size; k++) {
            int at = place(other.pairs[k]);
            times[at] += other.times[k];
            see(at, other.first[k], other.firstTime[k]);
            if (weighted) {
                weights.add(at, other.weights, k);
                squares.add(at, other.squares, k);
            }
        }
        total.add(0, other.total, 0);
        for (int i = 0; i < TOTALS; i++) {
            totals[i] += other.totals[i];
        }
        return this;
    }

    /** How many different pairs of rows there are. */
    public int size() {
        return size;
    }

    /** Code of the row before in pair i, or {@link #NONE}. */
    public int before(int i) {
        return (int) (pairs[i] >>> 32) - 1;
    }

    /** Code of the row in pair i. */
    public int code(int i) {
        return (int) pairs[i] - 1;
    }

    /** Whether pair i was seen before pair j: negative, zero or positive as comparators have it. */
    int compare(int i, int j) {
        int where = Long.compare(first[i], first[j]);
        int when = Integer.compare(firstTime[i], firstTime[j]);
        return where != 0 ? where : when != 0 ? when : Long.compare(pairs[i], pairs[j]);
    }

    /** How often pair i occurs. */
    public long times(int i) {
        return times[i];
    }

    /** Sum of the weights of the rows of pair i. */
    public double weight(int i) {
        return weighted ? weights.get(i) : times[i];
    }

    /** Sum of the squared weights of the rows of pair i. */
    public double squares(int i) {
        return weighted ? squares.get(i) : times[i];
    }

    /** The number of a pair, or -1 where it does not occur. */
    public int find(int before, int code) {
        long key = key(before, code);
        int mask = keys.length - 1;
        int i = mix(key) & mask;
        while (keys[i] != key) {
            if (keys[i] == 0) {
                return -1;
            }
            i = i + 1 & mask;
        }
        return slot[i];
    }

    public long total(Total which) {
        return totals[which.place];
    }

    /** Sum of the weights of the individuals that count. */
    public double totalWeight() {
        return total.get(0);
    }

    public boolean weighted() {
        return weighted;
    }

    /** Numbers of a pair. */
    private static int width(boolean weighted) {
        return PAIR + (weighted ? 2 * ExactSums.WORDS : 0);
    }

    /** All of it as plain numbers, pairs in ascending order: equal counts give equal arrays. */
    public long[] toArray() {
        long[] sorted = Arrays.copyOf(pairs, size);
        Arrays.sort(sorted);
        long[] all = new long[HEAD + width(weighted) * size];
        all[0] = weighted ? 1 : 0;
        all[1] = size;
        System.arraycopy(total.toArray(1), 0, all, 2, ExactSums.WORDS);
        System.arraycopy(totals, 0, all, HEAD - TOTALS, TOTALS);
        long[] sums = weighted ? weights.toArray(size) : new long[0];
        long[] ofSquares = weighted ? squares.toArray(size) : new long[0];
        int next = HEAD;
        for (long key : sorted) {
            int k = place(key);
            all[next++] = key;
            all[next++] = times[k];
            all[next++] = first[k];
            all[next++] = firstTime[k];
            if (weighted) {
                System.arraycopy(sums, ExactSums.WORDS * k, all, next, ExactSums.WORDS);
                System.arraycopy(ofSquares, ExactSums.WORDS * k, all, next + ExactSums.WORDS, ExactSums.WORDS);
                next += 2 * ExactSums.WORDS;
            }
        }
        return all;
    }

    /** The inverse of {@link #toArray}. */
    public static PanelCounts of(long[] all) {
        boolean weighted = all[0] == 1;
        int size = (int) all[1];
        int width = width(weighted);
        if (all.length != HEAD + width * size) {
            throw new IllegalArgumentException("%d numbers are no counts of %d pairs".formatted(all.length, size));
        }
        int capacity = Math.max(64, size);
        long[] sums = new long[weighted ? ExactSums.WORDS * capacity : 0];
        long[] ofSquares = new long[sums.length];
        for (int k = 0; weighted && k < size; k++) {
            int from = HEAD + width * k + PAIR;
            System.arraycopy(all, from, sums, ExactSums.WORDS * k, ExactSums.WORDS);
            System.arraycopy(all, from + ExactSums.WORDS, ofSquares, ExactSums.WORDS * k, ExactSums.WORDS);
        }
        PanelCounts made = new PanelCounts(weighted, ExactSums.of(sums), ExactSums.of(ofSquares));
        made.pairs = new long[capacity];
        made.times = new long[capacity];
        made.first = new long[capacity];
        made.firstTime = new int[capacity];
        made.size = size;
        for (int k = 0; k < size; k++) {
            int from = HEAD + width * k;
            made.pairs[k] = all[from];
            made.times[k] = all[from + 1];
            made.first[k] = all[from + 2];
            made.firstTime[k] = (int) all[from + 3];
        }
        made.keys = new long[Math.max(128, Integer.highestOneBit(Math.max(1, size)) * 2)];
        made.rehash();
        made.total.add(0, ExactSums.of(Arrays.copyOfRange(all, 2, 2 + ExactSums.WORDS)), 0);
        System.arraycopy(all, HEAD - TOTALS, made.totals, 0, TOTALS);
        return made;
    }
}
