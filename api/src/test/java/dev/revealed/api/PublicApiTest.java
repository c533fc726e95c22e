package dev.revealed.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.revealed.mdp.Dynamics;
import dev.revealed.mdp.Episode;
import dev.revealed.mdp.Simulator;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.RandomStream;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Public are the types of dev.revealed.api and the few others that programs on it must name; docs/design/api.md says why. Their
 * signatures mention no other type of ours, and none that was released goes away unnoticed.
 */
class PublicApiTest {
    /** Types of other packages that belong to the API, with those nested in them. */
    private static final List<Class<?>> OTHERS =
            List.of(Dynamics.class, Simulator.class, Episode.class, RandomStream.class, BadInput.class);

    private static final Set<String> OF_EVERY_OBJECT = Set.of("equals", "hashCode", "toString");

    private static final Path RELEASED = Path.of("released-signatures.txt");
    private static final String FREEZE =
            "revealed.freeze-api"; // -Drevealed.freeze-api writes the file anew, at a release

    @Test
    void mentionsNoInternalType() throws Exception {
        Set<Class<?>> open = publicTypes();
        Set<String> internal = new TreeSet<>();
        for (Class<?> type : open) {
            for (Class<?> mentioned : mentioned(type)) {
                if (mentioned.getName().startsWith("dev.revealed.") && !open.contains(mentioned)) {
                    internal.add("%s mentions %s".formatted(type.getName(), mentioned.getName()));
                }
            }
        }
        assertThat(internal)
                .as("internal types in public signatures: hide them, or list them as public")
                .isEmpty();
    }

    @Test
    void keepsWhatWasReleased() throws Exception {
        Set<String> now = signatures();
        if (Boolean.getBoolean(FREEZE)) {
            Files.write(RELEASED, now);
        }
        List<String> released = Files.readAllLines(RELEASED);
        Set<String> gone = new TreeSet<>(released);
        gone.removeAll(now);
        assertThat(gone)
                .as(
                        "released signatures that are gone or changed: keep them, or freeze the new ones with -D%s=true and say"
                                + " so in the change log",
                        FREEZE)
                .isEmpty();
        assertThat(now.stream()
                        .filter(line -> line.contains(" abstract ")
                                && !released.contains(line)
                                && released.contains("type " + line.replaceAll(".* ([\\w.$]+)\\.\\w+\\(.*", "$1"))))
                .as("new abstract methods, which programs that implement a released interface do not have")
                .isEmpty();
    }

    private static Set<Class<?>> publicTypes() throws IOException, URISyntaxException, ClassNotFoundException {
        Set<Class<?>> types = new LinkedHashSet<>();
        Path classes = Path.of(Estimates.class.getResource("Estimates.class").toURI());
        try (Stream<Path> files = Files.list(classes.resolveSibling("."))) {
            for (Path file : files.sorted().toList()) {
                String name = file.getFileName().toString();
                if (name.endsWith(".class") && !name.contains("$") && !name.equals("package-info.class")) {
                    addWithNested(Class.forName("dev.revealed.api." + name.replace(".class", "")), types);
                }
            }
        }
        OTHERS.forEach(type -> addWithNested(type, types));
        return types;
    }

    private static void addWithNested(Class<?> type, Set<Class<?>> into) {
        if (Modifier.isPublic(type.getModifiers())) {
            into.add(type);
            for (Class<?> nested : type.getDeclaredClasses()) {
                addWithNested(nested, into);
            }
        }
    }

    private static Set<String> signatures() throws Exception {
        Set<String> lines = new TreeSet<>();
        for (Class<?> type : publicTypes()) {
            lines.add("type " + type.getTypeName());
            lines.add("header " + type.toGenericString() + " : "
                    + supertypes(type).map(Type::getTypeName).collect(Collectors.joining(", ")));
            Stream.of(
                            fields(type).map(Field::toGenericString),
                            executables(type).map(Executable::toGenericString))
                    .flatMap(all -> all)
                    .forEach(lines::add);
        }
        return lines;
    }

    private static Stream<Type> supertypes(Class<?> type) {
        return Stream.concat(
                Stream.ofNullable(type.getGenericSuperclass()), Arrays.stream(type.getGenericInterfaces()));
    }

    private static Stream<Field> fields(Class<?> type) {
        return Arrays.stream(type.getDeclaredFields())
                .filter(field -> Modifier.isPublic(field.getModifiers()) && !field.isSynthetic());
    }

    private static Stream<Executable> executables(Class<?> type) {
        Stream<Constructor<?>> constructors = Arrays.stream(type.getDeclaredConstructors());
        Stream<Method> methods = Arrays.stream(type.getDeclaredMethods());
        return Stream.<Executable>concat(constructors, methods)
                .filter(each -> Modifier.isPublic(each.getModifiers())
                        && !each.isSynthetic()
                        && !OF_EVERY_OBJECT.contains(each.getName()));
    }

    private static Set<Class<?>> mentioned(Class<?> type) {
        List<Type> all = new ArrayList<>();
        supertypes(type).forEach(all::add);
        fields(type).map(Field::getGenericType).forEach(all::add);
        executables(type).forEach(each -> {
            all.addAll(List.of(each.getGenericParameterTypes()));
            all.addAll(List.of(each.getGenericExceptionTypes()));
            if (each instanceof Method method) {
                all.add(method.getGenericReturnType());
            }
        });
        Set<Class<?>> classes = new LinkedHashSet<>();
        all.forEach(each -> collect(each, classes));
        return classes;
    }

    private static void collect(Type type, Set<Class<?>> into) {
        switch (type) {
            case Class<?> plain -> into.add(plain.isArray() ? element(plain) : plain);
            case ParameterizedType made -> {
                collect(made.getRawType(), into);
                Arrays.stream(made.getActualTypeArguments()).forEach(each -> collect(each, into));
            }
            case GenericArrayType array -> collect(array.getGenericComponentType(), into);
            case WildcardType wild -> {
                Arrays.stream(wild.getUpperBounds()).forEach(each -> collect(each, into));
                Arrays.stream(wild.getLowerBounds()).forEach(each -> collect(each, into));
            }
            case TypeVariable<?> _ -> {} // its bounds would be found where it is declared; ours have none
            default -> throw new IllegalArgumentException(type.getTypeName());
        }
    }

    private static Class<?> element(Class<?> array) {
        Class<?> type = array;
        while (type.isArray()) {
            type = type.componentType();
        }
        return type;
    }
}
