package dev.revealed.studio;

import dev.revealed.data.EpisodeFiles;
import dev.revealed.mdp.Episode;
import dev.revealed.mdp.Episodes;
import dev.revealed.mdp.Simulator;
import dev.revealed.mujoco.ContactForces;
import dev.revealed.mujoco.CoordinateRecorder;
import dev.revealed.mujoco.Inertia;
import dev.revealed.mujoco.Locomotion;
import dev.revealed.mujoco.Options;
import dev.revealed.mujoco.Scene;
import dev.revealed.mujoco.Task;
import dev.revealed.neural.Rollouts;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Tensors;
import dev.revealed.runs.RunFiles;
import dev.revealed.runs.RunSpec;
import dev.revealed.runs.Safetensors;
import dev.revealed.settings.Item;
import dev.revealed.train.PolicyFile;
import dev.revealed.train.RewardFile;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** Plays policies of runs, and shows demonstrations, as poses of a robot's bodies. */
final class Playback {
    private Playback() {}

    /** The shapes of a task's robot. */
    record Shapes(String task, double stepSeconds, int bodies, List<Scene.Geom> geoms) {}

    static Shapes shapes(String name) {
        Task task = Task.named(name);
        try (Scene scene = new Scene(task, Options.STANDARD)) {
            return new Shapes(task.toString(), scene.stepSeconds(), scene.bodies(), scene.geoms());
        }
    }

    /**
     * An episode of a policy, the same as {@code evaluate} plays with that seed, as a file of arrays: poses of the bodies,
     * actions, the task's reward and, where the run recovered one, that reward.
     *
     * @param policy the name of its file in the run folder, or that of the checkpoints
     */
    static byte[] episode(Path run, String policy, long seed, int number, boolean deterministic) {
        PolicyFile found = policy(run, policy);
        Task task = Task.named(String.valueOf(found.task()));
        Options options = flavour(found.notes());
        try (Locomotion robot = task.simulator(options);
                Scene scene = new Scene(task, options)) {
            found.check(robot.space());
            CoordinateRecorder recorder = CoordinateRecorder.of(robot);
            Episode episode = Rollouts.of(
                            found.actor(), List.of(recorder), number, 1, deterministic, RandomStream.of(seed))
                    .all()
                    .getFirst();
            Tensors arrays = poses(scene, recorder.coordinates().toArray(double[][]::new));
            int length = episode.length();
            double[] rewards = episode.rewards() == null ? new double[length] : episode.rewards();
            float[] actions = episode.actions() == null ? new float[0] : episode.actions();
            arrays.put("true", floats(rewards), length);
            arrays.put("actions", actions, length, actions.length / length);
            if (Files.isRegularFile(run.resolve(RunFiles.REWARD))) {
                arrays.put("recovered", recovered(run, robot.space(), episode), length);
            }
            Map<String, String> notes = new TreeMap<>(found.notes());
            notes.put("ending", episode.ending().name().toLowerCase(Locale.ROOT));
            notes.put("return", Double.toString(Arrays.stream(rewards).sum()));
            notes.put("stepSeconds", Double.toString(scene.stepSeconds()));
            return bytes(arrays, notes);
        }
    }

    private static float[] recovered(Path run, Simulator.Space space, Episode episode) {
        float[] actions = episode.actions();
        return RewardFile.read(run)
                .model(space)
                .labels()
                .of(episode.observations(), actions == null ? new float[0] : actions, episode.length());
    }

    private static PolicyFile policy(Path run, String name) {
        return name.equals(RunFiles.CHECKPOINT)
                ? PolicyFile.inCheckpoint(run, caution -> {})
                        .orElseThrow(() -> new BadInput("the run has no checkpoint", "Let it train a while."))
                : PolicyFile.read(run.resolve(name));
    }

    /** The demonstrations that a run imitates, where its spec names a file that is still there. */
    static boolean hasGhost(RunSpec spec) {
        return Files.isRegularFile(demonstrations(spec));
    }

    private static Path demonstrations(RunSpec spec) {
        return Path.of(Item.text(spec.settings().getOrDefault("demos", "")));
    }

    /** The demonstrations of a run; where their file is not there, episodes of its policy. */
    static Episodes trajectories(Path run) {
        RunSpec spec = RunSpec.read(run);
        if (hasGhost(spec)) {
            return EpisodeFiles.read(demonstrations(spec));
        }
        List<String> policies = Catalogue.policies(run);
        BadInput.when(
                policies.isEmpty(),
                "neither the demonstrations of the run, %s, nor a policy of it are there"
                        .formatted(demonstrations(spec)),
                "Bring the file back, or start the page in the folder where the run was started.");
        PolicyFile found = policy(run, policies.getFirst());
        Task task = Task.named(String.valueOf(found.task()));
        try (Locomotion robot = task.simulator(flavour(found.notes()))) {
            found.check(robot.space());
            return Rollouts.of(found.actor(), List.of(robot), 0, 2, true, RandomStream.of(1));
        }
    }

    /** The first demonstration as poses; how far it has come is added up from its speeds. */
    static byte[] ghost(Path run) {
        RunSpec spec = RunSpec.read(run);
        Task task = Task.named(Item.text(spec.settings().getOrDefault("task", "")));
        Episode episode = EpisodeFiles.read(demonstrations(spec)).all().getFirst();
        int width = episode.observations().length / (episode.length() + 1);
        try (Scene scene = new Scene(task, Options.STANDARD)) {
            Tensors arrays = poses(scene, scene.coordinates(episode.observations(), width));
            double[] rewards = episode.rewards();
            if (rewards != null) {
                arrays.put("true", floats(rewards), episode.length());
            }
            return bytes(arrays, Map.of("stepSeconds", Double.toString(scene.stepSeconds())));
        }
    }

    private static Options flavour(Map<String, String> notes) {
        return new Options(
                "modern".equals(notes.get("inertia")) ? Inertia.MODERN : Inertia.LEGACY,
                ContactForces.valueOf(
                        notes.getOrDefault("contactForces", "real").toUpperCase(Locale.ROOT)));
    }

    private static Tensors poses(Scene scene, double[][] coordinates) {
        int width = scene.bodies() * Scene.POSE;
        float[] poses = new float[coordinates.length * width];
        for (int t = 0; t < coordinates.length; t++) {
            scene.poses(coordinates[t], poses, t * width);
        }
        return new Tensors().put("poses", poses, coordinates.length, scene.bodies(), Scene.POSE);
    }

    private static float[] floats(double[] values) {
        float[] floats = new float[values.length];
        for (int i = 0; i < floats.length; i++) {
            floats[i] = (float) values[i];
        }
        return floats;
    }

    private static byte[] bytes(Tensors arrays, Map<String, String> notes) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try {
            Safetensors.write(out, arrays, notes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toByteArray();
    }
}
