package dev.revealed.settings;

import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.Closest;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a record, those of records inside it included. Whoever needs to know them asks here: the command line for
 * its options, a run folder for what to write and read, a page for its table.
 *
 * @param <R> a record whose components have {@link Setting}, or are such records
 */
public record Settings<R extends Record>(Class<R> type) {
    public static <R extends Record> Settings<R> of(Class<R> type) {
        return new Settings<>(type);
    }

    /** Those of the record's type. */
    @SuppressWarnings("unchecked") // the class of a record is that of its type: records have no subclasses
    public static <R extends Record> Settings<R> of(R record) {
        return of((Class<R>) record.getClass());
    }

    private static List<Item> items(Class<?> type) {
        List<Item> items = new ArrayList<>();
        for (RecordComponent component : type.getRecordComponents()) {
            Setting setting = component.getAnnotation(Setting.class);
            if (setting != null) {
                items.add(Item.of(component, setting));
            } else if (component.getType().isRecord()) {
                items.addAll(items(component.getType()));
            }
        }
        return items;
    }

    /** In the order of the record. */
    public List<Item> items() {
        return items(type);
    }

    public List<String> names() {
        return items().stream().map(Item::name).toList();
    }

    /** Every setting of these records by name, as a spec has them. */
    public static Map<String, Object> values(Record... records) {
        Map<String, Object> values = new TreeMap<>();
        for (Record record : records) {
            collect(record, values);
        }
        return values;
    }

    private static void collect(Record record, Map<String, Object> into) {
        for (RecordComponent component : record.getClass().getRecordComponents()) {
            Setting setting = component.getAnnotation(Setting.class);
            Object value = get(component, record);
            if (setting != null) {
                Item item = Item.of(component, setting);
                into.put(item.name(), item.plain(value));
            } else if (value instanceof Record inner) {
                collect(inner, into);
            }
        }
    }

    /** Whether two records say the same, arrays by what is in them. */
    public static boolean same(Record one, @Nullable Object other) {
        return other instanceof Record record
                && record.getClass() == one.getClass()
                && values(one).equals(values(record));
    }

    /**
     * The record with other values for some of its settings.
     *
     * @param given text as it was typed, or values of a spec, by name; names of other records are passed over
     */
    public R with(R base, Map<String, ?> given) {
        return make(type, base, given);
    }

    /**
     * The record that a spec recorded: every one of its settings must be there.
     *
     * @param base for what is no setting
     */
    public R read(R base, Map<String, ?> recorded) {
        List<String> missing =
                names().stream().filter(name -> recorded.get(name) == null).toList();
        BadInput.when(
                !missing.isEmpty(),
                "the setting %s is not recorded".formatted(String.join(", ", missing)),
                "It was started by another version: go on with that one, or start again in another folder.");
        return make(type, base, recorded);
    }

    private static <T> T make(Class<T> type, @Nullable Object base, Map<String, ?> given) {
        RecordComponent[] components = type.getRecordComponents();
        @Nullable Object[] values = new Object[components.length];
        Class<?>[] types =
                Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
        for (int i = 0; i < values.length; i++) {
            Setting setting = components[i].getAnnotation(Setting.class);
            Object before = base == null ? null : get(components[i], base);
            if (setting == null) {
                values[i] = types[i].isRecord() ? make(types[i], before, given) : before;
            } else {
                Item item = Item.of(components[i], setting);
                Object typed = given.get(item.name());
                values[i] = typed == null ? before : item.read(typed);
                item.check(Objects.requireNonNull(values[i], item.name()));
            }
        }
        try {
            Constructor<T> constructor = type.getDeclaredConstructor(types);
            constructor.setAccessible(true);
            return constructor.newInstance(values);
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof RuntimeException refusal) {
                throw refusal; // what the record itself has to say about its values
            }
            throw new IllegalStateException(e);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * Refuses values outside their ranges, for the constructor of a record.
     *
     * @param values of the components that are settings, in their order
     */
    public static void check(Class<? extends Record> type, Object... values) {
        List<Item> own = Arrays.stream(type.getRecordComponents())
                .filter(component -> component.isAnnotationPresent(Setting.class))
                .map(component -> Item.of(component, component.getAnnotation(Setting.class)))
                .toList();
        if (own.size() != values.length) {
            throw new IllegalArgumentException("%s has %d settings".formatted(type.getSimpleName(), own.size()));
        }
        for (int i = 0; i < values.length; i++) {
            own.get(i).check(values[i]);
        }
    }

    private static Object get(RecordComponent component, Object record) {
        try {
            component.getAccessor().setAccessible(true);
            return Objects.requireNonNull(component.getAccessor().invoke(record), component.getName());
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Refuses settings that nobody here knows. */
    public static void refuseUnknown(Collection<String> given, Collection<String> known) {
        for (String name : given) {
            if (!known.contains(name)) {
                throw new BadInput(
                        "the setting %s is not known".formatted(name),
                        Closest.question(name, known)
                                + "It may be of another version: go on with that one, or begin again in another folder.");
            }
        }
    }
}
