package dev.revealed.data.route;

import dev.revealed.numeric.BadInput;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Links with attributes, and perhaps their nodes and lines on a map.
 *
 * @param fromNodes the node where each link starts; empty where nodes are not known
 * @param shapes by link; empty where nothing is known of any
 */
record LinkTable(
        Path file,
        List<String> names,
        List<Column> columns,
        List<String> fromNodes,
        List<String> toNodes,
        Shape[] shapes) {

    LinkTable {
        names = List.copyOf(names);
        columns = List.copyOf(columns);
        fromNodes = List.copyOf(fromNodes);
        toNodes = List.copyOf(toNodes);
        BadInput.when(names.isEmpty(), file + ": there are no links", "Give a row for every link.");
    }

    Map<String, Integer> rows() {
        Map<String, Integer> rows = new HashMap<>();
        for (int row = 0; row < names.size(); row++) {
            rows.put(names.get(row), row);
        }
        return rows;
    }
}
