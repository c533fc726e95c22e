package dev.revealed.mujoco;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;

import dev.revealed.mdp.Simulator;
import dev.revealed.mujoco.Rules.Senses;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.RandomStream;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Optional;

/**
 * One robot in MuJoCo. Observations and rewards are copied from native memory right after each step: MuJoCo's derived
 * quantities lag its coordinates by one evaluation, as they did in the tasks' first implementation, and so they must not
 * be recomputed. The next step depends on coordinates, velocities and the solver's warm start alone.
 */
@SuppressWarnings("restricted") // pointers of the native structs
public final class Locomotion implements Simulator {
    private static final int TORSO = 1;
    private static final int FORCE = 6;
    private static final int INERTIA = 10;
    private static final int HEADER = 6;

    private final String task;
    private final Rules rules;
    private final Space space;
    private final boolean contactForces;
    private final Physics physics;
    private final double stepSeconds;
    private final double[] mass;
    private final double totalMass;

    private final MemorySegment torsoX;
    private final MemorySegment centres;
    private final MemorySegment bodyInertia;
    private final MemorySegment bodyVelocity;
    private final MemorySegment motorForce;
    private final MemorySegment bodyForce;

    private final double[] qpos;
    private final double[] qvel;
    private final double[] action;
    private final double[] observation;
    private final int forcesAt;
    private int steps;
    private double position;
    private double reward;
    private boolean terminated;
    private boolean broken;

    static Locomotion owning(Task task, Options options, Model model) {
        try {
            return new Locomotion(task, options, model, true);
        } catch (Throwable e) {
            model.close();
            throw e;
        }
    }

    /** @param ownsModel whether closing this closes the model */
    Locomotion(Task task, Options options, Model model, boolean ownsModel) {
        this.task = task.toString();
        rules = task.rules();
        physics = new Physics(model, ownsModel);
        stepSeconds = rules.frameSkip() * model.timestep();
        int bodies = model.count("nbody");
        int nq = model.count("nq");
        int nv = model.count("nv");
        int nu = model.count("nu");
        mass = model.doubles("body_mass", bodies).toArray(JAVA_DOUBLE);
        totalMass = Arrays.stream(mass).sum();

        boolean feels = rules.senses() != Senses.NONE;
        contactForces = feels && options.contactForces() == ContactForces.REAL;
        qpos = new double[nq];
        qvel = new double[nv];
        action = new double[nu];
        forcesAt = nq - rules.hidden() + nv + (rules.senses() == Senses.BODIES ? (INERTIA + FORCE) * bodies + nv : 0);
        observation =
                new double[forcesAt + (feels && options.contactForces() != ContactForces.OMIT ? FORCE * bodies : 0)];
        float bound = (float) model.doubles("actuator_ctrlrange", 2).getAtIndex(JAVA_DOUBLE, 1);
        space = new Space(this.task, observation.length, new Actions.Box(nu, bound), rules.horizon());

        torsoX = physics.array("xpos", 3 * bodies).asSlice(3 * TORSO * JAVA_DOUBLE.byteSize());
        centres = physics.array("xipos", 3 * bodies);
        bodyInertia = physics.array("cinert", INERTIA * bodies);
        bodyVelocity = physics.array("cvel", FORCE * bodies);
        motorForce = physics.array("qfrc_actuator", nv);
        bodyForce = physics.array("cfrc_ext", FORCE * bodies);
        try {
            place(physics.rest(), new double[nv]);
        } catch (Throwable e) {
            physics.close(); // and with it the native data, which only this object uses
            throw e;
        }
    }

    @Override
    public Space space() {
        return space;
    }

    /** Its rules look at coordinates that are seen, and at velocities, whose clipping they do not notice. */
    @Override
    public Optional<Termination> termination() {
        Rules.Health health = rules.health();
        int hidden = rules.hidden();
        int coordinates = qpos.length;
        int velocities = qvel.length;
        return Optional.of((seen, offset) -> {
            double[] where = new double[coordinates];
            double[] speed = new double[velocities];
            for (int i = hidden; i < coordinates; i++) {
                where[i] = seen[offset + i - hidden];
            }
            for (int i = 0; i < velocities; i++) {
                speed[i] = seen[offset + coordinates - hidden + i];
            }
            return !health.healthy(where, speed);
        });
    }

    @Override
    public void reset(RandomStream stream) {
        double noise = rules.start().noise();
        boolean normal = rules.start().normalVelocities();
        double[] rest = physics.rest();
        double[] coordinates = new double[qpos.length];
        double[] velocities = new double[qvel.length];
        Arrays.setAll(coordinates, i -> rest[i] + stream.nextDouble(-noise, noise));
        Arrays.setAll(velocities, i -> normal ? noise * stream.nextGaussian() : stream.nextDouble(-noise, noise));
        place(coordinates, velocities);
    }

    /** Begins an episode with these coordinates and velocities, quaternions normalised. */
    public void place(double[] coordinates, double[] velocities) {
        if (coordinates.length != qpos.length || velocities.length != qvel.length) {
            throw new BadInput(
                    "%d coordinates and %d velocities for %s".formatted(coordinates.length, velocities.length, task),
                    "It has %d and %d.".formatted(qpos.length, qvel.length));
        }
        physics.place(coordinates, velocities);
        broken = false;
        steps = 0;
        reward = 0;
        terminated = false;
        check();
        look();
        position = progress();
    }

    @Override
    public void step(float[] actions, int offset) {
        load(actions, offset);
        step();
    }

    /** A step with an action in double precision. */
    void step(double[] given) {
        System.arraycopy(given, 0, action, 0, action.length);
        step();
    }

    private void step() {
        if (broken) {
            throw new SimulationFailure(task, steps, "an earlier step failed; reset first");
        }
        steps++;
        double squares = 0;
        for (int i = 0; i < action.length; i++) {
            if (!Double.isFinite(action[i])) {
                throw failure("action %d is %s".formatted(i, action[i]));
            }
            squares += action[i] * action[i];
        }
        double speed = qvel[0];
        double before = position;
        simulate();
        check();
        look();
        position = progress();
        terminated = !rules.health().healthy(qpos, qvel);
        Rules.Reward r = rules.reward();
        double forward = r.progress() == Rules.Progress.SPEED_BEFORE ? speed : (position - before) / stepSeconds;
        double fallen = r.fall() > 0 && !(qpos[2] >= Rules.Health.LOWEST) ? r.fall() : 0;
        reward = r.weight() * forward + r.alive() - r.control() * squares - contactCost(r.contact()) - fallen;
    }

    /**
     * The native part of a step and nothing else: no look at what came of it. For benchmarks, which compare it with a whole
     * {@link #step}.
     */
    public void physics(float[] actions, int offset) {
        load(actions, offset);
        simulate();
    }

    private void load(float[] actions, int offset) {
        for (int i = 0; i < action.length; i++) {
            action[i] = actions[offset + i];
        }
    }

    private void simulate() {
        physics.simulate(action, rules.frameSkip(), contactForces);
    }

    private double contactCost(Rules.Contact cost) {
        if (!contactForces) {
            return 0;
        }
        double squares = 0;
        for (int i = forcesAt; i < observation.length; i++) { // clipped there already
            squares += observation[i] * observation[i];
        }
        return Math.min(cost.weight() * squares, cost.cap());
    }

    /** Throws where MuJoCo complained: after a warning it may have put the robot back to its first pose. */
    private void check() {
        String complaint = physics.complaint();
        if (complaint != null) {
            throw failure(complaint);
        }
    }

    private SimulationFailure failure(String problem) {
        broken = true;
        return new SimulationFailure(task, steps, problem);
    }

    /** Copies what MuJoCo has now. */
    private void look() {
        Physics.read(physics.qpos(), qpos);
        Physics.read(physics.qvel(), qvel);
        int at = qpos.length - rules.hidden();
        System.arraycopy(qpos, rules.hidden(), observation, 0, at);
        System.arraycopy(qvel, 0, observation, at, qvel.length);
        clip(observation, at, at + qvel.length, rules.velocityClip());
        at += qvel.length;
        if (rules.senses() == Senses.BODIES) {
            at = append(bodyInertia, at);
            at = append(bodyVelocity, at);
            append(motorForce, at);
        }
        if (contactForces) {
            append(bodyForce, forcesAt);
            double bound = rules.reward().contact().clip();
            clip(observation, forcesAt, observation.length, bound);
        }
    }

    private int append(MemorySegment part, int at) {
        MemorySegment.copy(part, JAVA_DOUBLE, 0, observation, at, Physics.length(part));
        return at + Physics.length(part);
    }

    private static void clip(double[] x, int from, int to, double bound) {
        if (bound < Double.POSITIVE_INFINITY) {
            for (int i = from; i < to; i++) {
                x[i] = Math.clamp(x[i], -bound, bound);
            }
        }
    }

    /** How far along x the robot is, by the measure of its reward. */
    private double progress() {
        return switch (rules.reward().progress()) {
            case ROOT, SPEED_BEFORE -> qpos[0];
            case TORSO -> torsoX.get(JAVA_DOUBLE, 0);
            case MASS_CENTRE -> {
                double sum = 0;
                for (int body = 0; body < mass.length; body++) {
                    sum += mass[body] * centres.getAtIndex(JAVA_DOUBLE, 3L * body);
                }
                yield sum / totalMass;
            }
        };
    }

    @Override
    public void observe(float[] into, int offset) {
        for (int i = 0; i < observation.length; i++) {
            into[offset + i] = (float) observation[i];
        }
    }

    /** What is seen, before rounding to single precision; do not modify. */
    double[] observation() {
        return observation;
    }

    /** Where it is: its generalised coordinates, a copy. */
    public double[] coordinates() {
        return qpos.clone();
    }

    @Override
    public double reward() {
        return reward;
    }

    @Override
    public boolean terminated() {
        return terminated;
    }

    @Override
    public boolean truncated() {
        return steps >= rules.horizon();
    }

    @Override
    public double[] state() {
        double[] state = new double[stateSize()];
        state[0] = steps;
        state[1] = reward;
        state[2] = terminated ? 1 : 0;
        state[3] = position;
        state[4] = physics.time();
        state[5] = broken ? 1 : 0;
        int at = physics.save(state, HEADER);
        System.arraycopy(observation, 0, state, at, observation.length);
        return state;
    }

    @Override
    public void restore(double[] state) {
        if (state.length != stateSize()) {
            throw new BadInput(
                    "a state of %d numbers for %s".formatted(state.length, task),
                    "It has %d: this state is of another task or flavour.".formatted(stateSize()));
        }
        steps = (int) state[0];
        reward = state[1];
        terminated = state[2] != 0;
        position = state[3];
        broken = state[5] != 0;
        int at = physics.restore(state[4], state, HEADER);
        System.arraycopy(state, at, observation, 0, observation.length);
        Physics.read(physics.qpos(), qpos);
        Physics.read(physics.qvel(), qvel);
    }

    private int stateSize() {
        return HEADER + physics.size() + observation.length;
    }

    /** Frees the native memory; harmless the second time. To go on afterwards throws an {@link IllegalStateException}. */
    @Override
    public void close() {
        physics.close();
    }
}
