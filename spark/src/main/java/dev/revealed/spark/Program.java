package dev.revealed.spark;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;

/**
 * The rest of Revealed, loaded apart from Spark: its jars lie inside the jar of this class, and see none of Spark's
 * libraries, whose versions differ.
 */
final class Program {
    /** A folder with the jars, where they need not be unpacked. */
    static final String LIBRARIES = "revealed.libraries";

    private static final String MAIN = "dev.revealed.app.Main";
    private static final String CLUSTER = "dev.revealed.app.tasks.Cluster";
    private static final String HOST = "dev.revealed.app.tasks.TaskHost";

    private final ClassLoader loader;

    private Program(ClassLoader loader) {
        this.loader = loader;
    }

    private static final class Loaded {
        static final Program PROGRAM = new Program(loader());
    }

    static Program loaded() {
        return Loaded.PROGRAM;
    }

    /** Runs a command, and gives its exit code. */
    int run(String[] args, BiConsumer<Map<String, Object>, BiConsumer<Integer, String>> engine) {
        return (int) inside(() -> {
            loader.loadClass(CLUSTER).getMethod("connect", BiConsumer.class).invoke(null, engine);
            return loader.loadClass(MAIN).getMethod("run", String[].class).invoke(null, (Object) args);
        });
    }

    /** The tasks of a command, each of which gives its result as JSON, by the question and its number. */
    @SuppressWarnings("unchecked") // what that method gives
    BiFunction<double[][], Integer, String> tasks(
            List<String> arguments, String list, String inputs, Map<String, List<String>> earlier, int threads) {
        BiFunction<double[][], Integer, String> tasks =
                (BiFunction<double[][], Integer, String>) inside(() -> loader.loadClass(HOST)
                        .getMethod("tasks", List.class, String.class, String.class, Map.class, int.class)
                        .invoke(null, arguments, list, inputs, earlier, threads));
        return (question, task) -> (String) inside(() -> tasks.apply(question, task));
    }

    /** What is done with the classes of the program. */
    private interface Call {
        Object make() throws ReflectiveOperationException;
    }

    private Object inside(Call call) {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(loader);
        try {
            return call.make();
        } catch (InvocationTargetException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw new IllegalStateException(String.valueOf(cause.getMessage()), cause);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("the program is not whole: " + e, e);
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    private static ClassLoader loader() {
        String folder = System.getProperty(LIBRARIES);
        try {
            List<URL> urls = new ArrayList<>();
            for (Path jar : folder == null ? unpacked() : jars(Path.of(folder))) {
                urls.add(jar.toUri().toURL());
            }
            return new URLClassLoader("revealed", urls.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
        } catch (IOException | URISyntaxException e) {
            throw new IllegalStateException("the jars of Revealed cannot be unpacked: " + e.getMessage(), e);
        }
    }

    private static List<Path> jars(Path folder) throws IOException {
        List<Path> jars = new ArrayList<>();
        try (DirectoryStream<Path> found = Files.newDirectoryStream(folder, "*.jar")) {
            found.forEach(jars::add);
        }
        return jars;
    }

    /** The jars inside this class's jar, in a folder that goes when the program ends. */
    private static List<Path> unpacked() throws IOException, URISyntaxException {
        Path self = Path.of(Program.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        Path folder = Files.createTempDirectory("revealed-");
        List<Path> jars = new ArrayList<>();
        try (FileSystem zip = FileSystems.newFileSystem(self)) {
            for (Path jar : jars(zip.getPath("lib"))) {
                Path copy = folder.resolve(String.valueOf(jar.getFileName()));
                try (InputStream in = Files.newInputStream(jar)) {
                    Files.copy(in, copy);
                }
                jars.add(copy);
            }
        }
        Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().unstarted(() -> remove(folder, jars)));
        return jars;
    }

    private static void remove(Path folder, List<Path> jars) {
        try {
            for (Path jar : jars) {
                Files.deleteIfExists(jar);
            }
            Files.deleteIfExists(folder);
        } catch (IOException | UncheckedIOException e) {
            // It only takes up space in the folder for temporary files.
        }
    }
}
