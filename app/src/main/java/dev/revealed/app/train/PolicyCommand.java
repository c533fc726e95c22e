package dev.revealed.app.train;

import dev.revealed.app.BaseCommand;
import dev.revealed.app.SettingOptions;
import dev.revealed.mdp.Episodes;
import dev.revealed.mujoco.Simulators;
import dev.revealed.neural.Rollouts;
import dev.revealed.numeric.RandomStream;
import dev.revealed.settings.Part;
import dev.revealed.train.Environment;
import dev.revealed.train.PolicyFile;
import java.util.List;
import java.util.Map;

/** A command that plays a trained policy. */
abstract class PolicyCommand extends BaseCommand {
    /** The simulator's variants, by name. */
    @Part
    record Flavour(String inertia, String contactForces, String mujoco) {}

    /** A policy in the simulators of its task. */
    record Trial(PolicyFile policy, Environment environment, Simulators pool) implements AutoCloseable {
        String task() {
            return environment.task();
        }

        String file() {
            return policy.file().toString();
        }

        Flavour flavour() {
            Map<String, String> by = environment.flavour();
            return new Flavour(
                    by.getOrDefault("inertia", ""),
                    by.getOrDefault("contactForces", ""),
                    by.getOrDefault("mujoco", ""));
        }

        Episodes play(int first, int count, boolean deterministic, RandomStream stream) {
            return Rollouts.of(policy.actor(), pool.all(), first, count, deterministic, stream);
        }

        @Override
        public void close() {
            pool.close();
        }
    }

    @Override
    protected List<SettingOptions.Group> settingGroups() {
        return List.of(SettingOptions.Group.of("", TaskSettings.NONE));
    }

    /** The policy that the options name, on the task that was typed or that it was trained on. */
    final Trial trial(PolicyOptions options, int episodes) {
        positive("--episodes", episodes);
        PolicyFile found = options.read(this::caution);
        TaskSettings task = TaskSettings.of(found, typedSettings(), this::caution);
        Environment environment = task.environment();
        environment.caution().ifPresent(this::caution);
        found.check(environment.space());
        PolicyFile carried = CarriedActions.of(found, environment.task(), this::caution);
        return new Trial(carried, environment, task.named().simulators(Math.min(threads(), episodes), task.options()));
    }
}
