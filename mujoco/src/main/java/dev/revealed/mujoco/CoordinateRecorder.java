package dev.revealed.mujoco;

import dev.revealed.mdp.Simulator;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.RandomStream;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** A robot whose coordinates are kept at each step of the episode, to be looked at afterwards. */
public final class CoordinateRecorder implements Simulator {
    private final Simulator robot;
    private final Supplier<double[]> where;
    private final List<double[]> coordinates = new ArrayList<>();

    private CoordinateRecorder(Simulator robot, Supplier<double[]> where) {
        this.robot = robot;
        this.where = where;
    }

    /** @param robot of MuJoCo; others are refused. It is closed with this */
    public static CoordinateRecorder of(Simulator robot) {
        return switch (robot) {
            case Locomotion builtIn -> new CoordinateRecorder(builtIn, builtIn::coordinates);
            case RobotSimulator own -> new CoordinateRecorder(own, own::coordinates);
            default ->
                throw new BadInput(
                        "%s is no robot of MuJoCo".formatted(robot.space().name()), "Only those have coordinates.");
        };
    }

    /** The coordinates before the first step and after each. */
    public List<double[]> coordinates() {
        return List.copyOf(coordinates);
    }

    @Override
    public Space space() {
        return robot.space();
    }

    @Override
    public void reset(RandomStream stream) {
        robot.reset(stream);
        coordinates.clear();
        coordinates.add(where.get());
    }

    @Override
    public void step(float[] actions, int offset) {
        robot.step(actions, offset);
        coordinates.add(where.get());
    }

    @Override
    public void observe(float[] into, int offset) {
        robot.observe(into, offset);
    }

    @Override
    public double reward() {
        return robot.reward();
    }

    @Override
    public boolean terminated() {
        return robot.terminated();
    }

    @Override
    public boolean truncated() {
        return robot.truncated();
    }

    @Override
    public double[] state() {
        return robot.state();
    }

    @Override
    public void restore(double[] state) {
        robot.restore(state);
    }

    @Override
    public void close() {
        robot.close();
    }
}
