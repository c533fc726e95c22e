package dev.revealed.app.world;

import dev.revealed.data.EpisodeFiles;
import dev.revealed.mdp.Episode;
import dev.revealed.mdp.Episodes;
import dev.revealed.mdp.Simulator;
import dev.revealed.mujoco.Task;
import dev.revealed.numeric.BadInput;
import dev.revealed.train.PolicyFile;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Actions of one robot for another: brought into its order where both have the same motors, else left out or refused. The
 * two ants of transfer order their motors differently, and nothing in the numbers would show it. Worlds of one's own are left
 * to those who bring them.
 */
public final class CarriedActions {
    private CarriedActions() {}

    /** For each motor of one task its place in another's actions; empty where there is no such order. */
    private static Optional<int[]> order(String of, String among) {
        return Task.named(of).motorsAmong(Task.named(among));
    }

    /** Demonstrations with actions as the task takes them; without actions where those mean something else there. */
    public static Episodes of(Path file, Episodes read, Simulator.Space space, Consumer<String> caution) {
        Optional<String> recorded = EpisodeFiles.taskOf(file).filter(task -> !task.equals(space.name()));
        if (recorded.isEmpty() || !read.hasActions()) {
            return read;
        }
        if (!Task.names()
                .containsAll(List.of(recorded.get(), space.name()))) { // whoever brings a world knows its actions
            caution.accept("the demonstrations in %s are of %s: their actions are taken for those of %s"
                    .formatted(file, recorded.get(), space.name()));
            return read;
        }
        Optional<int[]> order = order(space.name(), recorded.get());
        caution.accept((order.isPresent()
                        ? "the demonstrations in %s are of %s: their actions are brought into the order of the motors of %s"
                        : "the demonstrations in %s are of %s, whose actions mean something else to %s: they are left out")
                .formatted(file, recorded.get(), space.name()));
        return new Episodes(
                read.all().stream().map(episode -> carried(episode, order)).toList());
    }

    private static Episode carried(Episode episode, Optional<int[]> order) {
        float[] actions = episode.actions();
        float[] carried = actions == null || order.isEmpty() ? null : new float[actions.length];
        if (carried != null && actions != null) {
            int[] from = order.get();
            for (int i = 0; i < carried.length; i++) {
                carried[i] = actions[i / from.length * from.length + from[i % from.length]];
            }
        }
        return new Episode(episode.length(), episode.observations(), carried, episode.rewards(), episode.ending());
    }

    /** A policy with actions as the task takes them. */
    public static PolicyFile of(PolicyFile policy, String task, Consumer<String> caution) {
        String trained = policy.task();
        if (trained == null || trained.equals(task) || !Task.names().containsAll(List.of(trained, task))) {
            return policy; // whoever brings a world knows its actions
        }
        int[] order = order(task, trained)
                .orElseThrow(() -> new BadInput(
                        "the policy in %s was trained on %s, whose actions mean something else to %s"
                                .formatted(policy.file(), trained, task),
                        "Try it on %s, or train one on %s.".formatted(trained, task)));
        caution.accept("the actions of the policy in %s are brought into the order of the motors of %s"
                .formatted(policy.file(), task));
        return new PolicyFile(policy.actor().reordered(order), policy.file(), policy.notes());
    }
}
