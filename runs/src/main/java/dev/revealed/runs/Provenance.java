package dev.revealed.runs;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Optional;
import java.util.Properties;

/**
 * The origin of a result: version, commit, and whether the sources were as committed. Holds nothing that differs
 * between two runs of the same command with the same seed on the same Java, so that their documents can be compared
 * byte by byte; times belong elsewhere.
 *
 * @param version of Revealed
 * @param commit of its sources, where the launcher knows it
 * @param clean whether the sources were as committed, likewise
 * @param java version of the Java that ran it
 * @param seed of every random stream
 * @param command the arguments, from the verb on
 */
public record Provenance(
        String version,
        Optional<String> commit,
        Optional<Boolean> clean,
        String java,
        long seed,
        List<String> command) {
    /** System properties by which a launcher says what sources it runs. */
    public static final String COMMIT = "revealed.commit";

    public static final String CLEAN = "revealed.clean";

    private static final String POM = "/META-INF/maven/dev.revealed/revealed-runs/pom.properties";

    public Provenance {
        command = List.copyOf(command);
    }

    /** The provenance of what is running now. */
    public static Provenance of(long seed, List<String> command) {
        return new Provenance(
                currentVersion(),
                Optional.ofNullable(System.getProperty(COMMIT)),
                Optional.ofNullable(System.getProperty(CLEAN)).map(Boolean::valueOf),
                Runtime.version().toString(),
                seed,
                command);
    }

    /** What follows that option in the command, nothing where it is not there; an empty text after the last word. */
    public Optional<String> typed(String option) {
        for (int i = 0; i < command.size(); i++) {
            String word = command.get(i);
            if (word.equals("--" + option)) {
                return Optional.of(i + 1 < command.size() ? command.get(i + 1) : "");
            }
            if (word.startsWith("--" + option + "=")) {
                return Optional.of(word.substring(option.length() + 3));
            }
        }
        return Optional.empty();
    }

    /** The version Maven put into the jar; {@code development} where classes run without one. */
    public static String currentVersion() {
        try (InputStream in = Provenance.class.getResourceAsStream(POM)) {
            Properties properties = new Properties();
            if (in != null) {
                properties.load(in);
            }
            return properties.getProperty("version", "development");
        } catch (IOException e) {
            return "development"; // a version that cannot be read must not cost anybody a result
        }
    }
}
