package dev.revealed.mdp;

import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.Parallel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * r = phi(x)' theta with sparse features. One number per state, or per (state, action), is the special case of indicator
 * features.
 */
public final class LinearReward extends Reward.PerInput {
    private final List<String> names;
    private final int[] start;
    private final int[] feature;
    private final double[] value;

    private LinearReward(
            int actions, boolean stateOnly, List<String> names, int[] start, int[] feature, double[] value) {
        super(actions, stateOnly);
        this.names = names;
        this.start = start;
        this.feature = feature;
        this.value = value;
    }

    /** One parameter per state. */
    public static LinearReward perState(int states, int actions) {
        return indicators(actions, true, new Reward.LazyNames(states, s -> "r(s" + s + ")"));
    }

    /** One parameter per state and action. */
    public static LinearReward perStateAction(int states, int actions) {
        return indicators(
                actions,
                false,
                new Reward.LazyNames(states * actions, row -> "r(s" + row / actions + " a" + row % actions + ")"));
    }

    private static LinearReward indicators(int actions, boolean stateOnly, List<String> names) {
        int n = names.size();
        double[] ones = new double[n];
        Arrays.fill(ones, 1);
        return new LinearReward(
                actions,
                stateOnly,
                names,
                IntStream.rangeClosed(0, n).toArray(),
                IntStream.range(0, n).toArray(),
                ones);
    }

    /** Features of each state: {@code features[s][j]}. */
    public static LinearReward ofStates(int actions, List<String> names, double[][] features) {
        return dense(actions, true, List.copyOf(names), features);
    }

    /** Features of each row: {@code features[s*A + a][j]}. */
    public static LinearReward ofRows(int actions, List<String> names, double[][] features) {
        return dense(actions, false, List.copyOf(names), features);
    }

    private static LinearReward dense(int actions, boolean stateOnly, List<String> names, double[][] features) {
        int count = 0;
        for (double[] row : features) {
            if (row.length != names.size()) {
                throw new BadInput(
                        "a feature row has %d values for %d names".formatted(row.length, names.size()),
                        "Give every feature in every row.");
            }
            for (double x : row) {
                count += x != 0 ? 1 : 0;
            }
        }
        int[] start = new int[features.length + 1];
        int[] feature = new int[count];
        double[] value = new double[count];
        int k = 0;
        for (int i = 0; i < features.length; i++) {
            for (int j = 0; j < names.size(); j++) {
                if (features[i][j] != 0) {
                    feature[k] = j;
                    value[k++] = BadInput.finite("feature " + names.get(j) + " of row " + i, features[i][j]);
                }
            }
            start[i + 1] = k;
        }
        return new LinearReward(actions, stateOnly, names, start, feature, value);
    }

    /** Features from entries in any order; {@code index} is a state when state-only and a row otherwise. */
    public static LinearReward ofTriplets(
            int actions, boolean stateOnly, int rows, List<String> names, int[] index, int[] feature, double[] value) {
        int[] start = new int[rows + 1];
        for (int k = 0; k < index.length; k++) {
            BadInput.index("feature", feature[k], names.size());
            BadInput.finite("feature " + names.get(feature[k]), value[k]);
            start[BadInput.index(stateOnly ? "state" : "row", index[k], rows) + 1]++;
        }
        Arrays.parallelPrefix(start, Integer::sum);
        int[] position = Arrays.copyOf(start, rows);
        int[] ordered = new int[index.length];
        double[] values = new double[index.length];
        for (int i = 0; i < index.length; i++) {
            int at = position[index[i]]++;
            ordered[at] = feature[i];
            values[at] = value[i];
        }
        return new LinearReward(actions, stateOnly, List.copyOf(names), start, ordered, values);
    }

    /** Whether this is a table: one parameter for each state, or for each state and action. */
    public boolean isTable() {
        return names.size() == inputs()
                && feature.length == names.size()
                && value.length > 0
                && Arrays.stream(value).allMatch(x -> x == 1);
    }

    /** The same reward with nothing known of one action, and without the parameters that only it has. */
    LinearReward without(int action) {
        boolean[] used = new boolean[names.size()];
        int[] rowStart = new int[start.length];
        int[] keptFeature = new int[feature.length];
        double[] keptValue = new double[value.length];
        int kept = 0;
        for (int row = 0; row < inputs(); row++) {
            for (int k = start[row]; k < start[row + 1] && row % actions() != action; k++) {
                used[feature[k]] = true;
                keptFeature[kept] = feature[k];
                keptValue[kept++] = value[k];
            }
            rowStart[row + 1] = kept;
        }
        int[] renumbered = new int[names.size()];
        List<String> usedNames = new ArrayList<>();
        for (int j = 0; j < used.length; j++) {
            renumbered[j] = usedNames.size();
            if (used[j]) {
                usedNames.add(names.get(j));
            }
        }
        int[] features =
                Arrays.stream(keptFeature, 0, kept).map(j -> renumbered[j]).toArray();
        return new LinearReward(
                actions(), false, List.copyOf(usedNames), rowStart, features, Arrays.copyOf(keptValue, kept));
    }

    @Override
    public boolean linear() {
        return true;
    }

    @Override
    int inputs() {
        return start.length - 1;
    }

    @Override
    public List<String> names() {
        return names;
    }

    @Override
    public void values(double[] theta, double[] rows) {
        Parallel.range(inputs(), (from, to) -> {
            for (int i = from; i < to; i++) {
                double sum = 0;
                for (int k = start[i]; k < start[i + 1]; k++) {
                    sum += value[k] * theta[feature[k]];
                }
                write(i, sum, rows);
            }
        });
    }

    @Override
    public void accumulate(double[] theta, double[] weight, double[] gradient) {
        for (int i = 0; i < inputs(); i++) {
            double w = weight(i, weight);
            if (w != 0) {
                for (int k = start[i]; k < start[i + 1]; k++) {
                    gradient[feature[k]] += w * value[k];
                }
            }
        }
    }

    @Override
    public void derivative(double[] theta, int j, double[] rows) {
        Parallel.range(inputs(), (from, to) -> {
            for (int i = from; i < to; i++) {
                double sum = 0;
                for (int k = start[i]; k < start[i + 1]; k++) {
                    sum += feature[k] == j ? value[k] : 0;
                }
                write(i, sum, rows);
            }
        });
    }
}
