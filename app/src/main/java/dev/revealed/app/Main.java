package dev.revealed.app;

import dev.revealed.app.certify.CertifyCommand;
import dev.revealed.app.estimate.CounterfactualCommand;
import dev.revealed.app.estimate.DemoCommand;
import dev.revealed.app.estimate.EstimateCommand;
import dev.revealed.app.estimate.FitTableCommand;
import dev.revealed.app.estimate.SimulateCommand;
import dev.revealed.app.reproduce.ReproduceCommand;
import dev.revealed.app.route.FlowsCommand;
import dev.revealed.app.route.PredictCommand;
import dev.revealed.app.studio.PlayCommand;
import dev.revealed.app.studio.StudioCommand;
import dev.revealed.app.tasks.GatherCommand;
import dev.revealed.app.tools.BenchCommand;
import dev.revealed.app.tools.BundleCommand;
import dev.revealed.app.tools.GpuCommand;
import dev.revealed.app.train.EvaluateCommand;
import dev.revealed.app.train.ExpertCommand;
import dev.revealed.app.train.ImitateCommand;
import dev.revealed.app.train.RecordCommand;
import dev.revealed.app.train.RewardCommand;
import dev.revealed.app.train.RewardIntervalsCommand;
import dev.revealed.app.train.WorldModelCommand;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.Descriptors;
import dev.revealed.runs.Provenance;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.management.ManagementFactory;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The command line: every verb, and what its exit code means: 0 done, 2 bad input, 1 an internal failure. */
@Command(
        name = "revealed",
        description = "Recovers why someone acts as they do: estimates the reward behind observed states and actions.",
        mixinStandardHelpOptions = true,
        versionProvider = Main.Version.class,
        synopsisSubcommandLabel = "COMMAND",
        footer = {"", "Start with:  ./revealed demo", "Then:        ./revealed COMMAND --help"})
public final class Main implements Runnable {
    private static final Pattern ENUM_VALUES = Pattern.compile("one of \\[([^\\]]*)\\](?: \\(case-insensitive\\))?");

    /** Every command, in the order of the help. */
    private static final List<Class<?>> VERBS = List.of(
            DemoCommand.class,
            EstimateCommand.class,
            SimulateCommand.class,
            PredictCommand.class,
            FlowsCommand.class,
            FitTableCommand.class,
            CounterfactualCommand.class,
            CertifyCommand.class,
            ExpertCommand.class,
            WorldModelCommand.class,
            ImitateCommand.class,
            RewardCommand.class,
            RewardIntervalsCommand.class,
            EvaluateCommand.class,
            RecordCommand.class,
            ReproduceCommand.class,
            StudioCommand.class,
            PlayCommand.class,
            BenchCommand.class,
            GpuCommand.class,
            BundleCommand.class,
            GatherCommand.class);

    /** Options that memory grows with. */
    private static final List<String> GREEDY =
            List.of("--replay", "--batch", "--at-once", "--size", "--states", "--machines", "--periods", "--length");

    @CommandLine.Spec
    private CommandLine.Model.CommandSpec spec = CommandLine.Model.CommandSpec.create();

    public static void main(String[] args) {
        System.exit(run(args));
    }

    /** Runs a command, and gives what the program should end with. */
    public static int run(String[] args) {
        Locale.setDefault(Locale.ROOT); // numbers read the same everywhere
        bringBackStandardError();
        return (args.length == 0 ? commandLine() : commandLine(args[0])).execute(args);
    }

    /** The launcher hides what Java says of incubating modules before a program begins; from here on all is heard. */
    private static void bringBackStandardError() {
        String kept = System.getenv("REVEALED_STDERR");
        if (kept != null && !Descriptors.copy(Integer.parseInt(kept), 2)) {
            try {
                System.setErr(new PrintStream(new FileOutputStream("/dev/fd/" + kept), true, StandardCharsets.UTF_8));
            } catch (IOException e) {
                // nothing to say it with
            }
        }
    }

    /** The command line with all of its commands. */
    public static CommandLine commandLine() {
        return commandLine(VERBS);
    }

    /** With one command alone where that is known, which takes a small part of the time to make. */
    public static CommandLine commandLine(String verb) {
        List<Class<?>> one = VERBS.stream()
                .filter(each -> each.getAnnotation(Command.class).name().equals(verb))
                .toList();
        return commandLine(one.isEmpty() ? VERBS : one);
    }

    private static CommandLine commandLine(List<Class<?>> verbs) {
        CommandLine line = new CommandLine(new Main());
        verbs.forEach(verb -> line.addSubcommand(verb));
        complete(line);
        line.registerConverter(int.class, text -> (int) whole(text, Integer.MAX_VALUE))
                .registerConverter(Integer.class, text -> (int) whole(text, Integer.MAX_VALUE))
                .registerConverter(long.class, text -> whole(text, Long.MAX_VALUE))
                .registerConverter(Long.class, text -> whole(text, Long.MAX_VALUE));
        return line.setCaseInsensitiveEnumValuesAllowed(true)
                .setUsageHelpAutoWidth(true)
                .setExecutionStrategy(Main::execute)
                .setParameterExceptionHandler((failure, args) -> refuse(failure))
                .setExecutionExceptionHandler((failure, command, parsed) -> explain(failure, command));
    }

    /** A whole number, which a person may write as 1e6. */
    private static long whole(String text, long most) {
        try {
            long value = new BigDecimal(text.strip()).longValueExact();
            if (Math.abs(value) <= most) {
                return value;
            }
        } catch (ArithmeticException | NumberFormatException e) {
            // said below
        }
        throw new CommandLine.TypeConversionException("'%s' is no whole number up to %d".formatted(text, most));
    }

    /** Adds to commands what is described elsewhere: studies, and settings of records. */
    private static void complete(CommandLine line) {
        for (CommandLine command : line.getSubcommands().values()) {
            if (command.getCommandSpec().userObject() instanceof ReproduceCommand) {
                ReproduceCommand.addStudies(command);
            }
            command.getHelpSectionMap()
                    .put(CommandLine.Model.UsageMessageSpec.SECTION_KEY_OPTION_LIST, Main::optionList);
            command.getHelpSectionMap().put(CommandLine.Model.UsageMessageSpec.SECTION_KEY_FOOTER, Examples::footer);
            if (command.getCommandSpec().userObject() instanceof BaseCommand verb) {
                SettingOptions.add(command.getCommandSpec(), verb.settingGroups());
            }
            complete(command);
        }
    }

    /** The options of a command, those of a mixin with a name of its own under that name. */
    private static String optionList(CommandLine.Help help) {
        List<CommandLine.Model.OptionSpec> general =
                new ArrayList<>(help.commandSpec().options());
        StringBuilder sections = new StringBuilder();
        help.commandSpec().mixins().forEach((name, mixin) -> {
            if (name.contains(" ")) { // else it is the name of a field
                general.removeAll(mixin.options());
                sections.append("%n%s:%n".formatted(name)).append(help.optionListExcludingGroups(mixin.options()));
            }
        });
        return help.optionListExcludingGroups(general) + sections;
    }

    /** A word the command line does not know: what is wrong, what was perhaps meant, and where to look. */
    private static int refuse(CommandLine.ParameterException failure) {
        CommandLine command = failure.getCommandLine();
        PrintWriter err = command.getErr();
        err.println("revealed: " + problem(failure));
        List<String> meant = abbreviated(failure, command);
        if (meant.isEmpty()) {
            CommandLine.UnmatchedArgumentException.printSuggestions(failure, err);
        } else {
            err.println("Did you mean: %s?".formatted(String.join(" or ", meant)));
        }
        err.println("  All options: ./revealed "
                + command.getCommandSpec()
                        .qualifiedName()
                        .replaceFirst("^revealed ?", "")
                        .concat(" --help")
                        .strip());
        err.flush();
        return 2;
    }

    /** Options whose words begin with the letters of one that is not known: --lr means --learning-rate. */
    private static List<String> abbreviated(CommandLine.ParameterException failure, CommandLine command) {
        if (!(failure instanceof CommandLine.UnmatchedArgumentException unmatched)
                || unmatched.getUnmatched().isEmpty()) {
            return List.of();
        }
        String typed = unmatched.getUnmatched().getFirst().replaceFirst("=.*", "");
        return command.getCommandSpec().optionsMap().keySet().stream()
                .filter(option -> option.startsWith("--") && option.contains("-"))
                .filter(option -> typed.equals(initials(option)))
                .sorted(Comparator.comparingInt(String::length))
                .toList();
    }

    private static String initials(String option) {
        return Arrays.stream(option.substring(2).split("-", -1))
                .filter(word -> !word.isEmpty())
                .map(word -> word.substring(0, 1))
                .collect(Collectors.joining("", "--", ""));
    }

    /** What picocli says, with the words that may be typed as the help shows them. */
    public static String problem(CommandLine.ParameterException failure) {
        if (failure.getCause() instanceof BadInput bad) { // of a converter of ours
            return Words.options(bad.problem() + "\n  " + bad.remedy());
        }
        return ENUM_VALUES
                .matcher(String.valueOf(failure.getMessage()))
                .replaceAll(found -> "one of "
                        + Stream.of(found.group(1).split(", "))
                                .map(word -> word.toLowerCase(Locale.ROOT).replace('_', '-')) // picocli names both
                                .distinct()
                                .collect(Collectors.joining(", ")));
    }

    /** Picocli shows the help for {@code nonsense --help}; it is a word that it does not know all the same. */
    private static int execute(CommandLine.ParseResult parsed) {
        if (!parsed.unmatched().isEmpty()) {
            return refuse(new CommandLine.UnmatchedArgumentException(
                    parsed.commandSpec().commandLine(), parsed.unmatched()));
        }
        try {
            return new CommandLine.RunLast().execute(parsed);
        } catch (OutOfMemoryError e) {
            CommandLine.ParseResult last = parsed;
            while (last.hasSubcommand()) {
                last = last.subcommand();
            }
            return outOfMemory(e, last.commandSpec().commandLine());
        }
    }

    private static int outOfMemory(OutOfMemoryError e, CommandLine command) {
        PrintWriter err = command.getErr();
        err.println("revealed: not enough memory (" + e.getMessage() + ")");
        err.println("  " + memoryRemedy(command.getCommandSpec()));
        err.flush();
        return 2;
    }

    /** What to do about too little memory, by options that the command has. */
    static String memoryRemedy(CommandLine.Model.CommandSpec command) {
        List<String> lower = GREEDY.stream()
                .filter(command.optionsMap()::containsKey)
                .filter(option -> !(command.userObject() instanceof BaseCommand verb) || verb.heeds(option))
                .toList();
        return (lower.isEmpty() ? "Use a smaller model" : "Use a smaller model, lower " + String.join(" or ", lower))
                + ", or allow more: REVEALED_JAVA_OPTS=-Xmx20g ./revealed ...";
    }

    private static int explain(Exception failure, CommandLine command) {
        PrintWriter err = command.getErr();
        Throwable cause = failure;
        while (cause instanceof java.io.UncheckedIOException && cause.getCause() != null) {
            cause = cause.getCause();
        }
        for (Throwable inner = cause; inner != null; inner = inner.getCause()) {
            if (inner instanceof OutOfMemoryError e) { // of another thread
                return outOfMemory(e, command);
            }
        }
        if (cause instanceof BadInput bad) {
            err.println("revealed: " + Words.options(bad.problem()));
            err.println("  " + Words.options(bad.remedy()));
            err.flush();
            return 2;
        }
        err.println("revealed: an internal failure, " + cause.getMessage());
        err.println("  This is a defect in Revealed, not in your data; " + details(cause));
        err.flush();
        return 1;
    }

    /** Where something that was thrown is written down for those who look after it. */
    public static String details(Throwable cause) {
        StringWriter trace = new StringWriter();
        cause.printStackTrace(new PrintWriter(trace));
        try {
            return "the details are in "
                    + Files.writeString(Files.createTempFile("revealed-failure-", ".txt"), trace.toString());
        } catch (IOException e) {
            return "and the details could not be written: " + e.getMessage() + "\n" + trace;
        }
    }

    /** Without a command there is nothing to do but show what there is. */
    @Override
    public void run() {
        spec.commandLine().usage(spec.commandLine().getOut());
    }

    static final class Version implements CommandLine.IVersionProvider {
        @Override
        public String[] getVersion() {
            return new String[] {"revealed " + Provenance.currentVersion()};
        }
    }

    /**
     * The words that start a command in a program of its own: through the script that started this one, which knows the
     * right options of Java; else with this Java as it is.
     */
    public static List<String> launch(List<String> command) {
        String launcher = System.getenv("REVEALED_LAUNCHER");
        if (launcher != null && !launcher.isEmpty()) {
            return Stream.concat(Stream.of(launcher), command.stream()).toList();
        }
        return Stream.of(
                        Stream.of(Path.of(System.getProperty("java.home"), "bin", "java")
                                .toString()),
                        ManagementFactory.getRuntimeMXBean().getInputArguments().stream(),
                        Stream.of("-cp", System.getProperty("java.class.path"), Main.class.getName()),
                        command.stream())
                .flatMap(part -> part)
                .toList();
    }

    /** A path argument that names a file to be read. */
    public static Path existing(Path file) {
        if (Files.isDirectory(file)) {
            throw new BadInput(file + " is a folder, not a file", "Name a file in it.");
        }
        if (!Files.isRegularFile(file)) {
            throw new BadInput("there is no file " + file, "Check the name and the current folder.");
        }
        return file;
    }
}
