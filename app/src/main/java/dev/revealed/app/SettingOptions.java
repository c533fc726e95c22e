package dev.revealed.app;

import dev.revealed.settings.Item;
import dev.revealed.settings.Settings;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** The settings of records as options of a command: nothing of them is written a second time. */
public final class SettingOptions {
    /**
     * Settings that stand together in the help.
     *
     * @param title empty for those among the command's own options
     * @param defaults by name, as they would be typed; those that depend on others are not there
     */
    public record Group(String title, List<Item> items, Map<String, Object> defaults) {
        /** The settings of records, with these records as defaults. */
        public static Group of(String title, Record... usual) {
            List<Item> items = Stream.of(usual)
                    .flatMap(record -> Settings.of(record).items().stream())
                    .toList();
            return new Group(title, items, Settings.values(usual));
        }
    }

    private SettingOptions() {}

    /** Adds an option for each setting that the command does not have yet. */
    static void add(CommandSpec command, List<Group> groups) {
        for (Group group : groups) {
            CommandSpec options = CommandSpec.create();
            for (Item item : group.items) {
                String name = "--" + item.name();
                if (!command.optionsMap().containsKey(name)
                        && !options.optionsMap().containsKey(name)) {
                    options.addOption(option(item, group.defaults.get(item.name())));
                }
            }
            if (group.title.isEmpty()) {
                options.options().forEach(command::addOption);
            } else if (!options.options().isEmpty()) {
                command.addMixin(group.title, options);
            }
        }
    }

    private static OptionSpec option(Item item, @Nullable Object usual) {
        OptionSpec.Builder option = OptionSpec.builder("--" + item.name())
                .type(String.class)
                .paramLabel(item.label())
                .description(Words.options(description(item, usual)).replace("%", "%%"));
        return item.isSwitch()
                ? option.arity("0..1").fallbackValue("on").build()
                : option.arity("1").build();
    }

    /** What help and guide say of a setting. */
    public static String description(Item item, @Nullable Object usual) {
        String words =
                !item.setting().usual().isEmpty() ? item.setting().usual() : usual == null ? "" : Item.shown(usual);
        String about = item.setting().about();
        return words.isEmpty() ? about : about.substring(0, about.length() - 1) + " (default: %s).".formatted(words);
    }

    /** What was typed of options, by the names of settings, in the order of their names. */
    public static Map<String, String> typed(CommandSpec command) {
        Map<String, String> typed = new TreeMap<>();
        for (OptionSpec option : command.commandLine().getParseResult().matchedOptionsSet()) {
            typed.put(option.longestName().substring(2), String.join(",", option.stringValues()));
        }
        return typed;
    }
}
