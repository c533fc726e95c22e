package dev.revealed.imitate;

import dev.revealed.imitate.rivals.Airl;
import dev.revealed.imitate.rivals.FIrl;
import dev.revealed.imitate.rivals.Gail;
import dev.revealed.imitate.rivals.IqLearn;
import dev.revealed.imitate.rivals.OfflineIqLearn;
import dev.revealed.imitate.rivals.Sqil;
import dev.revealed.imitate.world.OfflineData;
import dev.revealed.imitate.world.OfflineMlIrl;
import dev.revealed.mdp.Simulator;
import dev.revealed.neural.Sac;
import dev.revealed.neural.Training;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.Closest;
import java.util.List;
import java.util.Set;

/**
 * A method of imitation learning: its name, settings and learning problem. There is one class per method; commands and
 * runs know this interface alone.
 *
 * @param <S> its settings
 */
public interface ImitationMethod<S extends Record> {
    /** Every method there is. */
    static List<ImitationMethod<?>> all() {
        return List.of(
                new MlIrl(),
                new BehaviourCloning(),
                new Gail(),
                new Sqil(),
                new Airl(),
                new FIrl(),
                new IqLearn(),
                new OfflineMlIrl(),
                new OfflineIqLearn());
    }

    /** The word it is called by, such as {@code ml-irl}. */
    String name();

    /** What it is, in a sentence that follows its name. */
    String about();

    Class<S> settings();

    /** Its default settings with that preset. */
    S preset(Preset preset, Simulator.Space space);

    /** Whether a policy learns by Soft Actor-Critic in a simulator; else the method has no use for the settings of that. */
    default boolean acts() {
        return true;
    }

    /** Whether it learns in a world that was learnt from a log, rather than in the task's simulator. */
    default boolean needsWorld() {
        return false;
    }

    /** The form of it that takes no step of a simulator. */
    default ImitationMethod<?> offline() {
        throw new BadInput(
                "`offline` has no effect on %s, which learns in the task's simulator".formatted(name()),
                "Leave it out, or choose `method` ml-irl, iq-learn or bc.");
    }

    /** How the policy learns unless told otherwise. */
    default Sac.Settings sac(Preset preset, Simulator.Space space) {
        return preset.sac(space.observations());
    }

    /** How it interacts with the simulator unless told otherwise. */
    default Training.Schedule schedule(Preset preset) {
        return preset.schedule();
    }

    /** Steps of the simulator in an iteration; updates where there is none. */
    long block(S settings);

    /** Iterations, where the method has a number of its own. */
    default long iterations(long usual) {
        return usual;
    }

    /**
     * Refuses settings that have no effect.
     *
     * @param named those that were given by name
     */
    default void check(S settings, Set<String> named) {}

    /** The type of its results, in addition to those of every training run. */
    default Class<? extends Details> details() {
        return IteratedLearning.Result.class;
    }

    /** @param preset the name of what the settings started from */
    LearningProblem problem(S settings, String preset, Demonstrations demonstrations);

    /** The same in a learnt world; only for methods that need one. */
    default LearningProblem problem(S settings, String preset, Demonstrations demonstrations, OfflineData offline) {
        throw new UnsupportedOperationException(name() + " learns in the task's simulator");
    }

    static ImitationMethod<?> named(String name) {
        return all().get(Closest.place("`method` is '%s'".formatted(name), name, names(), "There is"));
    }

    static List<String> names() {
        return all().stream().<String>map(ImitationMethod::name).toList();
    }
}
