package dev.revealed.mujoco;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;

import dev.revealed.data.model.Formula;
import dev.revealed.data.model.RobotFile;
import dev.revealed.data.model.RobotFile.Quantity;
import dev.revealed.mdp.Simulator;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.RandomStream;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** A robot of one's own in MuJoCo: observations, reward and termination are as its file says. */
public final class RobotSimulator implements Simulator {
    private static final int HEADER = 5;
    private static final int FIRST = 2; // of the values of formulas: before it are dt and the squared actions

    private final RobotFile file;
    private final Physics physics;
    private final Space space;
    private final boolean forces;
    private final double[] low;
    private final double[] high;
    private final boolean scaled;
    private final List<Selection> parts = new ArrayList<>();
    private final List<Selection> variables = new ArrayList<>();
    private final Optional<Evaluated> reward;
    private final Optional<Evaluated> ended;

    private final double[] observation;
    private final double[] control;
    private final double[] values; // of formulas: dt, squared actions, and each variable now and before
    private final double[] now = new double[1];
    private int steps;
    private double paid;
    private boolean terminated;
    private boolean broken;

    /** A formula with the places of its variables among all values. */
    private record Evaluated(Formula formula, int[] places) {
        static Evaluated of(Formula formula, List<String> names) {
            return new Evaluated(
                    formula, formula.used().stream().mapToInt(names::indexOf).toArray());
        }

        double of(double[] values) {
            double[] used = new double[places.length];
            for (int i = 0; i < used.length; i++) {
                used[i] = values[places[i]];
            }
            return formula.value(used);
        }
    }

    /** @param model is closed with this */
    RobotSimulator(RobotFile file, Model model) {
        this.file = file;
        physics = new Physics(model, true);
        try {
            for (Quantity part : file.observation()) {
                parts.add(new Selection(part, physics));
            }
            file.variables().forEach((name, quantity) -> {
                Selection selected = new Selection(quantity, physics);
                if (selected.size() != 1) {
                    throw quantity.bad(
                            "'%s' is %d numbers".formatted(name, selected.size()),
                            "Name one of them, or write largest: or squares: before them.");
                }
                variables.add(selected);
            });
            forces = Stream.concat(file.observation().stream(), file.variables().values().stream())
                    .anyMatch(each -> each.array().equals("cfrc_ext"));
            int nu = physics.controls();
            low = new double[nu];
            high = new double[nu];
            bounds(model, nu);
            float bound = (float) high[0];
            boolean same = true;
            for (int i = 0; i < nu; i++) {
                same &= high[i] == high[0] && low[i] == -high[0];
            }
            scaled = !same;
            observation = new double[parts.stream().mapToInt(Selection::size).sum()];
            control = new double[nu];
            values = new double[FIRST + 2 * variables.size()];
            values[0] = file.frameSkip() * model.timestep();
            reward = file.reward().map(formula -> Evaluated.of(formula, file.names()));
            ended = file.ended().map(formula -> Evaluated.of(formula, file.names()));
            space = new Space(file.name(), observation.length, new Actions.Box(nu, scaled ? 1 : bound), file.horizon());
            place(physics.rest(), new double[physics.velocities()]);
        } catch (Throwable e) {
            physics.close();
            throw e;
        }
    }

    private void bounds(Model model, int nu) {
        BadInput.when(nu == 0, "%s has no actuators".formatted(file.model()), "Add some to the model.");
        List<double[]> given = file.actions();
        BadInput.when(
                given.size() > 1 && given.size() != nu,
                "%d pairs of bounds for %d actions".formatted(given.size(), nu),
                "Give one pair for all, or one for each.");
        MemorySegment ranges = model.doubles("actuator_ctrlrange", 2 * nu);
        for (int i = 0; i < nu; i++) {
            double[] own = given.isEmpty()
                    ? new double[] {ranges.getAtIndex(JAVA_DOUBLE, 2L * i), ranges.getAtIndex(JAVA_DOUBLE, 2L * i + 1)}
                    : given.get(given.size() == 1 ? 0 : i);
            BadInput.when(
                    own[0] >= own[1],
                    "actuator %d of %s has no bounds".formatted(i, file.model()),
                    "Add ctrlrange to the model, or 'actions: [-1, 1]' to the robot's file.");
            low[i] = own[0];
            high[i] = own[1];
        }
    }

    @Override
    public Space space() {
        return space;
    }

    @Override
    public void reset(RandomStream stream) {
        RobotFile.Start start = file.start();
        double[] coordinates = physics.rest().clone();
        double[] velocities = new double[physics.velocities()];
        if (start.positions() > 0) {
            Arrays.setAll(coordinates, i -> coordinates[i] + stream.nextDouble(-start.positions(), start.positions()));
        }
        double noise = start.velocities();
        if (noise > 0) {
            Arrays.setAll(
                    velocities, i -> start.normal() ? noise * stream.nextGaussian() : stream.nextDouble(-noise, noise));
        }
        place(coordinates, velocities);
    }

    private void place(double[] coordinates, double[] velocities) {
        physics.place(coordinates, velocities);
        broken = false;
        steps = 0;
        paid = 0;
        terminated = false;
        check();
        look();
    }

    @Override
    public void step(float[] actions, int offset) {
        if (broken) {
            throw new SimulationFailure(file.name(), steps, "an earlier step failed; reset first");
        }
        steps++;
        double squares = 0;
        for (int i = 0; i < control.length; i++) {
            double action = actions[offset + i];
            if (!Double.isFinite(action)) {
                throw failure("action %d is %s".formatted(i, action));
            }
            control[i] = scaled ? (high[i] + low[i]) / 2 + (high[i] - low[i]) / 2 * action : action;
            squares += control[i] * control[i];
        }
        values[1] = squares;
        for (int i = 0; i < variables.size(); i++) {
            values[FIRST + 2 * i + 1] = values[FIRST + 2 * i];
        }
        physics.simulate(control, file.frameSkip(), forces);
        check();
        look();
        terminated = ended.isPresent() && ended.get().of(values) != 0;
        paid = reward.isPresent() ? reward.get().of(values) : 0;
        if (!Double.isFinite(paid)) {
            throw failure("the formula of the reward gives " + paid);
        }
    }

    private void check() {
        String complaint = physics.complaint();
        if (complaint != null) {
            throw failure(complaint);
        }
    }

    private SimulationFailure failure(String problem) {
        broken = true;
        return new SimulationFailure(file.name(), steps, problem);
    }

    private void look() {
        int at = 0;
        for (Selection part : parts) {
            at = part.write(observation, at);
        }
        for (int i = 0; i < variables.size(); i++) {
            variables.get(i).write(now, 0);
            values[FIRST + 2 * i] = now[0];
        }
    }

    @Override
    public void observe(float[] into, int offset) {
        for (int i = 0; i < observation.length; i++) {
            into[offset + i] = (float) observation[i];
        }
    }

    /** Where it is: its generalised coordinates, a copy. */
    public double[] coordinates() {
        return physics.qpos().toArray(JAVA_DOUBLE);
    }

    @Override
    public double reward() {
        return paid;
    }

    @Override
    public boolean terminated() {
        return terminated;
    }

    @Override
    public boolean truncated() {
        return steps >= file.horizon();
    }

    @Override
    public double[] state() {
        double[] state = new double[stateSize()];
        state[0] = steps;
        state[1] = paid;
        state[2] = terminated ? 1 : 0;
        state[3] = physics.time();
        state[4] = broken ? 1 : 0;
        int at = physics.save(state, HEADER);
        System.arraycopy(observation, 0, state, at, observation.length);
        System.arraycopy(values, 0, state, at + observation.length, values.length);
        return state;
    }

    @Override
    public void restore(double[] state) {
        BadInput.when(
                state.length != stateSize(),
                "a state of %d numbers for %s".formatted(state.length, file.name()),
                "It has %d: the robot's file or model changed since.".formatted(stateSize()));
        steps = (int) state[0];
        paid = state[1];
        terminated = state[2] != 0;
        int at = physics.restore(state[3], state, HEADER);
        broken = state[4] != 0;
        System.arraycopy(state, at, observation, 0, observation.length);
        System.arraycopy(state, at + observation.length, values, 0, values.length);
    }

    private int stateSize() {
        return HEADER + physics.size() + observation.length + values.length;
    }

    @Override
    public void close() {
        physics.close();
    }
}
