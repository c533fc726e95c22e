package dev.revealed.mujoco;

import dev.revealed.mdp.Simulator;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.Parallel;
import java.util.List;

/**
 * Copies of one task that step together on the cores there are. They share one compiled model. What they compute does not
 * depend on the number of threads.
 */
public final class Simulators implements AutoCloseable {
    private final Model model;
    private final Locomotion[] copies;

    Simulators(Task task, Options options, int count) {
        if (count < 1) {
            throw new BadInput("%d copies of %s".formatted(count, task), "Ask for at least one.");
        }
        model = Model.compile(task.toString(), options.inertia());
        copies = new Locomotion[count];
        try {
            for (int i = 0; i < count; i++) {
                copies[i] = new Locomotion(task, options, model, false);
            }
        } catch (Throwable e) {
            close();
            throw e;
        }
    }

    public int count() {
        return copies.length;
    }

    /** One of them, to reset it or to ask what its last step gave. It is closed with the others. */
    public Simulator get(int index) {
        return copies[index];
    }

    /** All of them, for those who step each by itself. */
    public List<Simulator> all() {
        return List.of(copies);
    }

    /** One step of all; the action of copy i begins at {@code actions[i * size]}. */
    public void step(float[] actions) {
        int size = copies[0].space().actions().size();
        Parallel.tasks(copies.length, i -> copies[i].step(actions, i * size));
    }

    /** What all see, one copy after the other. */
    public void observe(float[] into) {
        int size = copies[0].space().observations();
        for (int i = 0; i < copies.length; i++) {
            copies[i].observe(into, i * size);
        }
    }

    @Override
    public void close() {
        for (Locomotion copy : copies) {
            if (copy != null) {
                copy.close();
            }
        }
        model.close();
    }
}
