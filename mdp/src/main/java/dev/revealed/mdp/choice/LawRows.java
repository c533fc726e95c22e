package dev.revealed.mdp.choice;

import dev.revealed.mdp.Kernel;
import dev.revealed.mdp.kernel.FactoredKernel;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.sparse.ProductMatrix;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Which distributions move the variables in the rows of a law, or in those of one period; whether kernels are made of these
 * factors or entry by entry; and the products with derivatives of the law that the factors make cheap.
 */
final class LawRows {
    /** A kernel with fewer entries is written down: products with it take no time. */
    private static final double LEAST_ENTRIES = 100_000;

    /** Factors must promise so many times less work. */
    private static final double GAIN = 2;

    private final TransitionLaw law;
    private final int firstPart; // the period is not moved by chance
    private final int offset; // number of the first state
    private final int states;
    private final Dictionary dictionary;
    private final int[][] id; // [part][row]: the distribution that moves it
    private final @Nullable Tuples tuples; // null where kernels are made entry by entry
    private @Nullable FactoredKernel last;

    /** A distribution over the values of a variable: a cell, and where its outcomes lead; null where to their own places. */
    private record Move(int cell, @Nullable List<Integer> places) {}

    /** The different distributions of each part, numbered. */
    private static final class Dictionary {
        private final List<Map<Move, Integer>> numbers = new ArrayList<>();
        private final List<List<Move>> moves = new ArrayList<>();

        Dictionary(int parts) {
            for (int v = 0; v < parts; v++) {
                numbers.add(new HashMap<>());
                moves.add(new ArrayList<>());
            }
        }

        int number(int v, Move move) {
            return numbers.get(v).computeIfAbsent(move, fresh -> {
                moves.get(v).add(fresh);
                return moves.get(v).size() - 1;
            });
        }
    }

    private record Tuples(ProductMatrix.Structure structure, int[] ofRow) {}

    private LawRows(
            TransitionLaw law, int firstPart, int offset, int states, TransitionLaw.Plan plan, Dictionary dictionary) {
        this.law = law;
        this.firstPart = firstPart;
        this.offset = offset;
        this.states = states;
        this.dictionary = dictionary;
        int parts = law.parts().size() - firstPart;
        id = (parts > 1 && plan != TransitionLaw.Plan.ENTRIES) || firstPart > 0 ? ids(parts) : new int[0][];
        tuples = parts > 1 && plan != TransitionLaw.Plan.ENTRIES ? chosen(plan) : null;
    }

    static LawRows whole(TransitionLaw law, TransitionLaw.Plan plan) {
        return new LawRows(
                law, 0, 0, law.space().size(), plan, new Dictionary(law.parts().size()));
    }

    /** From each period but the last to the next; periods whose rows move alike are equal. */
    static List<LawRows> byPeriod(TransitionLaw law, TransitionLaw.Plan plan) {
        int states = law.space().stride(0);
        Dictionary dictionary = new Dictionary(law.parts().size());
        List<LawRows> all = new ArrayList<>();
        for (int t = 0; t + 1 < law.space().variables().getFirst().size(); t++) {
            all.add(new LawRows(law, 1, t * states, states, plan, dictionary));
        }
        return all;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof LawRows rows && law == rows.law && Arrays.deepEquals(id, rows.id);
    }

    @Override
    public int hashCode() {
        return Arrays.deepHashCode(id);
    }

    boolean factored() {
        return tuples != null;
    }

    private int[][] ids(int parts) {
        int actions = law.actions();
        int[][] ids = new int[parts][states * actions];
        for (int k = 0; k < parts; k++) {
            int v = k + firstPart;
            TransitionLaw.Part part = law.parts().get(v);
            int[] plain =
                    new int[part.family().cells()]; // numbers of the cells whose outcomes lead to their own places
            Arrays.fill(plain, -1);
            for (int row = 0; row < ids[k].length; row++) {
                int s = offset + row / actions;
                int a = row % actions;
                int cell = part.cell().of(s, a);
                if (part.destination().isOutcome(s, a)) {
                    if (plain[cell] < 0) {
                        plain[cell] = dictionary.number(v, new Move(cell, null));
                    }
                    ids[k][row] = plain[cell];
                } else {
                    ids[k][row] = dictionary.number(v, new Move(cell, places(part, cell, s, a)));
                }
            }
        }
        return ids;
    }

    private static List<Integer> places(TransitionLaw.Part part, int cell, int s, int a) {
        Integer[] places = new Integer[part.family().outcomes(cell)];
        Arrays.setAll(places, o -> part.destination().of(s, a, o));
        return List.of(places);
    }

    private int outcomes(int v, int number) {
        return law.parts().get(v).family().outcomes(dictionary.moves.get(v).get(number).cell);
    }

    /** The tuples, where they promise less work than the entries. */
    private @Nullable Tuples chosen(TransitionLaw.Plan plan) {
        double direct = 0;
        for (int row = 0; row < id[0].length; row++) {
            double entries = 1;
            for (int k = 0; k < id.length; k++) {
                entries *= outcomes(k + firstPart, id[k][row]);
            }
            direct += entries;
        }
        if (plan == TransitionLaw.Plan.AUTOMATIC && direct < LEAST_ENTRIES) {
            return null;
        }
        Tuples found = tuples();
        int[][] entries = new int[id.length][];
        for (int k = 0; k < id.length; k++) {
            int v = k + firstPart;
            entries[k] = new int[dictionary.moves.get(v).size()];
            Arrays.setAll(entries[k], number -> outcomes(v, number));
        }
        double cost = found.structure.cost(entries) + id[0].length;
        return plan == TransitionLaw.Plan.FACTORED || GAIN * cost < direct ? found : null;
    }

    /** Numbers the tuples of distributions that occur, from the last variable on; alike ones next to each other. */
    private Tuples tuples() {
        int n = id.length;
        int[] sizes = new int[n];
        int[][] which = new int[n][];
        int[][] rest = new int[n][];
        int[] following = new int[id[0].length];
        int count = 1;
        for (int k = n - 1; k >= 0; k--) {
            sizes[k] = law.space().variables().get(k + firstPart).size();
            long[] codes = new long[following.length];
            for (int row = 0; row < codes.length; row++) {
                codes[row] = (long) id[k][row] * count + following[row];
            }
            long[] different = Arrays.stream(codes).sorted().distinct().toArray();
            which[k] = new int[different.length];
            rest[k] = new int[different.length];
            for (int t = 0; t < different.length; t++) {
                which[k][t] = (int) (different[t] / count);
                rest[k][t] = (int) (different[t] % count);
            }
            for (int row = 0; row < codes.length; row++) {
                following[row] = Arrays.binarySearch(different, codes[row]);
            }
            count = different.length;
        }
        return new Tuples(new ProductMatrix.Structure(sizes, which, rest), following);
    }

    // ---- kernels

    Kernel kernel(TransitionLaw.Table table) {
        if (tuples != null) {
            return Kernel.of(states, law.actions(), factored(table));
        }
        double[][] p = new double[law.parts().size()][];
        return Kernel.of(states, law.actions(), (s, a, row) -> {
            table.at(offset + s, a, p);
            law.spread(offset + s, a, firstPart, 0, 1, p, row);
        });
    }

    private FactoredKernel factored(TransitionLaw.Table table) {
        Tuples all = Objects.requireNonNull(tuples);
        List<ProductMatrix.Factor> factors = new ArrayList<>();
        for (int k = 0; k < id.length; k++) {
            int v = k + firstPart;
            factors.add(factor(v, cell -> table.of(v, cell), true));
        }
        FactoredKernel known = last;
        FactoredKernel made = known == null
                ? new FactoredKernel(new ProductMatrix(all.structure, factors), all.ofRow)
                : known.with(known.product().with(factors));
        last = made;
        return made;
    }

    private interface ByCell {
        double[] numbers(int cell);
    }

    /** The distributions of a part; entries that are zero are left out. */
    private ProductMatrix.Factor factor(int v, ByCell numbers, boolean probabilities) {
        List<Move> moves = dictionary.moves.get(v);
        int[] start = new int[moves.size() + 1];
        int most = 0;
        for (int d = 0; d < moves.size(); d++) {
            most = Math.addExact(most, outcomes(v, d));
        }
        int[] column = new int[most];
        double[] value = new double[most];
        int size = 0;
        for (int d = 0; d < moves.size(); d++) {
            double[] own = numbers.numbers(moves.get(d).cell);
            double sum = 0;
            for (int o = 0; o < own.length; o++) {
                if (own[o] != 0) {
                    column[size] = place(moves.get(d), o);
                    value[size++] = own[o];
                    sum += own[o];
                }
            }
            start[d + 1] = size;
            if (probabilities) {
                normalise(v, sum, value, start[d], size);
            }
        }
        return new ProductMatrix.Factor(start, Arrays.copyOf(column, size), Arrays.copyOf(value, size));
    }

    private static int place(Move move, int outcome) {
        return move.places == null ? outcome : move.places.get(outcome);
    }

    private void normalise(int v, double sum, double[] value, int from, int to) {
        BadInput.when(
                !(Math.abs(sum - 1) <= Kernel.ROW_SUM_TOLERANCE),
                "the probabilities of a move of %s sum to %s"
                        .formatted(law.space().variables().get(v).name(), sum),
                "They must sum to 1.");
        for (int e = from; e < to && sum != 1; e++) {
            value[e] /= sum;
        }
    }

    // ---- derivatives

    /** rows of these states = dP/dphi_k of a part applied to the values. */
    void derivative(TransitionLaw.Table table, int part, int k, double[] values, double[] rows) {
        double[] ahead = ahead(values);
        int first = offset * law.actions();
        if (tuples == null) {
            double[][] p = new double[law.parts().size()][];
            for (int row = 0; row < states * law.actions(); row++) {
                int s = offset + row / law.actions();
                int a = row % law.actions();
                table.at(s, a, p);
                p[part] = slope(table, part, law.parts().get(part).cell().of(s, a), k);
                double[] sum = new double[1];
                law.spread(s, a, firstPart, 0, 1, p, (to, weight) -> sum[0] += weight * ahead[to]);
                rows[first + row] = sum[0];
            }
            return;
        }
        FactoredKernel kernel = factored(table);
        ProductMatrix.Factor moved = factor(part, cell -> slope(table, part, cell, k), false);
        double[] own = new double[states * law.actions()];
        kernel.with(kernel.product().with(part - firstPart, moved)).expect(0, ahead, own);
        System.arraycopy(own, 0, rows, first, own.length);
    }

    private double[] slope(TransitionLaw.Table table, int part, int cell, int k) {
        TransitionFamily family = law.parts().get(part).family();
        double[] slope = new double[family.outcomes(cell)];
        family.derivative(table.own(part), cell, k, slope);
        return slope;
    }

    /** Values of the states these rows lead to. */
    private double[] ahead(double[] values) {
        return firstPart == 0 ? values : Arrays.copyOfRange(values, offset + states, offset + 2 * states);
    }

    /** gradient[k] += sum over these rows of weight times dP/dphi_k values. */
    void gradient(TransitionLaw.Table table, double[] weight, double[] values, double[] gradient) {
        int first = offset * law.actions();
        double[] own = Arrays.copyOfRange(weight, first, first + states * law.actions());
        double[] ahead = ahead(values);
        if (tuples == null) {
            byEntries(table, own, ahead, gradient);
            return;
        }
        FactoredKernel kernel = factored(table);
        double[] byTuple = kernel.byTuple(own);
        for (int k = 0; k < id.length; k++) {
            int v = k + firstPart;
            TransitionFamily family = law.parts().get(v).family();
            if (family.parameters() == 0) {
                continue;
            }
            ProductMatrix.Factor all = factor(v, cell -> ones(family.outcomes(cell)), false);
            double[] given = kernel.product().gradient(k, all, byTuple, ahead);
            for (int d = 0; d + 1 < all.start().length; d++) {
                double[] ofCell = Arrays.copyOfRange(given, all.start()[d], all.start()[d + 1]);
                int cell = dictionary.moves.get(v).get(d).cell;
                family.accumulate(table.own(v), cell, 1, ofCell, gradient, law.first(v));
            }
        }
    }

    private static double[] ones(int n) {
        double[] ones = new double[n];
        Arrays.fill(ones, 1);
        return ones;
    }

    private void byEntries(TransitionLaw.Table table, double[] weight, double[] ahead, double[] gradient) {
        double[][] p = new double[law.parts().size()][];
        for (int row = 0; row < weight.length; row++) {
            int s = offset + row / law.actions();
            int a = row % law.actions();
            if (weight[row] == 0) {
                continue;
            }
            table.at(s, a, p);
            for (int v = firstPart; v < p.length; v++) {
                TransitionFamily family = law.parts().get(v).family();
                if (family.parameters() > 0) {
                    double[] kept = p[v];
                    double[] given = new double[kept.length]; // expected value given each outcome of this part
                    for (int o = 0; o < kept.length; o++) {
                        p[v] = new double[kept.length];
                        p[v][o] = 1;
                        int outcome = o;
                        law.spread(s, a, firstPart, 0, 1, p, (to, share) -> given[outcome] += share * ahead[to]);
                    }
                    p[v] = kept;
                    int cell = law.parts().get(v).cell().of(s, a);
                    family.accumulate(table.own(v), cell, weight[row], given, gradient, law.first(v));
                }
            }
        }
    }
}
