package dev.revealed.app.film;

import dev.revealed.bridge.ProcessSimulator;
import dev.revealed.mdp.Simulator;
import dev.revealed.mujoco.ContactForces;
import dev.revealed.mujoco.CoordinateRecorder;
import dev.revealed.mujoco.Inertia;
import dev.revealed.mujoco.Options;
import dev.revealed.mujoco.Robot;
import dev.revealed.mujoco.Scene;
import dev.revealed.mujoco.Task;
import dev.revealed.neural.Actor;
import dev.revealed.neural.Rollouts;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.numeric.RandomStream;
import dev.revealed.train.Environment;
import java.awt.image.BufferedImage;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Films an episode of a policy.
 *
 * @param world the task as it was named: a file of a robot, or a built-in task
 * @param number of the episode, as {@code record} and {@code evaluate} count them
 */
public record EpisodeFilm(
        Environment environment, String world, Actor policy, int number, boolean deterministic, RandomStream stream) {
    private static final int PER_SECOND = 25;
    private static final int SECONDS = 30; // at most

    /** Writes the film; returns its name, which is another one where a program to write that kind is missing. */
    public Path write(FilmFile file, ProgressListener listener, Consumer<String> caution) {
        Simulator simulator = environment.simulators().get();
        if (simulator instanceof ProcessSimulator program) {
            try (EnvironmentFilm film = new EnvironmentFilm(program, PER_SECOND, SECONDS)) {
                play(film);
                return file.write(film.pictures(), film.perSecond(), caution);
            }
        }
        try (CoordinateRecorder recorder = CoordinateRecorder.of(simulator);
                Scene scene = scene()) {
            play(recorder);
            List<BufferedImage> pictures = RobotFilm.draw(scene, recorder.coordinates(), PER_SECOND, SECONDS, listener);
            return file.write(pictures, PER_SECOND, caution);
        }
    }

    private void play(Simulator simulator) {
        Rollouts.of(policy, List.of(simulator), number, 1, deterministic, stream);
    }

    private Scene scene() {
        if (!Task.names().contains(world)) {
            return Robot.read(Path.of(world)).scene();
        }
        Map<String, String> flavour = environment.flavour();
        BadInput.when(!flavour.containsKey("inertia"), "the flavour of the task is not known", "Name the task.");
        return new Scene(
                Task.named(world),
                new Options(
                        Inertia.valueOf(flavour.getOrDefault("inertia", "").toUpperCase(Locale.ROOT)),
                        ContactForces.valueOf(
                                flavour.getOrDefault("contactForces", "").toUpperCase(Locale.ROOT))));
    }
}
