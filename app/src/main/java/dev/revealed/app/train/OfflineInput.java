package dev.revealed.app.train;

import dev.revealed.app.Main;
import dev.revealed.data.EpisodeFiles;
import dev.revealed.imitate.world.OfflineData;
import dev.revealed.imitate.world.TransitionRows;
import dev.revealed.mdp.Episodes;
import dev.revealed.mdp.Simulator;
import dev.revealed.numeric.BadInput;
import dev.revealed.settings.Settings;
import dev.revealed.train.Environment;
import dev.revealed.train.SettingResolution;
import dev.revealed.train.WorldRun;
import java.util.List;
import java.util.Optional;

/** What takes the place of a simulator, from the files that are named. */
final class OfflineInput {
    private OfflineInput() {}

    /** What was said of learning without a simulator; runs with one record nothing of it. */
    static RunSettings.Offline said(SettingResolution given) {
        RunSettings.Offline usual = RunSettings.Offline.USUAL;
        return Settings.of(usual).names().stream().anyMatch(given::has) ? given.get(usual) : usual;
    }

    static Episodes log(RunSettings.Offline offline, Simulator.Space space) {
        BadInput.when(offline.data().toString().isEmpty(), "no log is named", "Name a file of it with `data`.");
        return EpisodeFiles.readUnrewarded(Main.existing(offline.data()), space);
    }

    static OfflineData data(RunSettings.Offline offline, Environment environment) {
        BadInput.when(
                offline.world().toString().isEmpty(),
                "no world is named",
                "Name the folder that 'worldmodel' wrote with `world`.");
        WorldRun.Saved saved = WorldRun.Saved.read(offline.world());
        BadInput.when(
                !saved.task().isEmpty() && !saved.task().equals(environment.task()),
                "the world in %s is of %s, and the task is %s"
                        .formatted(offline.world(), saved.task(), environment.task()),
                "Name a world of %s, or choose `task` %s.".formatted(environment.task(), saved.task()));
        try (Simulator one = environment.simulators().get()) {
            Optional<Simulator.Termination> rule =
                    saved.terminations() == WorldRun.Terminations.RULE ? one.termination() : Optional.empty();
            return new OfflineData(saved.world(), rule, TransitionRows.of(List.of(log(offline, one.space()))));
        }
    }
}
