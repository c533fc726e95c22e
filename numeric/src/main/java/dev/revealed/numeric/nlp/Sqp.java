package dev.revealed.numeric.nlp;

import dev.revealed.numeric.Dense;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.numeric.Vec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Sequential quadratic programming for equations, in the null space of their Jacobian (Nocedal and Wright, Numerical
 * Optimization, chapter 18). Each equation has a variable it determines; what is left to choose are the other variables,
 * and if those are few the quadratic programme is a small dense system besides one sparse factorisation:
 *
 * <pre>  step = (correction that satisfies the linearised equations) + Z p,     Z' H Z p = -Z' (gradient + H correction)</pre>
 *
 * H is the exact Hessian of the Lagrangian. Where its reduced form Z' H Z is not positive definite the objective's own
 * Hessian takes its place (of a likelihood that is Fisher scoring), and any eigenvalue still not positive its absolute value.
 *
 * <p>Steps are shortened until a filter accepts them (Waechter and Biegler 2006): each must lower the objective or the
 * violation of the equations, also against what earlier points achieved. Where no step does, Newton's method on the equations
 * alone leads to a point that is acceptable again.
 *
 * <p>Bounds are fences only: steps stop short of them. A solution that lies on a bound is not recognised as one, and
 * inequalities are refused; {@link Ipopt} has both.
 *
 * @param tolerance of the equations and of the reduced gradient, both in the problem's own units
 */
public record Sqp(int maxIterations, double tolerance) implements NlpSolver {
    private static final double ARMIJO = 1e-4;
    private static final double LESS = 1e-5; // by which fraction of the violation a step must be better
    private static final double MOST_VIOLATION = 1e3; // times that at the start, or 1
    private static final double SMALL_VIOLATION = 1e-4;
    private static final double ROUNDING = 1e-14;
    private static final double SHORTEST_STEP = 1e-6;
    private static final double FAR = 10; // times the point itself: no curvature is known further away
    private static final int RESTORATION_LIMIT = 50;
    private static final double TO_THE_FENCE = 0.995;

    public static Sqp standard() {
        return new Sqp(200, 1e-10);
    }

    @Override
    public Result solve(Nlp problem, ProgressListener listener) {
        if (!Arrays.equals(problem.constraintLower(), problem.constraintUpper())) {
            throw new IllegalArgumentException("this solver takes equations only");
        }
        return new Search(problem).run(listener);
    }

    /** A point with what decides whether it is better than another. */
    private record Point(double[] x, double objective, double[] constraints, double violation) {
        boolean defined() {
            return Double.isFinite(objective) && Double.isFinite(violation);
        }
    }

    /** One solution in progress. */
    private final class Search {
        private final Nlp problem;
        private final int n;
        private final int m;
        private final Nlp.Pattern places;
        private final Nlp.Pattern curvaturePlaces;
        private final double[] gradient;
        private final double[] jacobian;
        private final double[] curvature;
        private final double[] lower;
        private final double[] upper;
        private final double[] target;
        private final List<Point> filter = new ArrayList<>();
        private final double mostViolation;
        private final double smallViolation;
        private SqpBasis basis;
        private Point now;
        private int evaluations;

        Search(Nlp problem) {
            this.problem = problem;
            n = problem.variables();
            m = problem.constraints();
            places = problem.jacobian();
            curvaturePlaces = problem.hessian();
            gradient = new double[n];
            jacobian = new double[places.size()];
            curvature = new double[curvaturePlaces.size()];
            lower = problem.lower();
            upper = problem.upper();
            target = problem.constraintLower();
            basis = new SqpBasis(n, places, problem.determined());
            double[] start = problem.start().clone();
            Arrays.setAll(start, i -> Math.clamp(start[i], lower[i], upper[i]));
            now = at(start);
            mostViolation = MOST_VIOLATION * Math.max(1, now.violation);
            smallViolation = SMALL_VIOLATION * Math.max(1, now.violation);
        }

        private Point at(double[] x) {
            evaluations++;
            double[] c = new double[m];
            problem.constraints(x, c);
            Vec.axpy(-1, target, c);
            return new Point(x, problem.objective(x), c, Vec.maxAbs(c));
        }

        Result run(ProgressListener listener) {
            double[] multipliers = new double[m];
            if (!now.defined()) {
                return result(0, false, "the objective or an equation is not finite at the start", multipliers);
            }
            for (int iteration = 0; ; iteration++) {
                listener.searching("sqp", iteration, maxIterations);
                if (!linearise()) {
                    return result(iteration, false, "the equations repeat or contradict each other", multipliers);
                }
                problem.gradient(now.x, gradient);
                multipliers = basis.multipliers(gradient);
                double[] reduced = basis.reduced(jacobian, gradient, multipliers);
                double error = Math.max(now.violation, Vec.maxAbs(reduced));
                if (error <= tolerance) {
                    return result(iteration, true, "solved", multipliers);
                }
                if (iteration == maxIterations) {
                    return result(
                            iteration, false, "too many iterations, %.1g from optimal".formatted(error), multipliers);
                }
                if (!search(direction(reduced, multipliers)) && !restore()) {
                    // Where rounding is all that is left, nothing is better any more.
                    boolean fine = error <= Math.sqrt(tolerance);
                    String status = fine ? "solved as well as rounding allows" : "found no better point";
                    return result(iteration, fine, "%s, %.1g from optimal".formatted(status, error), multipliers);
                }
            }
        }

        private boolean linearise() {
            problem.jacobian(now.x, jacobian);
            if (problem.determined().length < m) {
                basis = new SqpBasis(n, places, SqpBasis.independent(m, n, places, jacobian));
            }
            return basis.constraints() == m && basis.factorise(jacobian);
        }

        /** The solution of the quadratic programme. */
        private double[] direction(double[] reduced, double[] multipliers) {
            double[] direction = basis.correction(now.constraints);
            double[][] nullSpace = basis.nullSpace(jacobian);
            if (nullSpace.length == 0) {
                return direction;
            }
            problem.hessian(now.x, 1, multipliers, curvature);
            Dense.Eigen eigen = Dense.symmetricEigen(reducedHessian(nullSpace));
            if (eigen.values()[0] <= 0) {
                problem.hessian(now.x, 1, new double[m], curvature);
                eigen = Dense.symmetricEigen(reducedHessian(nullSpace));
            }
            double[] bent = curve(direction);
            double[] downhill = new double[nullSpace.length];
            Arrays.setAll(downhill, j -> -reduced[j] - Vec.dot(nullSpace[j], bent));
            double[] p = new double[downhill.length];
            double least = Math.max(ROUNDING * Vec.maxAbs(eigen.values()), Double.MIN_NORMAL);
            double far = FAR * Math.max(1, Vec.maxAbs(now.x));
            for (int i = 0; i < p.length; i++) {
                double e = Math.max(Math.abs(eigen.values()[i]), least);
                double length = Math.clamp(Vec.dot(eigen.vectors()[i], downhill) / e, -far, far);
                Vec.axpy(length, eigen.vectors()[i], p);
            }
            for (int j = 0; j < p.length; j++) {
                Vec.axpy(p[j], nullSpace[j], direction);
            }
            return direction;
        }

        private double[][] reducedHessian(double[][] nullSpace) {
            double[][] hessian = new double[nullSpace.length][nullSpace.length];
            for (int j = 0; j < nullSpace.length; j++) {
                double[] curved = curve(nullSpace[j]);
                for (int i = 0; i < nullSpace.length; i++) {
                    hessian[i][j] = Vec.dot(nullSpace[i], curved);
                }
            }
            return hessian;
        }

        /** H v, from the lower triangle. */
        private double[] curve(double[] v) {
            double[] product = new double[n];
            for (int e = 0; e < curvature.length; e++) {
                int i = curvaturePlaces.row()[e];
                int j = curvaturePlaces.column()[e];
                product[i] += curvature[e] * v[j];
                if (i != j) {
                    product[j] += curvature[e] * v[i];
                }
            }
            return product;
        }

        /** Goes as far along the direction as the filter allows; false when it allows next to nothing. */
        private boolean search(double[] direction) {
            double slope = Vec.dot(gradient, direction);
            double longest = longest(direction);
            for (double step = longest; step > SHORTEST_STEP * longest; step *= 0.5) {
                Point trial = at(Vec.plus(now.x, step, direction));
                if (accepted(trial, step, slope)) {
                    return true;
                }
                // Curvature of the equations must not forbid a full step: meet them better, then ask again.
                if (step == 1 && trial.defined() && trial.violation >= now.violation) {
                    double[] corrected = Vec.plus(trial.x, 1, basis.correction(trial.constraints));
                    if (within(corrected) && accepted(at(corrected), step, slope)) {
                        return true;
                    }
                }
            }
            return false;
        }

        private boolean accepted(Point trial, double step, double slope) {
            if (!passes(trial) || Arrays.equals(trial.x, now.x)) {
                return false;
            }
            double noise = ROUNDING * Math.max(1, Math.abs(now.objective));
            boolean objectiveDecides = now.violation <= smallViolation
                    && slope < 0
                    && step * Math.pow(-slope, 2.3) > Math.pow(now.violation, 1.1);
            boolean better = objectiveDecides
                    ? trial.objective <= now.objective + ARMIJO * step * slope + noise
                    : trial.violation <= (1 - LESS) * now.violation
                            || trial.objective <= now.objective - LESS * now.violation + noise;
            if (better) {
                if (!objectiveDecides) {
                    filter.add(now);
                }
                now = trial;
            }
            return better;
        }

        /** Whether a point is better than all the filter remembers, in one respect at least. */
        private boolean passes(Point trial) {
            if (!trial.defined() || trial.violation > mostViolation) {
                return false;
            }
            for (Point earlier : filter) {
                if (trial.violation >= (1 - LESS) * earlier.violation
                        && trial.objective >= earlier.objective - LESS * earlier.violation) {
                    return false;
                }
            }
            return true;
        }

        /** Newton's method on the equations with the free variables held, until the filter accepts. */
        private boolean restore() {
            if (now.violation <= tolerance) {
                return false;
            }
            filter.add(now);
            for (int k = 0; k < RESTORATION_LIMIT; k++) {
                if (!approach()) {
                    return false;
                }
                if (passes(now)) {
                    return true;
                }
                if (!linearise()) {
                    return false;
                }
            }
            return false;
        }

        /** One step of Newton's method on the equations, as long as it comes closer to them. */
        private boolean approach() {
            double[] direction = basis.correction(now.constraints);
            for (double step = longest(direction); step > SHORTEST_STEP; step *= 0.5) {
                Point trial = at(Vec.plus(now.x, step, direction));
                if (trial.defined() && trial.violation <= (1 - ARMIJO * step) * now.violation) {
                    now = trial;
                    return true;
                }
            }
            return false;
        }

        private double longest(double[] direction) {
            double step = 1;
            for (int i = 0; i < n; i++) {
                double room = TO_THE_FENCE * (direction[i] > 0 ? upper[i] - now.x[i] : now.x[i] - lower[i]);
                if (Math.abs(direction[i]) * step > room) {
                    step = room / Math.abs(direction[i]);
                }
            }
            return step;
        }

        private boolean within(double[] x) {
            for (int i = 0; i < n; i++) {
                if (!(x[i] >= lower[i] && x[i] <= upper[i])) {
                    return false;
                }
            }
            return true;
        }

        private Result result(int iterations, boolean converged, String status, double[] multipliers) {
            return new Result(
                    now.x, now.objective, multipliers, now.violation, iterations, evaluations, converged, status);
        }
    }
}
