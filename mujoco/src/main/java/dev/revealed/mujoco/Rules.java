package dev.revealed.mujoco;

import static dev.revealed.mujoco.Rules.Progress.MASS_CENTRE;
import static dev.revealed.mujoco.Rules.Progress.ROOT;
import static dev.revealed.mujoco.Rules.Progress.SPEED_BEFORE;
import static dev.revealed.mujoco.Rules.Progress.TORSO;
import static dev.revealed.mujoco.Rules.Senses.BODIES;
import static dev.revealed.mujoco.Rules.Senses.CONTACT;
import static dev.revealed.mujoco.Rules.Senses.NONE;

import dev.revealed.numeric.Vec;

/**
 * What makes a task of a model: duration of a step, observations, reward, termination and initial states.
 *
 * @param frameSkip steps of the physics in a step of the task
 * @param hidden leading coordinates that are not seen, since the world looks the same everywhere
 * @param velocityClip seen velocities lie between minus this and this
 */
record Rules(
        int frameSkip,
        int horizon,
        int hidden,
        double velocityClip,
        Senses senses,
        Reward reward,
        Health health,
        Start start) {
    private static final double FREE = Double.POSITIVE_INFINITY; // a bound that binds nothing

    static final Rules HOPPER =
            new Rules(4, 1000, 1, 10, NONE, Reward.UPRIGHT, Health::hopper, new Start(0.005, false));

    static final Rules HALFCHEETAH = new Rules(
            5, 1000, 1, FREE, NONE, new Reward(ROOT, 1, 0, 0.1, Contact.NONE, 0), Health::always, new Start(0.1, true));

    static final Rules WALKER2D =
            new Rules(4, 1000, 1, 10, NONE, Reward.UPRIGHT, Health::walker, new Start(0.005, false));

    static final Rules ANT = new Rules(
            5, 1000, 2, FREE, CONTACT, new Reward(TORSO, 1, 1, 0.5, Contact.ANT, 0), Health::ant, new Start(0.1, true));

    static final Rules HUMANOID =
            new Rules(5, 1000, 2, FREE, BODIES, Reward.HUMANOID, Health::humanoid, new Start(0.01, false));

    /** Of the ants of the transfer experiment: they are never done, but pay for lying down. */
    static final Rules TRANSFER =
            new Rules(5, 500, 2, FREE, CONTACT, Reward.TRANSFER, Health::always, new Start(0.1, true));

    /** Observations in addition to coordinates and velocities. */
    enum Senses {
        NONE,
        /** Forces on the bodies, clipped. */
        CONTACT,
        /** Inertias, velocities and forces of all bodies, and forces of the motors. */
        BODIES
    }

    /** The body whose displacement along x is rewarded. */
    enum Progress {
        ROOT,
        TORSO,
        MASS_CENTRE,
        /** Not the way but the speed before the step. */
        SPEED_BEFORE
    }

    /**
     * @param alive reward of every step, the last included
     * @param control cost of the squared action
     * @param fall cost of a step that ends with the torso below {@link Health#LOWEST}, where that is not the end
     */
    record Reward(Progress progress, double weight, double alive, double control, Contact contact, double fall) {
        /** Of hopper and walker. */
        static final Reward UPRIGHT = new Reward(ROOT, 1, 1, 0.001, Contact.NONE, 0);

        static final Reward HUMANOID = new Reward(MASS_CENTRE, 1.25, 5, 0.1, new Contact(5e-7, FREE, 10), 0);
        static final Reward TRANSFER = new Reward(SPEED_BEFORE, 1, 0, 0.01, Contact.ANT, 1);
    }

    /** Cost of the squared forces on the bodies, each clipped, all capped. */
    record Contact(double weight, double clip, double cap) {
        static final Contact ANT = new Contact(5e-4, 1, FREE);
        static final Contact NONE = new Contact(0, FREE, FREE);
    }

    /** Noise of the start: uniform in the coordinates; in the velocities uniform or normal. */
    record Start(double noise, boolean normalVelocities) {}

    /** When an episode may go on. */
    @FunctionalInterface
    interface Health {
        /** Height of an ant's torso below which it lies. */
        double LOWEST = 0.2;

        boolean healthy(double[] qpos, double[] qvel);

        static boolean always(double[] qpos, double[] qvel) {
            return true;
        }

        static boolean hopper(double[] qpos, double[] qvel) {
            return within(100, qpos, 2)
                    && within(100, qvel, 0)
                    && Vec.isFinite(qpos)
                    && qpos[1] > 0.7
                    && Math.abs(qpos[2]) < 0.2;
        }

        static boolean walker(double[] qpos, double[] qvel) {
            return qpos[1] > 0.8 && qpos[1] < 2 && qpos[2] > -1 && qpos[2] < 1;
        }

        static boolean ant(double[] qpos, double[] qvel) {
            return Vec.isFinite(qpos) && Vec.isFinite(qvel) && qpos[2] >= LOWEST && qpos[2] <= 1;
        }

        static boolean humanoid(double[] qpos, double[] qvel) {
            return qpos[2] >= 1 && qpos[2] <= 2;
        }

        private static boolean within(double bound, double[] x, int from) {
            for (int i = from; i < x.length; i++) {
                if (!(Math.abs(x[i]) < bound)) {
                    return false;
                }
            }
            return true;
        }
    }
}
