package dev.revealed.app.spoil;

import dev.revealed.app.Cli;
import dev.revealed.mujoco.Task;
import dev.revealed.numeric.BadInput;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Runs commands on spoiled inputs. Whatever a file holds, a command ends with exit code 0 or 2, shows no stack trace and no
 * class of an exception, and leaves nothing behind: with exit code 2 every file is as it was.
 */
final class SpoiledInputs {
    private static final long LIMIT_MILLIS = 60_000;
    private static final int REPORTED = 1000; // commands between two lines that say how far it is
    private static final Pattern TRACE = Pattern.compile(
            "internal failure|\\tat [\\w.$/]+\\(|\\b[A-Z]\\w+(Exception|Error)\\b|\\b(java|dev\\.revealed|io\\.jhdf|tools\\.jackson)\\.[a-z]+\\.");
    private static final Pattern FAILED_RUN = Pattern.compile("(?m)^[\\w-]+ failed: ");
    private static final Pattern UNFINISHED = Pattern.compile(".*(tmp|\\.part|~)$");

    /** A count that makes a command take long, and rightly so. */
    private static final Pattern LONG =
            Pattern.compile("\\b(steps|iterations|block|episodes|hidden|rollouts|simulators|critics|update-ratio"
                    + "|random-steps|recent|reward-hidden|seeds|yard|batch|bootstrap)\\b\"?\\s*:?\\s*\\[?\\s*"
                    + "(\\d+,\\s*)*\\d[\\d.eE+_]{3,}");

    private final Originals originals;
    private final Path work;
    private final Path kept;
    private final PrintStream log;
    private final Map<String, int[]> counts = new TreeMap<>();
    private final List<String> failures = new ArrayList<>();

    /** What one command did. */
    private record End(int code, String out, String err) {}

    /**
     * Prepares to spoil.
     *
     * @param folder an empty one to work in
     * @param slow whether to run commands that take seconds
     * @param kept where the inputs of commands that fail are kept
     */
    SpoiledInputs(Path folder, boolean slow, Path kept, PrintStream log) throws IOException {
        this.work = folder.resolve("work");
        this.kept = kept;
        this.log = log;
        originals = Originals.in(folder.resolve("originals"), mujoco(), slow);
    }

    private static boolean mujoco() {
        try {
            Task.HOPPER.simulator().close();
            return true;
        } catch (BadInput e) {
            if ("true".equals(System.getenv("CI"))) {
                throw e;
            }
            System.err.println("SKIPPED: demonstrations, policies and rewards: " + e.getMessage());
            return false;
        }
    }

    /** Runs a command for each seed. */
    SpoiledInputs run(long firstSeed, int count) throws IOException {
        for (int i = 0; i < count; i++) {
            one(firstSeed + i);
            if (i % REPORTED == REPORTED - 1) {
                log.printf("%d done, %d failures%n", i + 1, failures.size());
            }
        }
        return this;
    }

    List<String> failures() {
        return List.copyOf(failures);
    }

    private void one(long seed) throws IOException {
        Random random = new Random(seed * 0x9E3779B97F4A7C15L);
        random.nextLong();
        List<SpoiledCommand> commands = originals.commands();
        SpoiledCommand command;
        String spoiled;
        do {
            command = commands.get(random.nextInt(commands.size()));
            spoiled = spoil(command, prepare(command), random);
        } while (spoiled.isEmpty());
        List<String> words = words(command);
        boolean json = random.nextBoolean();
        if (json) {
            words.add("--json");
        }
        Map<String, String> before = snapshot(work);
        long from = System.nanoTime();
        End end = timed(words);
        String problem = problem(command, json, before, end);
        count(command, end.code, problem.isEmpty());
        double seconds = (System.nanoTime() - from) / 1e9;
        if (seconds > 5) {
            log.printf(Locale.ROOT, "slow: %.1f s, seed %d, %s%n", seconds, seed, String.join(" ", words));
        }
        if (!problem.isEmpty()) {
            keep(seed, words, spoiled, problem, end);
        }
    }

    /** Runs every command on inputs that are as they should be; what it says of those that fail. */
    List<String> runUnspoiled() throws IOException {
        List<String> failed = new ArrayList<>();
        for (SpoiledCommand command : originals.commands()) {
            prepare(command);
            End end = timed(words(command));
            if (end.code != 0) {
                failed.add(command.words() + ": " + end.err);
            }
        }
        return failed;
    }

    /** A folder with copies of what a command reads. */
    private Path prepare(SpoiledCommand command) throws IOException {
        delete(work);
        Path in = Files.createDirectories(work.resolve("in"));
        for (String input : command.inputs()) {
            Originals.copy(originals.folder().resolve(input), in.resolve(input));
        }
        relocate(in);
        return in;
    }

    private List<String> words(SpoiledCommand command) {
        String in = work.resolve("in").toString();
        List<String> words =
                new ArrayList<>(List.of(command.words().replace("{in}", in).split(" ", -1)));
        words.addAll(List.of("--threads", "1"));
        if (!command.resumes()) {
            words.addAll(List.of("--out", work.resolve("out").toString()));
        }
        return words;
    }

    /** Runs recorded where their inputs lie: they go on with the copies. */
    private void relocate(Path in) throws IOException {
        try (Stream<Path> all = Files.walk(in)) {
            for (Path file :
                    all.filter(path -> path.toString().endsWith(".json")).toList()) {
                String text = Files.readString(file);
                String moved = text.replace(originals.folder().toString(), in.toString());
                if (!moved.equals(text)) {
                    Files.writeString(file, moved);
                }
            }
        }
    }

    /** Spoils one of the inputs, or two; nothing where that could make the command take long. */
    private String spoil(SpoiledCommand command, Path in, Random random) throws IOException {
        Pattern pattern = Pattern.compile(command.spoiled());
        List<Path> candidates;
        try (Stream<Path> all = Files.walk(in)) {
            candidates = all.filter(Files::isRegularFile)
                    .filter(path ->
                            pattern.matcher(in.relativize(path).toString()).matches())
                    .sorted()
                    .toList();
        }
        if (candidates.isEmpty()) {
            throw new IllegalStateException("nothing to spoil for " + command);
        }
        List<String> names = new ArrayList<>();
        for (int i = random.nextInt(8) == 0 ? 2 : 1; i > 0; i--) {
            Path file = candidates.get(random.nextInt(candidates.size()));
            if (!Files.isRegularFile(file)) {
                continue;
            }
            switch (random.nextInt(20)) {
                case 0 -> Files.delete(file);
                case 1 -> {
                    Files.delete(file);
                    Files.createDirectory(file);
                }
                case 2, 3 -> Files.write(file, Files.readAllBytes(other(random)));
                default -> {
                    byte[] bytes = new Damage(random).spoil(file.toString(), Files.readAllBytes(file));
                    if (LONG.matcher(new String(bytes, StandardCharsets.UTF_8)).find()
                            && file.toString().matches(".*(spec\\.json|txt|yaml)")) {
                        return "";
                    }
                    Files.write(file, bytes);
                }
            }
            names.add(in.relativize(file).toString());
        }
        return String.join(", ", names);
    }

    private Path other(Random random) throws IOException {
        try (Stream<Path> all = Files.walk(originals.folder())) {
            List<Path> files = all.filter(Files::isRegularFile)
                    .filter(path -> !path.toString().matches(".*(spec\\.json|txt)"))
                    .sorted()
                    .toList();
            return files.get(random.nextInt(files.size()));
        }
    }

    private static End timed(List<String> words) {
        End[] end = new End[1];
        Cli cli = new Cli();
        Thread thread = Thread.ofPlatform().daemon().start(() -> {
            try {
                end[0] = new End(cli.run(words.toArray(String[]::new)), cli.out(), cli.err());
            } catch (Throwable e) { // whatever comes out of a command is a defect
                StringBuilder trace = new StringBuilder(e.toString());
                for (int i = 0; i < Math.min(12, e.getStackTrace().length); i++) {
                    trace.append("\n\tat ").append(e.getStackTrace()[i]);
                }
                end[0] = new End(-1, "", trace.toString());
            }
        });
        try {
            thread.join(LIMIT_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (thread.isAlive()) {
            String where =
                    Stream.of(thread.getStackTrace()).map(Object::toString).collect(Collectors.joining("\n\tat "));
            thread.interrupt();
            return new End(-2, "", "not done after a minute\n\tat " + where);
        }
        return end[0];
    }

    private String problem(SpoiledCommand command, boolean json, Map<String, String> before, End end)
            throws IOException {
        if (end.code != 0 && end.code != 2) {
            return "ends with " + end.code;
        }
        if (TRACE.matcher(end.err).find()) {
            return "shows a trace or a class";
        }
        boolean some = end.code == 2 && FAILED_RUN.matcher(end.err).find(); // of many, the others come to their ends
        if (end.code == 2
                && !some
                && end.err.lines().filter(line -> line.startsWith("revealed: ")).count() != 1) {
            return "has not one message";
        }
        if (json && end.code == 2 && !some && !end.out.isEmpty()) {
            return "prints a document and fails";
        }
        if (json && end.code == 0 && !end.out.startsWith("{")) {
            return "prints no document";
        }
        Map<String, String> after = snapshot(work);
        for (String name : after.keySet()) {
            if (!before.containsKey(name) && UNFINISHED.matcher(name).matches()) {
                return "leaves " + name;
            }
        }
        boolean reported = end.err.contains("What was measured so far is in ") // a run that can go on
                || end.err.contains("A folder of that name is in the way");
        if (end.code == 2 && !some && !reported && !before.equals(after)) {
            Map<String, String> changed = new TreeMap<>(after);
            changed.entrySet().removeIf(each -> each.getValue().equals(before.get(each.getKey())));
            before.keySet().stream()
                    .filter(name -> !after.containsKey(name))
                    .forEach(name -> changed.put("without " + name, ""));
            return "fails and changes " + changed.keySet();
        }
        if (end.code == 0 && !command.resumes()) {
            for (Map.Entry<String, String> each : before.entrySet()) {
                if (!each.getValue().equals(after.get(each.getKey()))) {
                    return "changes its input " + each.getKey();
                }
            }
        }
        return "";
    }

    private void count(SpoiledCommand command, int code, boolean good) {
        int[] row = counts.computeIfAbsent("%-17s %-20s".formatted(command.verb(), command.kind()), name -> new int[4]);
        row[0]++;
        row[1] += code == 0 ? 1 : 0;
        row[2] += code == 2 ? 1 : 0;
        row[3] += good ? 0 : 1;
    }

    private void keep(long seed, List<String> words, String spoiled, String problem, End end) throws IOException {
        Path there = kept.resolve(Long.toString(seed));
        delete(there);
        Originals.copy(work, there);
        String all =
                "seed %d: %s %s (spoiled: %s; kept in %s)".formatted(seed, words.getFirst(), problem, spoiled, there);
        Files.writeString(
                there.resolve("failure.txt"),
                String.join(
                        "\n", all, "./revealed " + String.join(" ", words), "exit code " + end.code, end.err, end.out));
        failures.add(all);
        log.println(all);
    }

    /** A line for each command and kind of file. */
    String table() {
        StringBuilder text = new StringBuilder("%-17s %-20s %6s %6s %6s %8s%n"
                .formatted("command", "spoiled", "tried", "exit 0", "exit 2", "failures"));
        int[] sum = new int[4];
        counts.forEach((name, row) -> {
            text.append("%s %6d %6d %6d %8d%n".formatted(name, row[0], row[1], row[2], row[3]));
            for (int i = 0; i < 4; i++) {
                sum[i] += row[i];
            }
        });
        return text.append("%-38s %6d %6d %6d %8d%n".formatted("all", sum[0], sum[1], sum[2], sum[3]))
                .toString();
    }

    private static Map<String, String> snapshot(Path folder) throws IOException {
        Map<String, String> files = new TreeMap<>();
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path path : all.toList()) {
                files.put(
                        folder.relativize(path).toString(),
                        Files.isRegularFile(path) ? hash(Files.readAllBytes(path)) : "");
            }
        }
        return files;
    }

    private static String hash(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    static void delete(Path folder) throws IOException {
        if (!Files.exists(folder)) {
            return;
        }
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    /** COUNT SEED KEPT WORK: prints a table, and each failure with the seed that repeats it; exit code 1 where there is any. */
    public static void main(String[] args) throws IOException {
        Locale.setDefault(Locale.ROOT);
        Path folder = Files.createTempDirectory(Path.of(args[3]), "spoil-");
        PrintStream out = System.out;
        SpoiledInputs all = new SpoiledInputs(folder, true, Path.of(args[2]), out);
        if (Integer.parseInt(args[0]) == 0) {
            all.runUnspoiled().forEach(out::println);
        }
        long from = System.nanoTime();
        all.run(Long.parseLong(args[1]), Integer.parseInt(args[0]));
        out.print(all.table());
        out.printf("%.0f s, folder %s%n", (System.nanoTime() - from) / 1e9, folder);
        delete(folder);
        System.exit(all.failures.isEmpty() ? 0 : 1);
    }
}
