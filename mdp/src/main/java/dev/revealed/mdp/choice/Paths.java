package dev.revealed.mdp.choice;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The paths of some individuals through the different observations of a panel. */
@FunctionalInterface
public interface Paths {
    /** Goes through them, in the order of the individuals. */
    void forEach(KeptIndividuals.PathVisitor visitor);

    /** The same in memory, for those who go through them often. */
    default Paths inMemory() {
        List<int[]> all = new ArrayList<>();
        List<Double> weights = new ArrayList<>();
        int[] first = {0};
        forEach((individual, weight, path, length) -> {
            first[0] = all.isEmpty() ? individual : first[0];
            all.add(Arrays.copyOf(path, length));
            weights.add(weight);
        });
        return visitor -> {
            for (int i = 0; i < all.size(); i++) {
                visitor.see(first[0] + i, weights.get(i), all.get(i), all.get(i).length);
            }
        };
    }
}
