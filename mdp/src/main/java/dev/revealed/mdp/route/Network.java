package dev.revealed.mdp.route;

import dev.revealed.numeric.BadInput;
import java.util.Arrays;
import java.util.List;

/**
 * Links of a road network and the pairs of links that can be driven one after the other, in compressed rows: link k is
 * followed by {@code to[start[k]] .. to[start[k + 1] - 1]}, in ascending order.
 *
 * @param names of links, as the user calls them
 */
public record Network(List<String> names, int[] start, int[] to) {

    public Network {
        names = List.copyOf(names);
        if (start.length != names.size() + 1 || start[0] != 0 || start[names.size()] != to.length) {
            throw new BadInput(
                    "%d links have %d row starts for %d pairs".formatted(names.size(), start.length, to.length),
                    "Give a start for every link and the number of pairs at the end.");
        }
        for (int k = 0; k < names.size(); k++) {
            for (int e = start[k]; e < start[k + 1]; e++) {
                BadInput.index("link", to[e], names.size());
                if (e > start[k] && to[e] <= to[e - 1]) {
                    throw new BadInput(
                            "links that follow link '%s' are not in ascending order".formatted(names.get(k)),
                            "Sort them, and name each once.");
                }
            }
        }
    }

    public int links() {
        return names.size();
    }

    public int pairs() {
        return to.length;
    }

    /** The number of the pair, or a negative number where {@code next} cannot be entered from {@code link}. */
    public int pair(int link, int next) {
        return Arrays.binarySearch(to, start[link], start[link + 1], next);
    }

    /** By link, the links from which it can be entered. */
    public int[][] before() {
        int[] count = new int[links()];
        for (int link : to) {
            count[link]++;
        }
        int[][] before = new int[links()][];
        Arrays.setAll(before, link -> new int[count[link]]);
        for (int k = 0; k < links(); k++) {
            for (int e = start[k]; e < start[k + 1]; e++) {
                before[to[e]][--count[to[e]]] = k;
            }
        }
        return before;
    }
}
