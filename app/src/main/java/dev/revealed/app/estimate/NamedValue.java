package dev.revealed.app.estimate;

import dev.revealed.app.view.Table;
import dev.revealed.app.view.Table.Field;
import java.util.List;
import java.util.stream.IntStream;

/** A parameter and its value, as documents and tables list them. */
record NamedValue(String name, double value) {
    /** As many as have both a name and a value. */
    static List<NamedValue> of(List<String> names, double[] values) {
        return IntStream.range(0, Math.min(names.size(), values.length))
                .mapToObj(j -> new NamedValue(names.get(j), values[j]))
                .toList();
    }

    static Table table(List<NamedValue> values) {
        return Table.of(values, Field.text("parameter", NamedValue::name), Field.number("value", 6, NamedValue::value));
    }
}
