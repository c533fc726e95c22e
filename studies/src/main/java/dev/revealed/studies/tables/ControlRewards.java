package dev.revealed.studies.tables;

import dev.revealed.imitate.Preset;
import dev.revealed.imitate.RewardModel;
import dev.revealed.imitate.Visits;
import dev.revealed.mdp.Simulator;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Tensors;
import dev.revealed.runs.RunFolder;
import dev.revealed.runs.Safetensors;
import dev.revealed.settings.Item;
import dev.revealed.settings.Settings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/** Rewards that nobody learnt, which show what fresh policies do by themselves. */
public final class ControlRewards {
    private static final String FOLDER = "controls";
    private static final String RANDOM = "random-";

    private ControlRewards() {}

    static Path constant(Path top) {
        return top.resolve(FOLDER).resolve("constant.safetensors");
    }

    /** One of the random ones. */
    public static Path random(Path top, int number) {
        return top.resolve(FOLDER).resolve(RANDOM + (number + 1) + ".safetensors");
    }

    /** Whether a reward is one of these, by its path. */
    public static boolean isRandom(Path reward) {
        Path name = reward.getFileName();
        return name != null && name.toString().startsWith(RANDOM);
    }

    /** Writes those that are missing: networks of states as ML-IRL has them, with random weights, or with none. */
    public static void write(Path top, Simulator.Space space) {
        write(top, constant(top), space, 0, true);
        for (int number = 0; number < Table2Plan.SEEDS.size(); number++) {
            write(top, random(top, number), space, Table2Plan.SEEDS.get(number), false);
        }
    }

    private static void write(Path top, Path file, Simulator.Space space, long seed, boolean constant) {
        if (Files.exists(file)) {
            return;
        }
        RewardModel.Settings settings =
                Preset.REVEALED.imitation(RewardModel.Of.STATE, space).reward();
        RewardModel model = RewardModel.random(
                settings.shape(space), space, 0, Visits.none(space.observations()), RandomStream.of(seed));
        if (constant) {
            model = model.with(new float[model.learnt().parameters().length]);
        }
        Map<String, String> notes = new LinkedHashMap<>(Map.of("reward", "state"));
        Settings.values(Preset.REVEALED.sac(space.observations()))
                .forEach((name, value) -> notes.put(name, Item.text(value)));
        RewardModel made = model;
        RunFolder.reopen(top)
                .write(top.relativize(file).toString(), out -> Safetensors.write(out, Tensors.of(made::save), notes));
    }
}
