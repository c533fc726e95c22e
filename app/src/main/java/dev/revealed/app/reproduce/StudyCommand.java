package dev.revealed.app.reproduce;

import dev.revealed.app.BaseCommand;
import dev.revealed.app.Outcome;
import dev.revealed.app.SettingOptions;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.settings.Settings;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import picocli.CommandLine.Model.CommandSpec;

/**
 * A study whose settings are the options of its command.
 *
 * @param <S> the settings
 */
final class StudyCommand<S extends Record> extends BaseCommand {
    private final String name;
    private final String about;
    private final String example;
    private final S usual;
    private final BiFunction<S, ProgressListener, Outcome> study;

    /**
     * @param example what may be typed after the name
     * @param usual the settings where nothing is typed
     */
    StudyCommand(String name, String about, String example, S usual, BiFunction<S, ProgressListener, Outcome> study) {
        this.name = name;
        this.about = about;
        this.example = example;
        this.usual = usual;
        this.study = study;
    }

    void describe(CommandSpec spec) {
        spec.name(name)
                .usageMessage()
                .description(about)
                .footer("", "Example:", "  ./revealed reproduce %s %s".formatted(name, example));
    }

    @Override
    protected List<SettingOptions.Group> settingGroups() {
        return List.of(SettingOptions.Group.of("", usual));
    }

    @Override
    protected Map<String, Object> resolved() {
        Map<String, Object> resolved = super.resolved();
        resolved.putAll(Settings.values(settings()));
        return resolved;
    }

    @Override
    protected Outcome outcome(ProgressListener listener) {
        return study.apply(settings(), listener);
    }

    private S settings() {
        return Settings.of(usual).with(usual, typedSettings());
    }
}
