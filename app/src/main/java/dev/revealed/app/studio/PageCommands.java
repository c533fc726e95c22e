package dev.revealed.app.studio;

import dev.revealed.app.BaseCommand;
import dev.revealed.app.Main;
import dev.revealed.numeric.BadInput;
import dev.revealed.studio.Commands;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** The command line as the page uses it. */
final class PageCommands implements Commands {
    private static final List<String> STARTED = List.of("estimate", "imitate", "expert", "counterfactual", "demo");

    /** Options that the page itself sees to. */
    private static final Set<String> OWN = Set.of("--out", "--json", "--help", "--resume", "--latex");

    /** Options that few change, at the end of the form. */
    private static final Set<String> LATE = Set.of("--seed", "--threads", "--seeds", "--runs", "--forks", "--at-once");

    private static final long MOST_CHECKED = 64 << 20; // bytes of a file

    @Override
    public List<Form> forms() {
        return STARTED.stream()
                .map(name -> form(
                        name,
                        Objects.requireNonNull(
                                        Main.commandLine(name).getSubcommands().get(name))
                                .getCommandSpec()))
                .toList();
    }

    /** The options under the headings that the help has. */
    private static Form form(String name, CommandSpec command) {
        List<OptionSpec> general = new ArrayList<>(command.options());
        List<Group> groups = new ArrayList<>();
        command.mixins().forEach((title, mixin) -> {
            if (title.contains(" ")) { // else it is the name of a field
                general.removeAll(mixin.options());
                groups.add(new Group(title, fields(mixin.options())));
            }
        });
        groups.addFirst(new Group("", fields(general)));
        String[] about = command.usageMessage().description();
        return new Form(name, about.length == 0 ? "" : about[0].replace("%%", "%"), groups);
    }

    private static List<Field> fields(List<OptionSpec> options) {
        return options.stream()
                .filter(option -> !OWN.contains(option.longestName()))
                .sorted(Comparator.comparing((OptionSpec option) -> !option.required())
                        .thenComparing(option -> LATE.contains(option.longestName())))
                .map(PageCommands::field)
                .toList();
    }

    private static Field field(OptionSpec option) {
        String usual = String.valueOf(option.defaultValueString());
        return new Field(
                option.longestName().substring(2),
                option.paramLabel(),
                String.join(" ", option.description())
                        .replace("${DEFAULT-VALUE}", usual)
                        .replace("${COMPLETION-CANDIDATES}", String.join(", ", words(option)))
                        .replace("%%", "%"),
                option.required(),
                words(option));
    }

    private static List<String> words(OptionSpec option) {
        Class<?> type = option.type();
        if (option.arity().max() == 0) {
            return List.of("on");
        }
        if (type.isEnum()) {
            return Arrays.stream(type.getEnumConstants())
                    .map(word -> word.toString().toLowerCase(Locale.ROOT))
                    .toList();
        }
        String label = option.paramLabel();
        return label.matches("[a-z0-9-]+(\\|[a-z0-9-]+)+") ? List.of(label.split("\\|", -1)) : List.of();
    }

    @Override
    public String document(String command, Map<String, List<String>> options) {
        List<String> words = new ArrayList<>(List.of(command));
        options.forEach((name, values) -> values.forEach(value -> words.add("--%s=%s".formatted(name, value))));
        return ((BaseCommand) parsed(words).subcommand().commandSpec().userObject()).document();
    }

    @Override
    public void check(List<String> command) {
        CommandSpec spec = parsed(command).subcommand().commandSpec();
        spec.options().stream()
                .map(option -> option.getValue())
                .filter(Path.class::isInstance)
                .map(Path.class::cast)
                .forEach(PageCommands::refuseLarge);
        if (spec.userObject() instanceof BaseCommand verb) {
            verb.checkInputs();
        }
    }

    /** What is read here takes memory of the page, which has little; a command that is started has its own. */
    private static void refuseLarge(Path file) {
        long bytes = file.toFile().length();
        BadInput.when(
                bytes > MOST_CHECKED,
                "%s has %d MB, and the page checks files of up to %d MB"
                        .formatted(file, bytes >> 20, MOST_CHECKED >> 20),
                "Start the command: it checks the file itself.");
    }

    private static CommandLine.ParseResult parsed(List<String> words) {
        try {
            return Main.commandLine(words.getFirst()).parseArgs(words.toArray(String[]::new));
        } catch (CommandLine.ParameterException e) {
            throw new BadInput(Main.problem(e), "Change it, and try again.");
        }
    }

    @Override
    public List<String> words(String command, Map<String, String> options) {
        return Stream.concat(
                        Stream.of(command),
                        options.entrySet().stream()
                                .map(each -> "--" + each.getKey()
                                        + (each.getValue().isEmpty() ? "" : "=" + each.getValue())))
                .toList();
    }

    @Override
    public List<String> launch(List<String> command) {
        parsed(command); // words that it does not know are refused here, where the user sees it
        return Main.launch(command);
    }
}
