package dev.revealed.app.view;

import dev.revealed.settings.Label;
import dev.revealed.settings.Part;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.List;

/**
 * A number or word of a record that has a label, so that records can be shown by who does not know them.
 *
 * @param value a number, or text
 */
public record LabelledValue(Label label, Object value) {
    /** Those of a record in its order, parts included. */
    public static List<LabelledValue> of(Record record) {
        List<LabelledValue> all = new ArrayList<>();
        for (RecordComponent component : record.getClass().getRecordComponents()) {
            Object value = Table.value(component, record);
            Label label = component.getAnnotation(Label.class);
            if (label != null) {
                all.add(new LabelledValue(label, value));
            } else if (value instanceof Record inner && inner.getClass().isAnnotationPresent(Part.class)) {
                all.addAll(of(inner));
            }
        }
        return all;
    }

    public double number() {
        return value instanceof Number number ? number.doubleValue() : Double.NaN;
    }

    private boolean whole() {
        return value instanceof Long || value instanceof Integer;
    }

    /** In a table of names and values. */
    public String text() {
        return whole()
                ? Numbers.count(((Number) value).longValue())
                : value instanceof Number ? Numbers.significant(number(), label.digits()) : value.toString();
    }

    /** Above a column of such values. */
    public Table.Column column() {
        return whole() ? Table.Column.number(label.value(), 9) : Table.Column.decimals(label.value(), label.digits());
    }
}
