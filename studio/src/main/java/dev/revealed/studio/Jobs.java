package dev.revealed.studio;

import dev.revealed.numeric.BadInput;
import dev.revealed.runs.RunFiles;
import dev.revealed.runs.RunSpec;
import dev.revealed.runs.RunState;
import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Commands that the page starts, each in a new folder below the first of the folders shown, and runs that go on where they
 * are. Each is a program of its own, which goes on when the page is closed or the server ends. Where the system has no
 * {@code setsid}, as macOS, Ctrl-C in the terminal of the server ends them too.
 */
final class Jobs {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,79}");
    private static final int TAIL = 6000; // bytes of what a command printed last
    private static final int MOST_AT_ONCE = 16;

    /** Keeps signals from a command that are meant for the server's terminal. */
    private static final List<String> APART = apart();

    private static final String UPLOADS = "uploads";
    private static final String OUT = "out"; // the setting that names a command's folder

    private final Path root;
    private final Commands commands;
    private final Map<String, Started> started = new LinkedHashMap<>();
    private int count;

    Jobs(Path root, Commands commands) {
        this.root = root;
        this.commands = commands;
    }

    private static List<String> apart() {
        return Stream.of(String.valueOf(System.getenv("PATH")).split(File.pathSeparator, -1))
                .map(folder -> Path.of(folder, "setsid"))
                .filter(Files::isExecutable)
                .findFirst()
                .map(program -> List.of(program.toString()))
                .orElse(List.of());
    }

    private record Started(String id, List<String> command, Path folder, Process process) {}

    /**
     * A command that was started.
     *
     * @param run the id of its folder, under which its curve is found
     * @param exit its exit code, where it has ended
     */
    record Job(
            String id,
            List<String> command,
            String folder,
            String run,
            @Nullable Integer exit,
            String output) {}

    /** What is wrong, and what to do; empty where nothing is. */
    record Checked(String problem, String remedy) {}

    /** A file that was uploaded, and how it begins. */
    record Uploaded(String path, List<String> first, int lines) {}

    synchronized List<Job> list() {
        return started.values().stream().map(Jobs::job).toList().reversed();
    }

    private static Job job(Started each) {
        return new Job(
                each.id,
                each.command,
                each.folder.toString(),
                Catalogue.id(each.folder),
                each.process.isAlive() ? null : (Integer) each.process.exitValue(),
                tail(RunFiles.output(each.folder)));
    }

    /** Starts a command in a new folder of that name. */
    Job start(Map<?, ?> asked) {
        Map<String, String> given = given(asked);
        Path folder = root.resolve(name(Request.text(asked, "name")));
        BadInput.when(
                Files.exists(folder, LinkOption.NOFOLLOW_LINKS),
                "%s is there already".formatted(folder),
                "Choose another name.");
        given.put(OUT, folder.toString());
        return launch(commands.words(Request.text(asked, "command"), given), folder);
    }

    /** What is wrong with the files of a command that is not started yet. */
    Checked check(Map<?, ?> asked) {
        try {
            commands.check(commands.words(Request.text(asked, "command"), given(asked)));
            return new Checked("", "");
        } catch (BadInput e) {
            return new Checked(e.problem(), e.remedy());
        }
    }

    /** The options that are asked for, of which the command must know each. */
    private Map<String, String> given(Map<?, ?> asked) {
        String command = Request.text(asked, "command");
        Commands.Form form = commands.forms().stream()
                .filter(each -> each.name().equals(command))
                .findFirst()
                .orElseThrow(
                        () -> new BadInput("there is no command '%s' to start".formatted(command), "Reload the page."));
        List<String> known = form.groups().stream()
                .flatMap(group -> group.fields().stream())
                .map(Commands.Field::name)
                .toList();
        Map<String, String> given = new LinkedHashMap<>();
        if (asked.get("options") instanceof Map<?, ?> options) {
            options.forEach((name, value) -> {
                BadInput.when(
                        !known.contains(name), "'%s' is no option of %s".formatted(name, command), "Reload the page.");
                given.put(String.valueOf(name), String.valueOf(value));
            });
        }
        return given;
    }

    /** Goes on with an interrupted run. */
    Job resume(Catalogue.Run run) {
        BadInput.when(
                RunState.of(run.folder()).kind() == RunState.Kind.RUNNING
                        || RunState.of(run.folder()).kind() == RunState.Kind.FINISHED,
                "the run is not interrupted",
                "Only interrupted runs can go on.");
        List<String> words = RunSpec.read(run.folder()).provenance().command();
        BadInput.when(
                words.isEmpty() || !NAME.matcher(words.getFirst()).matches(),
                "the run does not say which command made it",
                "Go on with it in the terminal.");
        Map<String, String> on = Map.of("resume", "", OUT, run.folder().toString());
        return launch(commands.words(words.getFirst(), on), run.folder());
    }

    private synchronized Job launch(List<String> words, Path folder) {
        List<Started> running =
                started.values().stream().filter(each -> each.process.isAlive()).toList();
        BadInput.when(
                running.size() >= MOST_AT_ONCE,
                "%d commands are running".formatted(running.size()),
                "Wait for one to end, or stop one.");
        String run = Catalogue.id(folder);
        BadInput.when(
                running.stream().anyMatch(each -> Catalogue.id(each.folder).equals(run)),
                "a command is running in %s already".formatted(folder),
                "Wait for it to end, or stop it.");
        Path output = RunFiles.output(folder);
        try {
            Files.createDirectories(root);
            Process process = new ProcessBuilder(Stream.concat(APART.stream(), commands.launch(words).stream())
                            .toList())
                    .redirectErrorStream(true)
                    .redirectInput(
                            ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                    .redirectOutput(output.toFile())
                    .start();
            Started job = new Started(Integer.toString(++count), words, folder, process);
            started.put(job.id, job);
            return job(job);
        } catch (IOException e) {
            throw new BadInput(
                    "the command cannot be started (%s)".formatted(BadInput.reason(e)),
                    "Check who may write to " + root);
        }
    }

    /** Asks a command to end; a run that has checkpoints can go on later. */
    synchronized boolean stop(String id) {
        Started job = started.get(id);
        if (job != null) {
            job.process.destroy();
        }
        return job != null;
    }

    /** Keeps a table that the user chose, below the folder. */
    Uploaded upload(Map<?, ?> asked) {
        String text = Request.text(asked, "text");
        Path file = root.resolve(UPLOADS).resolve(name(Request.text(asked, "name")));
        BadInput.when(text.isBlank(), "the file is empty", "Choose another.");
        try {
            BadInput.when(
                    Files.isSymbolicLink(root.resolve(UPLOADS)) || Files.isSymbolicLink(file),
                    "%s is a link".formatted(file),
                    "Choose another name.");
            Files.createDirectories(root.resolve(UPLOADS));
            Files.writeString(file, text);
        } catch (IOException e) {
            throw new BadInput(
                    "%s cannot be written (%s)".formatted(file, BadInput.reason(e)),
                    "Check the permissions of that folder.");
        }
        List<String> lines = text.lines().toList();
        return new Uploaded(file.toString(), lines.subList(0, Math.min(200, lines.size())), lines.size());
    }

    private static String name(String given) {
        BadInput.when(
                !NAME.matcher(given).matches(),
                "'%s' cannot be a name".formatted(given),
                "Use letters, digits, points, hyphens and underscores, at most 80.");
        return given;
    }

    private static String tail(Path file) {
        try (RandomAccessFile in = new RandomAccessFile(file.toFile(), "r")) {
            in.seek(Math.max(0, in.length() - TAIL));
            byte[] bytes = new byte[(int) Math.min(TAIL, in.length())];
            in.readFully(bytes);
            String text = new String(bytes, StandardCharsets.UTF_8);
            return text.replaceAll("[^\\n\\r]*\\r(?!\\n)", "").replaceAll("\\u001b\\[[0-9;]*[A-Za-z]", "");
        } catch (IOException e) {
            return "";
        }
    }
}
