package dev.revealed.app.reproduce;

import dev.revealed.app.BaseCommand;
import dev.revealed.app.Outcome;
import dev.revealed.app.SettingOptions;
import dev.revealed.app.tasks.ResumableTaskOptions;
import dev.revealed.app.tasks.TaskOptions;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.numeric.task.TaskRunner;
import dev.revealed.settings.Settings;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
    private final Study<S> study;
    private final Optional<ResumableTaskOptions> machines;

    /** A study whose tasks several machines may share. */
    interface Study<S> {
        Outcome run(S settings, TaskRunner runner, ProgressListener listener);
    }

    /**
     * @param example what may be typed after the name
     * @param usual the settings where nothing is typed
     */
    StudyCommand(String name, String about, String example, S usual, BiFunction<S, ProgressListener, Outcome> study) {
        this(
                name,
                about,
                example,
                usual,
                (settings, runner, listener) -> study.apply(settings, listener),
                Optional.empty());
    }

    private StudyCommand(
            String name,
            String about,
            String example,
            S usual,
            Study<S> study,
            Optional<ResumableTaskOptions> machines) {
        this.name = name;
        this.about = about;
        this.example = example;
        this.usual = usual;
        this.study = study;
        this.machines = machines;
    }

    static <S extends Record> StudyCommand<S> shared(
            String name, String about, String example, S usual, Study<S> study) {
        return new StudyCommand<>(name, about, example, usual, study, Optional.of(new ResumableTaskOptions()));
    }

    void describe(CommandSpec spec) {
        machines.ifPresent(options -> spec.addMixin(TaskOptions.HEADING, CommandSpec.forAnnotatedObject(options)));
        spec.name(name)
                .usageMessage()
                .description(about)
                .footer("", "Example:", "  ./revealed reproduce %s %s".formatted(name, example));
    }

    @Override
    protected Optional<TaskOptions> taskOptions() {
        return machines.map(options -> options);
    }

    @Override
    protected boolean resuming() {
        return machines.filter(ResumableTaskOptions::resume).isPresent();
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
        return study.run(settings(), machines.isPresent() ? tasks() : TaskRunner.THREADS, listener);
    }

    private S settings() {
        return Settings.of(usual).with(usual, typedSettings());
    }
}
