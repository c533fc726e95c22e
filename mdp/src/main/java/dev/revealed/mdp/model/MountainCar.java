package dev.revealed.mdp.model;

import dev.revealed.mdp.Kernel;
import dev.revealed.mdp.Mdp;
import dev.revealed.numeric.BadInput;

/**
 * The car in a valley too steep for its engine (Moore 1990, in the form of Sutton and Barto) on a grid of positions and
 * velocities. A move ends between grid points; its four neighbours share it with the weights of bilinear interpolation,
 * which keeps the mean of position and velocity exact and adds a little noise to both. Actions: push left, coast, push
 * right. State {@code position * velocities + velocity}; the last state is the goal, where the car stays.
 */
public record MountainCar(int positions, int velocities) {
    public static final int ACTIONS = 3;
    public static final double LEFT = -1.2;
    public static final double GOAL = 0.5;
    public static final double FASTEST = 0.07;
    private static final double FORCE = 0.001;
    private static final double GRAVITY = 0.0025;
    static final double START_LEFT = -0.6;
    static final double START_RIGHT = -0.4;
    private static final int START_POINTS = 401;

    /** Fine enough: the best policy on it, driven without a grid, needs within a tenth of the steps it needs on it. */
    public static final MountainCar STANDARD = new MountainCar(40, 40);

    public MountainCar {
        if (positions < 10 || velocities < 10 || positions > 2000 || velocities > 2000) {
            throw new BadInput(
                    "a car on %d positions and %d velocities".formatted(positions, velocities),
                    "Choose 10 to 2000 of each; 40 and 40 is the default.");
        }
    }

    /** Where the car is, before the grid sees it. */
    public record Point(double position, double velocity) {
        public boolean atGoal() {
            return position >= GOAL;
        }

        /** The dynamics; the wall on the left stops the car. */
        public Point after(int action) {
            double v =
                    Math.clamp(velocity + (action - 1) * FORCE - GRAVITY * Math.cos(3 * position), -FASTEST, FASTEST);
            double x = position + v;
            return x <= LEFT ? new Point(LEFT, Math.max(0, v)) : new Point(x, v);
        }
    }

    public int states() {
        return goal() + 1;
    }

    /** The goal's state. */
    public int goal() {
        return (positions - 1) * velocities;
    }

    /** The grid point of a state other than the goal. */
    public Point point(int state) {
        int across = state / velocities;
        int up = state % velocities;
        return new Point(
                LEFT + across * (GOAL - LEFT) / (positions - 1), -FASTEST + up * 2 * FASTEST / (velocities - 1));
    }

    public Kernel kernel() {
        return Kernel.of(states(), ACTIONS, (state, action, row) -> {
            if (state == goal()) {
                row.add(state, 1);
            } else {
                spread(point(state).after(action), 1, row);
            }
        });
    }

    /** The car starts at rest near the bottom, uniformly in [-0.6, -0.4]. */
    public double[] start() {
        double[] start = new double[states()];
        for (int i = 0; i < START_POINTS; i++) {
            double x = START_LEFT + (START_RIGHT - START_LEFT) * (i + 0.5) / START_POINTS;
            spread(new Point(x, 0), 1.0 / START_POINTS, (state, p) -> start[state] += p);
        }
        return start;
    }

    public Mdp mdp(double discount) {
        return new Mdp(kernel(), discount, start());
    }

    /** Shares {@code mass} at a point among the grid points around it. */
    public void spread(Point point, double mass, Kernel.Row row) {
        if (point.atGoal()) {
            row.add(goal(), mass);
            return;
        }
        double across = (point.position - LEFT) / (GOAL - LEFT) * (positions - 1);
        double up = (point.velocity + FASTEST) / (2 * FASTEST) * (velocities - 1);
        int i = Math.clamp((long) across, 0, positions - 2);
        int j = Math.clamp((long) up, 0, velocities - 2);
        for (int di = 0; di < 2; di++) {
            for (int dj = 0; dj < 2; dj++) {
                double share = (di == 0 ? 1 - (across - i) : across - i) * (dj == 0 ? 1 - (up - j) : up - j);
                row.add(
                        i + di == positions - 1 ? goal() : (i + di) * velocities + j + dj,
                        mass * Math.clamp(share, 0, 1));
            }
        }
    }
}
