package dev.revealed.bridge;

import dev.revealed.numeric.BadInput;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * A program that simulates: how it is started, and what it is called. {@link WorldProcesses} runs it.
 *
 * @param name in results and messages
 * @param command and its arguments
 * @param language whose program it is, in messages
 */
public record WorldProgram(String name, List<String> command, String language) {
    /** Before the name of an environment of Gymnasium. */
    public static final String GYM = "gym:";

    /** Before a command line. */
    public static final String EXEC = "exec:";

    /** Among what a program says of itself: how many choices its actions are, where the largest of so many numbers chooses. */
    public static final String CHOICES = "choices";

    private static final String SETTING = "REVEALED_PYTHON";
    private static final String CLIENT = "revealed_env.py";

    public WorldProgram {
        command = List.copyOf(command);
    }

    /** Whether a task is named as a program's. */
    public static boolean names(String task) {
        return task.startsWith(GYM) || task.startsWith(EXEC);
    }

    /**
     * The program that a task names.
     *
     * @param task {@code gym:Pendulum-v1}, {@code gym:module:Class}, {@code gym:file.py:Class} or {@code exec:command}
     * @param arguments for the environment, a JSON object
     * @param horizon steps after which episodes are truncated; 0 for the environment's own
     */
    public static WorldProgram of(String task, String arguments, int horizon) {
        if (task.startsWith(EXEC)) {
            String line = task.substring(EXEC.length()).strip();
            BadInput.when(line.isEmpty(), "`task` names no program", "Write it after exec:, with its arguments.");
            BadInput.when(
                    !arguments.isEmpty(),
                    "`task-args` has no effect on a program of one's own",
                    "Write its arguments behind it: exec:./world first second.");
            return new WorldProgram(task, List.of(line.split(" +")), "program");
        }
        String environment = task.substring(GYM.length());
        BadInput.when(
                environment.isBlank(),
                "`task` names no environment",
                "Write its id after gym:, such as gym:Pendulum-v1, or gym:module:Class or gym:file.py:Class.");
        List<String> command = new ArrayList<>(python());
        command.addAll(List.of(environment, arguments.isEmpty() ? "{}" : arguments, Integer.toString(horizon)));
        return new WorldProgram(shortened(task), command, "Python");
    }

    /** The same environment in Python alone, for {@code bench}: it waits for a line, steps and says when it did. */
    public static List<String> alone(String environment, String arguments, int steps, int environments) {
        List<String> command = new ArrayList<>(python());
        command.addAll(
                List.of("alone", environment, arguments, "0", Integer.toString(steps), Integer.toString(environments)));
        return command;
    }

    /** A path is shown by its last name. */
    private static String shortened(String task) {
        int colon = task.lastIndexOf(':');
        String where = colon <= GYM.length() ? "" : task.substring(GYM.length(), colon);
        Path file = Path.of(where);
        return where.endsWith(".py") ? GYM + file.getFileName() + task.substring(colon) : task;
    }

    /** A task that is started from any folder: files by their whole paths. */
    public static String whole(String task) {
        int colon = task.lastIndexOf(':');
        if (!task.startsWith(GYM) || colon <= GYM.length()) {
            return task;
        }
        String where = task.substring(GYM.length(), colon);
        return where.endsWith(".py") ? GYM + Path.of(where).toAbsolutePath().normalize() + task.substring(colon) : task;
    }

    private static List<String> python() {
        String named = System.getProperty("revealed.python", System.getenv(SETTING));
        return List.of(named == null || named.isBlank() ? "python3" : named, "-c", client());
    }

    /** The text of the Python client. */
    public static String client() {
        try (InputStream text = Objects.requireNonNull(WorldProgram.class.getResourceAsStream(CLIENT))) {
            return new String(text.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    BadInput cannotStart(IOException e) {
        String first = command.getFirst();
        return new BadInput(
                "%s cannot be started: %s (%s)".formatted(name, first, BadInput.reason(e)),
                language.equals("Python")
                        ? "Install Python 3 with numpy, or name its program with %s.".formatted(SETTING)
                        : "Name a program that is there and may be executed.");
    }
}
