package dev.revealed.app.train;

import dev.revealed.app.BaseCommand;
import dev.revealed.app.SettingOptions;
import dev.revealed.app.world.CarriedActions;
import dev.revealed.app.world.Tasks;
import dev.revealed.mdp.Episodes;
import dev.revealed.mdp.Simulator;
import dev.revealed.neural.Rollouts;
import dev.revealed.numeric.RandomStream;
import dev.revealed.settings.Part;
import dev.revealed.train.Environment;
import dev.revealed.train.PolicyFile;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A command that plays a trained policy. */
abstract class PolicyCommand extends BaseCommand {
    /**
     * The simulator's variants.
     *
     * @param environment all that is known of a world of one's own, by name
     */
    @Part
    record Flavour(
            Optional<String> inertia,
            Optional<String> contactForces,
            Optional<String> mujoco,
            Optional<Map<String, String>> environment) {}

    /** A policy in the simulators of its task. */
    record Trial(PolicyFile policy, Environment environment, List<Simulator> pool) implements AutoCloseable {
        String task() {
            return environment.task();
        }

        String file() {
            return policy.file().toString();
        }

        Flavour flavour() {
            Map<String, String> by = environment.flavour();
            return new Flavour(
                    Optional.ofNullable(by.get("inertia")),
                    Optional.ofNullable(by.get("contactForces")),
                    Optional.ofNullable(by.get("mujoco")),
                    by.containsKey("inertia") ? Optional.empty() : Optional.of(by));
        }

        Episodes play(int first, int count, boolean deterministic, RandomStream stream) {
            return Rollouts.of(policy.actor(), pool, first, count, deterministic, stream);
        }

        @Override
        public void close() {
            pool.forEach(Simulator::close);
        }
    }

    @Override
    protected List<SettingOptions.Group> settingGroups() {
        return List.of(SettingOptions.Group.of("", Tasks.settings()));
    }

    /** The policy that the options name, on the task that was typed or that it was trained on. */
    final Trial trial(PolicyOptions options, int episodes) {
        positive("--episodes", episodes);
        PolicyFile found = options.read(this::caution);
        Environment environment = Tasks.of(found, typedSettings(), this::caution);
        environment.caution().ifPresent(this::caution);
        found.check(environment.space());
        PolicyFile carried = CarriedActions.of(found, environment.task(), this::caution);
        return new Trial(carried, environment, pool(environment, Math.min(threads(), episodes)));
    }

    private static List<Simulator> pool(Environment environment, int count) {
        List<Simulator> pool = new ArrayList<>();
        try {
            for (int i = 0; i < count; i++) {
                pool.add(environment.simulators().get());
            }
        } catch (RuntimeException | Error e) {
            pool.forEach(Simulator::close);
            throw e;
        }
        return List.copyOf(pool);
    }
}
