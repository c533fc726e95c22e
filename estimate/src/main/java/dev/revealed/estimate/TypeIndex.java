package dev.revealed.estimate;

import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.Closest;
import dev.revealed.numeric.Vec;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Where the parameters of each unobserved type's utility stand among all: those that differ between types once per type, as
 * {@code RC[1], RC[2]}, the others once.
 *
 * @param position {@code [type][parameter of the utility]}
 */
public record TypeIndex(int types, int[][] position, List<String> names) {

    public static TypeIndex of(List<String> parameters, int types, List<String> specific) {
        for (String name : specific) {
            Closest.place(
                    "'%s' is not a parameter of the utility, so it cannot differ between types".formatted(name),
                    name,
                    parameters,
                    "The parameters are");
        }
        if (types > 1 && specific.isEmpty()) {
            throw new BadInput("no parameter differs between the types", "Name at least one that does.");
        }
        int[][] position = new int[types][parameters.size()];
        List<String> names = new ArrayList<>();
        for (int j = 0; j < parameters.size(); j++) {
            String name = parameters.get(j);
            boolean differs = types > 1 && specific.contains(name);
            for (int k = 0; k < types; k++) {
                position[k][j] = names.size();
                if (differs || k == types - 1) {
                    names.add(differs ? "%s[%d]".formatted(name, k + 1) : name);
                }
            }
        }
        return new TypeIndex(types, position, List.copyOf(names));
    }

    public int size() {
        return names.size();
    }

    public boolean differs(int j) {
        return position[0][j] != position[types - 1][j];
    }

    /** The utility parameters of one type. */
    public double[] of(int type, double[] all) {
        return IntStream.of(position[type]).mapToDouble(at -> all[at]).toArray();
    }

    /** all += what one type's parameters say. */
    public void add(int type, double scale, double[] own, double[] all) {
        for (int j = 0; j < own.length; j++) {
            all[position[type][j]] += scale * own[j];
        }
    }

    public void addMatrix(int type, double[][] own, double[][] all) {
        for (int j = 0; j < own.length; j++) {
            double[] row = new double[all.length];
            add(type, 1, own[j], row);
            Vec.axpy(1, row, all[position[type][j]]);
        }
    }

    /** The types by the first parameter that differs, ascending. */
    public int[] order(double[] all) {
        int first = IntStream.range(0, position[0].length)
                .filter(this::differs)
                .findFirst()
                .orElse(0);
        return IntStream.range(0, types)
                .boxed()
                .sorted(Comparator.comparingDouble(k -> all[position[k][first]]))
                .mapToInt(k -> k)
                .toArray();
    }

    /** The same parameters with the types renumbered: type k is now what {@code order[k]} was. */
    public double[] renumbered(double[] all, int[] order) {
        double[] renumbered = new double[all.length];
        for (int k = 0; k < types; k++) {
            for (int j = 0; j < position[k].length; j++) {
                renumbered[position[k][j]] = all[position[order[k]][j]];
            }
        }
        return renumbered;
    }
}
