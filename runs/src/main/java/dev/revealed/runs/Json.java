package dev.revealed.runs;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.revealed.numeric.BadInput;
import dev.revealed.settings.Part;
import java.lang.reflect.Constructor;
import java.lang.reflect.RecordComponent;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.SequencedMap;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.stream.DoubleStream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.util.DefaultIndenter;
import tools.jackson.core.util.DefaultPrettyPrinter;
import tools.jackson.databind.AnnotationIntrospector;
import tools.jackson.databind.BeanDescription;
import tools.jackson.databind.BeanProperty;
import tools.jackson.databind.DatabindException;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.SerializationConfig;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.ValueSerializer;
import tools.jackson.databind.cfg.MapperConfig;
import tools.jackson.databind.exc.UnrecognizedPropertyException;
import tools.jackson.databind.introspect.AnnotatedMember;
import tools.jackson.databind.introspect.JacksonAnnotationIntrospector;
import tools.jackson.databind.introspect.NopAnnotationIntrospector;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;
import tools.jackson.databind.ser.ValueSerializerModifier;
import tools.jackson.databind.type.MapType;
import tools.jackson.databind.util.NameTransformer;

/**
 * Writes and reads all JSON of Revealed: records in the order of their fields, the same bytes for the same values on
 * every machine, empty optionals left out, and numbers that JSON cannot hold (NaN, infinities) as null.
 */
public final class Json {
    private static final JsonMapper MAPPER = JsonMapper.builder()
            .disable(MapperFeature.SORT_PROPERTIES_ALPHABETICALLY)
            .enable(SerializationFeature.INDENT_OUTPUT)
            .defaultPrettyPrinter(new DefaultPrettyPrinter().withObjectIndenter(new DefaultIndenter("  ", "\n")))
            .changeDefaultPropertyInclusion(all -> all.withValueInclusion(JsonInclude.Include.NON_ABSENT))
            .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .annotationIntrospector(
                    AnnotationIntrospector.pair(new PartsUnwrapped(), new JacksonAnnotationIntrospector()))
            .addModule(new SimpleModule("revealed")
                    .addSerializer(Double.class, Json.<Double>by(Json::number))
                    .addSerializer(double.class, Json.<Double>by(Json::number))
                    .addSerializer(Float.class, Json.<Float>by(Json::number))
                    .addSerializer(float.class, Json.<Float>by(Json::number))
                    .addSerializer(OptionalDouble.class, new OptionalFiniteOrNull())
                    .addSerializer(double[].class, Json.<double[]>by(Json::numbers))
                    .addSerializer(float[].class, Json.<float[]>by(Json::numbers))
                    .addDeserializer(double.class, new NumberOrNaN())
                    .addDeserializer(double[].class, new NumbersOrNaN())
                    .setSerializerModifier(new MapsInAnOrder()))
            .build();

    private Json() {}

    /** A pretty document that ends with a line feed. Maps keep their order where they have one; others are sorted. */
    public static String write(Object value) {
        return MAPPER.writeValueAsString(value) + "\n";
    }

    /** The same on one line, without a line feed, for files of one document per line. */
    public static String line(Object value) {
        return MAPPER.writer().without(SerializationFeature.INDENT_OUTPUT).writeValueAsString(value);
    }

    /** Reads a document of which nothing is missing: no field of a record is null, unless it may be. */
    public static <T> T whole(String json, Class<T> type) {
        T read = read(json, type);
        refuseMissing(read, "");
        return read;
    }

    /** Reads a document; null becomes NaN where a {@code double} is expected, and unknown fields are refused. */
    public static <T> T read(String json, Class<T> type) {
        try {
            T read = MAPPER.readValue(json, type);
            if (read == null) {
                refuseMissing(read, "");
            }
            return read;
        } catch (JacksonException e) {
            int line = e.getLocation() == null ? -1 : e.getLocation().getLineNr(); // -1: not known
            String place = line < 1 ? "" : "line %d: ".formatted(line);
            throw new BadInput(
                    "the JSON cannot be read as %s: %s%s".formatted(type.getSimpleName(), place, reason(e)),
                    "Check the file against the documentation.");
        }
    }

    private static void refuseMissing(@Nullable Object value, String path) {
        switch (value) {
            case null ->
                throw new BadInput(
                        path.isEmpty() ? "the JSON is null" : "the field '%s' is missing".formatted(path),
                        "Check the file against the documentation.");
            case Record record -> {
                for (RecordComponent component : record.getClass().getRecordComponents()) {
                    if (!component.getAnnotatedType().isAnnotationPresent(Nullable.class)) {
                        refuseMissing(
                                component(record, component),
                                path.isEmpty() ? component.getName() : path + "." + component.getName());
                    }
                }
            }
            case List<?> list -> list.forEach(item -> refuseMissing(item, path));
            case Object[] array -> {
                for (Object item : array) {
                    refuseMissing(item, path);
                }
            }
            default -> {}
        }
    }

    private static @Nullable Object component(Record record, RecordComponent component) {
        try {
            component.getAccessor().setAccessible(true);
            return component.getAccessor().invoke(record);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The fields of a document by name, those of its parts among them; what JSON cannot hold is null. */
    @SuppressWarnings("unchecked") // a record becomes an object, whose fields have names
    public static Map<String, Object> fields(Record record) {
        return MAPPER.convertValue(record, LinkedHashMap.class);
    }

    /**
     * A record made of the fields of a document; a {@link Part} takes its own from the same document. What is missing is not
     * a number, zero, or empty.
     *
     * @param concrete the record to read where a component is declared as an interface
     */
    public static <R extends Record> R fromFields(Map<?, ?> fields, Class<R> type, Class<?> concrete) {
        RecordComponent[] components = type.getRecordComponents();
        @Nullable Object[] values = new Object[components.length];
        Class<?>[] types = new Class<?>[components.length];
        for (int i = 0; i < components.length; i++) {
            types[i] = components[i].getType();
            Class<?> real = types[i].isAssignableFrom(concrete) && types[i].isInterface() ? concrete : types[i];
            try {
                values[i] = types[i].isAnnotationPresent(Part.class)
                        ? fromFields(fields, real.asSubclass(Record.class), concrete)
                        : read(fields, components[i]);
            } catch (JacksonException e) {
                throw new BadInput(
                        "the field '%s' cannot be read: %s".formatted(components[i].getName(), reason(e)),
                        "Check the file against the documentation.");
            }
        }
        try {
            Constructor<R> constructor = type.getDeclaredConstructor(types);
            constructor.setAccessible(true);
            return constructor.newInstance(values);
        } catch (ReflectiveOperationException e) {
            throw new BadInput(
                    e.getCause() instanceof BadInput bad
                            ? bad.problem()
                            : "the document is not a %s".formatted(type.getSimpleName()),
                    "Check the file against the documentation.");
        }
    }

    private static @Nullable Object read(Map<?, ?> fields, RecordComponent component) {
        ObjectReader reader = MAPPER.readerFor(MAPPER.constructType(component.getGenericType()));
        if (!fields.containsKey(component.getName())) {
            reader = reader.without(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES);
        }
        JsonNode value = MAPPER.valueToTree(fields.get(component.getName()));
        return reader.readValue(value);
    }

    /** What is wrong, without the names of Java's classes and without backticks, which stand for settings in messages. */
    private static String reason(JacksonException e) {
        return switch (e) {
            case UnrecognizedPropertyException unknown -> "unknown field '%s'".formatted(unknown.getPropertyName());
            case DatabindException wrong when wrong.getCause() instanceof BadInput bad -> bad.problem();
            case DatabindException wrong -> "%sit is not of the kind that belongs there".formatted(field(wrong));
            default -> e.getOriginalMessage().replace('`', '\'').replaceFirst("(?s) \\(start marker at .*", "");
        };
    }

    /** The innermost field that has a name. */
    private static String field(DatabindException e) {
        return e.getPath().stream()
                .map(JacksonException.Reference::getPropertyName)
                .filter(Objects::nonNull)
                .reduce((outer, inner) -> outer + "." + inner)
                .map("the field '%s': "::formatted)
                .orElse("");
    }

    /** Parts of a document are written as if their fields were its own. */
    private static final class PartsUnwrapped extends NopAnnotationIntrospector {
        private static final long serialVersionUID = 1L;

        @Override
        public @Nullable NameTransformer findUnwrappingNameTransformer(MapperConfig<?> config, AnnotatedMember member) {
            return member.getRawType().isAnnotationPresent(Part.class) ? NameTransformer.NOP : null;
        }
    }

    private static <T> ValueSerializer<T> by(BiConsumer<JsonGenerator, T> writer) {
        return new ValueSerializer<>() {
            @Override
            public void serialize(T value, JsonGenerator out, SerializationContext context) {
                writer.accept(out, value);
            }
        };
    }

    private static void number(JsonGenerator out, double value) {
        if (Double.isFinite(value)) {
            out.writeNumber(value);
        } else {
            out.writeNull();
        }
    }

    private static void number(JsonGenerator out, float value) {
        if (Float.isFinite(value)) {
            out.writeNumber(value); // as a float: its double has digits that were never there
        } else {
            out.writeNull();
        }
    }

    private static void numbers(JsonGenerator out, double[] values) {
        out.writeStartArray(values, values.length);
        for (double value : values) {
            number(out, value);
        }
        out.writeEndArray();
    }

    private static void numbers(JsonGenerator out, float[] values) {
        out.writeStartArray(values, values.length);
        for (float value : values) {
            number(out, value);
        }
        out.writeEndArray();
    }

    private static final class OptionalFiniteOrNull extends ValueSerializer<OptionalDouble> {
        @Override
        public void serialize(OptionalDouble value, JsonGenerator out, SerializationContext context) {
            number(out, value.orElse(Double.NaN));
        }

        @Override
        public boolean isEmpty(SerializationContext context, @Nullable OptionalDouble value) {
            return value == null || value.isEmpty();
        }
    }

    private static double number(JsonParser in, DeserializationContext context) {
        if (in.currentToken() == JsonToken.VALUE_NULL) {
            return Double.NaN;
        }
        if (!in.currentToken().isNumeric()) {
            return (double) context.handleUnexpectedToken(double.class, in);
        }
        return in.getDoubleValue();
    }

    private static final class NumberOrNaN extends ValueDeserializer<Double> {
        @Override
        public Double deserialize(JsonParser in, DeserializationContext context) {
            return number(in, context);
        }

        @Override
        public Object getNullValue(DeserializationContext context) {
            return Double.NaN;
        }
    }

    private static final class NumbersOrNaN extends ValueDeserializer<double[]> {
        @Override
        public double[] deserialize(JsonParser in, DeserializationContext context) {
            if (in.currentToken() != JsonToken.START_ARRAY) {
                return (double[]) context.handleUnexpectedToken(double[].class, in);
            }
            DoubleStream.Builder values = DoubleStream.builder();
            while (in.nextToken() != JsonToken.END_ARRAY) {
                values.add(number(in, context));
            }
            return values.build().toArray();
        }
    }

    /** Sorts maps that have no order of their own: that of Map.of and HashMap may change from run to run. */
    private static final class MapsInAnOrder extends ValueSerializerModifier {
        private static final long serialVersionUID = 1L;

        @Override
        @SuppressWarnings("unchecked") // Jackson hands over a serializer for maps
        public ValueSerializer<?> modifyMapSerializer(
                SerializationConfig config, MapType type, BeanDescription.Supplier bean, ValueSerializer<?> inner) {
            return new InAnOrder((ValueSerializer<Object>) inner);
        }
    }

    private static final class InAnOrder extends ValueSerializer<Map<?, ?>> {
        private final ValueSerializer<Object> inner;

        InAnOrder(ValueSerializer<Object> inner) {
            this.inner = inner;
        }

        @Override
        @SuppressWarnings("unchecked") // what makes a serializer for maps contextual gives one for maps
        public ValueSerializer<?> createContextual(SerializationContext context, @Nullable BeanProperty property) {
            return new InAnOrder((ValueSerializer<Object>) inner.createContextual(context, property));
        }

        @Override
        public boolean isEmpty(SerializationContext context, Map<?, ?> value) {
            return inner.isEmpty(context, value);
        }

        @Override
        public void serialize(Map<?, ?> value, JsonGenerator out, SerializationContext context) {
            inner.serialize(value instanceof SequencedMap ? value : new TreeMap<>(value), out, context);
        }
    }
}
