package dev.revealed.data;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Numbers names in order of first appearance. Runs of the same name, the usual case, cost no string per row. */
final class Names {
    private final Map<String, Integer> number = new HashMap<>();
    private final List<String> names = new ArrayList<>();
    private int last = -1;

    int number(Csv csv, int column) {
        if (last < 0 || !csv.reads(column, names.get(last))) {
            String name = csv.text(column);
            last = number.computeIfAbsent(name, fresh -> names.size());
            if (last == names.size()) {
                names.add(name);
            }
        }
        return last;
    }

    List<String> inOrder() {
        return List.copyOf(names);
    }
}
