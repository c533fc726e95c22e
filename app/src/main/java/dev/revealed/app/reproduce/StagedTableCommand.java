package dev.revealed.app.reproduce;

import dev.revealed.app.Device;
import dev.revealed.app.Outcome;
import dev.revealed.app.Words;
import dev.revealed.studies.tables.Stage;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A table whose runs are made in stages, where later ones need earlier ones. */
abstract class StagedTableCommand extends TableCommand {
    private final String name;
    private final String title;

    /** @param name of the command, and of the folder in {@code out} that plans are for unless another is named */
    StagedTableCommand(String name, String title) {
        this.name = name;
        this.title = title;
    }

    /** All commands behind the table in a folder, in the order in which they need each other. */
    abstract List<Stage> stages(Path folder);

    /** Further options that the command was given and needs to make what is missing. */
    List<String> furtherOptions() {
        return List.of();
    }

    @Override
    final List<String> idleInPlan() {
        return List.of("at-once");
    }

    @Override
    final Outcome plan(@Nullable Path runs, Device forecast, int together) {
        Path folder = runs == null ? Path.of("out", name) : runs;
        List<String> words = new ArrayList<>(List.of("reproduce", name));
        words.addAll(furtherOptions());
        words.addAll(List.of("--from", folder.toString(), "--device", forecast.toString()));
        return StagePlanView.of("Plan of " + title, stages(folder), folder, forecast, Words.typed(words));
    }
}
