package dev.revealed.app.train;

import dev.revealed.numeric.BadInput;
import dev.revealed.runs.Provenance;
import dev.revealed.runs.RunFiles;
import dev.revealed.runs.RunSpec;
import dev.revealed.settings.Item;
import dev.revealed.train.SettingResolution;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a resumed command was when it was started. Settings come from its folder; those that are typed again must be the same.
 */
final class Resumption {
    private static final String DEMOS = "demos"; // the setting that names demonstrations

    private final TrainCommand command;
    private final Path folder;
    private final RunSpec spec;
    private final Map<String, String> typed; // again, and not as in the command that began the run

    /** Reads what was recorded when the run in a folder was started, by a command of this name. */
    Resumption(TrainCommand command, Path folder) {
        this.command = command;
        this.folder = folder;
        if (!RunSpec.isIn(folder)) {
            throw new BadInput(
                    "there is no %s, so nothing was started in that folder".formatted(folder.resolve(RunFiles.SPEC)),
                    "Name the folder of an interrupted '%s' with --out, or begin one by its command without --resume."
                            .formatted(command.name()));
        }
        spec = RunSpec.read(folder).resumable(folder);
        String verb = spec.verb();
        if (!verb.equals(command.name())) {
            throw new BadInput(
                    "%s was started by '%s', not by '%s'".formatted(folder, verb, command.name()),
                    "Go on with './revealed %s --resume --out %s'.".formatted(verb, folder));
        }
        typed = typedAgain(spec.provenance());
    }

    Path folder() {
        return folder;
    }

    /** Settings of the command as they were recorded. */
    Map<String, Object> settings() {
        return spec.settings();
    }

    /** What was typed again and does not stand in the command that began the run; the device may differ. */
    private Map<String, String> typedAgain(Provenance original) {
        Map<String, String> again = new TreeMap<>(command.typedOptions());
        again.entrySet()
                .removeIf(each -> original.typed(each.getKey())
                        .filter(each.getValue()::equals)
                        .isPresent());
        for (String name : List.of("seeds", "runs", "forks")) {
            if (again.containsKey(name)) {
                throw differs(name, again.get(name), original.typed(name).orElse("none"));
            }
        }
        again.keySet().retainAll(command.settingsOfOneRun());
        return again;
    }

    /** A run as it was started, given its recorded settings. */
    TrainCommand.ResolvedRun run(Map<String, Object> recorded) {
        Map<String, Object> then = new TreeMap<>(recorded);
        String moved = typed.get(DEMOS);
        if (moved != null) {
            then.put(DEMOS, moved); // whether they are the same ones, the checkpoint knows
        }
        TrainCommand.ResolvedRun original;
        try {
            original = command.resolve(SettingResolution.recorded(then));
        } catch (BadInput e) {
            throw e.in(folder.resolve(RunFiles.SPEC).toString());
        }
        if (!typed.isEmpty()) {
            command.resolve(SettingResolution.changed(then, typed)).settings().forEach((name, value) -> {
                Object before = original.settings().get(name);
                if (!value.equals(before)) {
                    throw differs(name, Item.text(value), Item.text(before));
                }
            });
        }
        return original;
    }

    private BadInput differs(String name, String now, String then) {
        return new BadInput(
                "`%s` is %s, and the run in %s was started with %s".formatted(name, now, folder, then),
                "Leave it out to go on as it was, or start another run in another folder.");
    }
}
