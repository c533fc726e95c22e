package dev.revealed.imitate.world;

import dev.revealed.mdp.Episode;
import dev.revealed.mdp.Episodes;
import dev.revealed.mdp.Simulator;
import dev.revealed.neural.Batch;
import dev.revealed.neural.Network;
import dev.revealed.numeric.BadInput;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The data of learning without a simulator: a learnt world, and the log at whose states rollouts begin.
 *
 * @param rule by which episodes terminate; where there is none, as the world has learnt it
 */
public record OfflineData(WorldModel world, Optional<Simulator.Termination> rule, TransitionRows log) {
    public OfflineData {
        BadInput.when(
                log.observations() != world.observations() || log.actions() != world.actions(),
                "the log has observations of %d numbers and actions of %d, and the world %d and %d"
                        .formatted(log.observations(), log.actions(), world.observations(), world.actions()),
                "Name the log that the world was learnt from, or another one of the same task.");
    }

    /** Of world and log, by which others are noticed. */
    long checksum() {
        long sum = log.checksum();
        for (Network member : world.members()) {
            for (float parameter : member.parameters()) {
                sum = 31 * sum + Float.floatToIntBits(parameter);
            }
        }
        return sum;
    }

    /** With the uncertainty that is typical of the log. */
    Measured measured(Rollouts settings) {
        return new Measured(this, Uncertainty.of(settings.penalty(), world, log));
    }

    /** Worlds to learn in, then worlds for windows of the demonstrations. */
    List<Simulator> worlds(
            OfflineMlIrl.Settings settings, Simulator.Space space, Episodes windows, int environments, int forWindows) {
        Measured measured = measured(settings.world());
        float[] expert = states(windows);
        int rows = Math.toIntExact(windows.steps());
        int wide = windows.observationSize();
        double share = settings.compared().expertStarts();
        WorldSimulator.Starts anywhere = (stream, into, at) -> {
            if (stream.nextDouble() < share) {
                System.arraycopy(expert, stream.nextInt(rows) * wide, into, at, wide);
            } else {
                log.state(stream.nextInt(log.count()), into, at);
            }
        };
        WorldSimulator.Starts first = (stream, into, at) -> {
            Episode one = windows.all().get(stream.nextInt(windows.size()));
            System.arraycopy(one.observations(), 0, into, at, one.observationSize());
        };
        Simulator.Space window = window(space, settings.compared().window());
        List<Simulator> all = new ArrayList<>();
        for (int i = 0; i < environments; i++) {
            all.add(measured.learningWorld(settings.world(), anywhere, space));
        }
        for (int i = 0; i < forWindows; i++) {
            all.add(new WorldSimulator(world, rule, first, measured.uncertainty, window, 1, 1));
        }
        return all;
    }

    /** States before every step, row after row. */
    private static float[] states(Episodes episodes) {
        int wide = episodes.observationSize();
        float[] states = new float[Math.multiplyExact(Math.toIntExact(episodes.steps()), wide)];
        int at = 0;
        for (Episode one : episodes.all()) {
            System.arraycopy(one.observations(), 0, states, at, one.length() * wide);
            at += one.length() * wide;
        }
        return states;
    }

    /** The same with episodes of a window. */
    static Simulator.Space window(Simulator.Space space, int window) {
        return new Simulator.Space(space.name(), space.observations(), space.actions(), window);
    }

    /** A world, and how uncertain it is. */
    record Measured(OfflineData data, Uncertainty uncertainty) {

        /** A world of short rollouts. */
        Simulator learningWorld(Rollouts settings, WorldSimulator.Starts starts, Simulator.Space space) {
            return new WorldSimulator(
                    data.world,
                    data.rule,
                    starts,
                    uncertainty,
                    space,
                    settings.rolloutBatch(),
                    settings.rolloutLength());
        }

        /** Every step of these episodes, stored with its uncertainty as rollouts are. */
        Batch transitions(Episodes episodes, Simulator.Space space) {
            TransitionRows rows = TransitionRows.of(episodes);
            Batch batch = Batch.of(rows.count(), space);
            int wide = rows.observations();
            int acts = rows.actions();
            for (int row = 0; row < rows.count(); row++) {
                rows.state(row, batch.states(), row * wide);
                System.arraycopy(rows.pairs(), row * rows.width() + wide, batch.actions(), row * acts, acts);
                batch.live()[row] = rows.ended()[row] ? 0 : 1;
            }
            System.arraycopy(rows.next(), 0, batch.nextStates(), 0, rows.next().length);
            WorldModel world = data.world;
            float[][] said = world.worker(rows.count()).all(rows.count(), batch.states(), 0, batch.actions(), 0);
            int width = WorldModel.outputs(wide, world.learntEnds());
            for (int row = 0; row < rows.count(); row++) {
                batch.rewards()[row] = (float) uncertainty.of(said, row * width, wide);
            }
            return batch;
        }
    }
}
