package dev.revealed.train;

import dev.revealed.imitate.world.TransitionRows;
import dev.revealed.imitate.world.WorldCheck;
import dev.revealed.imitate.world.WorldModel;
import dev.revealed.imitate.world.WorldTraining;
import dev.revealed.neural.ensemble.Ensemble;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Tensors;
import dev.revealed.runs.Checkpoints;
import dev.revealed.runs.Metrics;
import dev.revealed.runs.RunFiles;
import dev.revealed.runs.RunFolder;
import dev.revealed.runs.RunSpec;
import dev.revealed.runs.Safetensors;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;

/** Learns a world from a log, in a run folder: a line of metrics and a checkpoint for every epoch. */
public final class WorldRun {
    private static final String TERMINATIONS = "terminations"; // in the file of a world
    private static final String METRICS = "metrics"; // in checkpoints: the length of the file

    /**
     * What is learnt from what, and where.
     *
     * @param maker of the networks
     */
    public record Plan(
            WorldTraining.Settings settings,
            TransitionRows log,
            Terminations terminations,
            String task,
            Ensemble.Maker maker,
            long seed) {}

    /**
     * What came of it.
     *
     * @param last its last epoch
     */
    public record Learnt(WorldModel world, WorldTraining.Epoch last, WorldCheck check) {}

    /** A world that was learnt, with what is known of it. */
    public record Saved(WorldModel world, String task, Terminations terminations) {
        /** The world in a run folder, or in its file. */
        public static Saved read(Path folderOrFile) {
            Path file = Files.isDirectory(folderOrFile) ? folderOrFile.resolve(RunFiles.WORLD) : folderOrFile;
            BadInput.when(
                    !Files.isRegularFile(file),
                    "there is no world " + file,
                    "Name the folder that 'worldmodel' wrote, after it has finished, with `world`.");
            Safetensors.Content content = Safetensors.read(file);
            return BadInput.placed(
                    file.toString(),
                    () -> new Saved(
                            WorldModel.load(content.tensors()),
                            content.metadata().getOrDefault("task", ""),
                            Terminations.named(content.metadata().getOrDefault(TERMINATIONS, "none"))));
        }
    }

    private WorldRun() {}

    /** Whether the file is one of a world. */
    public static boolean isWorld(Path file) {
        return Safetensors.read(file).metadata().containsKey(TERMINATIONS);
    }

    /** A whole run in an empty folder. */
    public static Learnt begin(Plan plan, RunSpec spec, RunFolder folder, ProgressListener listener) {
        try (WorldTraining training = training(plan); // refuses what cannot be learnt before anything is written
                Metrics metrics = Metrics.create(folder)) {
            spec.write(folder);
            return run(plan, training, folder, Checkpoints.in(folder), metrics, listener);
        }
    }

    /** Goes on from the last checkpoint, or from the beginning where there is none. */
    public static Learnt resume(Plan plan, RunFolder folder, Consumer<String> warn, ProgressListener listener) {
        try (WorldTraining training = training(plan)) {
            Checkpoints checkpoints = Checkpoints.in(folder);
            Optional<Checkpoints.Restored> found = checkpoints.latest(warn);
            found.ifPresent(state -> training.restore(state.state()));
            long length = found.map(state -> Long.parseLong(state.notes().get(METRICS)))
                    .orElse(0L);
            try (Metrics metrics = Metrics.resume(folder, length)) {
                return run(plan, training, folder, checkpoints, metrics, listener);
            }
        }
    }

    private static WorldTraining training(Plan plan) {
        return new WorldTraining(
                plan.settings,
                plan.log,
                plan.terminations == Terminations.Known.LEARNT,
                plan.maker,
                RandomStream.of(plan.seed));
    }

    private static Learnt run(
            Plan plan,
            WorldTraining training,
            RunFolder folder,
            Checkpoints checkpoints,
            Metrics metrics,
            ProgressListener listener) {
        WorldTraining.Epoch last = training.last();
        while (!training.finished()) {
            last = training.epoch();
            metrics.add(last);
            Tensors state = Tensors.of(training::save);
            Map<String, String> notes = new TreeMap<>(Map.of(METRICS, Long.toString(metrics.length())));
            checkpoints.write(training.epochs(), state, notes, new Checkpoints.Block(0, 0, out -> {}), 0);
            listener.progress("world model", training.epochs(), plan.settings.epochs());
        }
        WorldModel world = training.world();
        Map<String, String> notes =
                new TreeMap<>(Map.of("task", plan.task, TERMINATIONS, plan.terminations.toString()));
        folder.write(RunFiles.WORLD, out -> Safetensors.write(out, Tensors.of(world::save), notes));
        WorldCheck check = WorldCheck.of(world, plan.log, training.heldOut(), RandomStream.of(plan.seed));
        return new Learnt(world, last, check);
    }
}
