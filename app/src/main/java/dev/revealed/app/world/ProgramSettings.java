package dev.revealed.app.world;

import dev.revealed.settings.Setting;
import java.util.OptionalInt;

/** What is set of a task that runs in a process of its own. */
public record ProgramSettings(
        @Setting(
                label = "JSON",
                about = "Keyword arguments of a gym: environment, as a JSON object.",
                usual = "none",
                example = "{\"g\": 9.81}")
        String taskArgs,

        @Setting(
                about = "Steps after which an episode of a gym: environment is truncated.",
                none = "own",
                usual = "the environment's own, else 1000",
                atLeast = 1)
        OptionalInt horizon,

        @Setting(
                about = "Processes that gym: environments share. Results do not depend on it, unless environments share"
                        + " variables of a module.",
                none = "cores",
                usual = "one per core",
                atLeast = 1)
        OptionalInt taskProcesses) {
    public static final ProgramSettings NONE = new ProgramSettings("", OptionalInt.empty(), OptionalInt.empty());
}
