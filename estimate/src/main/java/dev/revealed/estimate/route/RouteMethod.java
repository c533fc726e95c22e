package dev.revealed.estimate.route;

import dev.revealed.estimate.Clock;
import dev.revealed.estimate.route.RouteLikelihood.Depth;
import dev.revealed.estimate.route.RouteLikelihood.Evaluation;
import dev.revealed.mdp.Gradient;
import dev.revealed.mdp.SingleLoop;
import dev.revealed.mdp.Steps;
import dev.revealed.numeric.Dense;
import dev.revealed.numeric.Lbfgs;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Vec;
import java.util.Arrays;

/** The ways of this library to maximise a likelihood, on recursive logit: all end at the same parameters. */
public enum RouteMethod {
    /** Newton's method: values and derivatives by one factorisation per step. */
    NEWTON("newton"),
    /** Algorithm 1: values follow the reward by sweeps while it changes, steps are preconditioned by the information. */
    ML_IRL("ml-irl"),
    /** Ziebart's maximum-entropy inverse reinforcement learning: values solved for every reward, plain gradient steps. */
    MAXENT_IRL("maxent-irl"),
    /** Nested fixed point: values solved for every reward, under L-BFGS. */
    NFXP("nfxp");

    /** How far the maximum may be, in standard errors. */
    private static final double TOLERANCE = 1e-8;

    private static final int MOST_LOOPS = 300;
    private static final int MOST_GRADIENT_STEPS = 50_000;
    private static final double ACCURACY = 0.02;

    private final String name;

    RouteMethod(String name) {
        this.name = name;
    }

    /** As users call it. */
    @Override
    public String toString() {
        return name;
    }

    /**
     * Where a method ended.
     *
     * @param logLikelihood exact, at the parameters
     * @param distance from the maximum in standard errors, exact: the root of g' H^-1 g
     * @param solves values solved for all destinations, derivatives and adjoints counted; 0 where none were
     * @param sweeps passes over the pairs for all destinations; 0 where values are solved
     */
    public record Found(
            RouteMethod method,
            double[] theta,
            double logLikelihood,
            double distance,
            int iterations,
            long solves,
            double sweeps,
            double seconds,
            double cpuSeconds) {}

    /** Maximises the likelihood from a start that must be allowed. */
    public Found fit(RecursiveLogit logit, double[] start, ProgressListener listener) {
        logit.check(start);
        if (!logit.graph().feasible(start)) {
            throw RouteEstimator.infeasible(logit.graph(), start);
        }
        Run run = new Run(this, logit, listener);
        double[] theta = switch (this) {
            case NEWTON -> run.newton(start);
            case ML_IRL -> run.singleLoop(start);
            case MAXENT_IRL -> run.gradientSteps(start);
            case NFXP -> run.nested(start);
        };
        double seconds = run.clock.wallSeconds();
        double cpuSeconds = run.clock.cpuSeconds();
        Evaluation there = logit.at(theta, Depth.SECOND);
        return new Found(
                this,
                theta,
                there.value(),
                new Gradient(there.gradient(), Run.negative(there.hessian())).decrement(),
                run.iterations,
                run.solves,
                run.sweeps,
                seconds,
                cpuSeconds);
    }

    /** One search. */
    private static final class Run {
        private final RouteMethod method;
        private final RecursiveLogit logit;
        private final ProgressListener listener;
        private final Clock clock = new Clock();
        private int iterations;
        private long solves;
        private double sweeps;

        Run(RouteMethod method, RecursiveLogit logit, ProgressListener listener) {
            this.method = method;
            this.logit = logit;
            this.listener = listener;
        }

        private Evaluation at(double[] theta, Depth depth) {
            solves += switch (depth) {
                case VALUE -> 1;
                case GRADIENT -> 2;
                case SCORES, SECOND -> 2 + theta.length;
            };
            return logit.at(theta, depth);
        }

        double[] newton(double[] start) {
            double[] theta = start;
            Evaluation here = at(theta, Depth.SECOND);
            while (iterations < MOST_LOOPS) {
                double[] direction = Dense.solvePositive(negative(here.hessian()), here.gradient());
                if (Math.sqrt(Vec.dot(direction, here.gradient())) <= TOLERANCE) {
                    break;
                }
                double length = 1;
                Evaluation next = at(Vec.plus(theta, length, direction), Depth.SECOND);
                while (!(next.value() >= here.value() - 1e-9 * Math.abs(here.value())) && length > 1e-12) {
                    length /= 2;
                    next = at(Vec.plus(theta, length, direction), Depth.SECOND);
                }
                theta = Vec.plus(theta, length, direction);
                here = next;
                iterations++;
                listener.searching(method.name, iterations, MOST_LOOPS);
            }
            return theta;
        }

        /** Algorithm 1 with tracked values. */
        double[] singleLoop(double[] start) {
            TrackedRoutes tracked = new TrackedRoutes(logit.graph(), ACCURACY);
            SingleLoop<double[], TrackedRoutes.Policy, Gradient> loop =
                    new SingleLoop<>(tracked, tracked, allowed(Steps.fisher(1)));
            var end = loop.run(
                    new SingleLoop.Iterate<>(0, start, tracked.start(), RandomStream.of(0)),
                    (k, theta, policy, gradient) -> {
                        iterations = k;
                        listener.searching(method.name, k, MOST_LOOPS);
                        return gradient.decrement() > TOLERANCE && k < MOST_LOOPS;
                    });
            sweeps = tracked.sweeps();
            return end.reward();
        }

        /** Algorithm 1 with solved values and plain gradient steps, in units of the information at the start. */
        double[] gradientSteps(double[] start) {
            double[][] information = negative(at(start, Depth.SECOND).hessian());
            double[] unit = new double[start.length];
            Arrays.setAll(unit, j -> 1 / Math.sqrt(information[j][j]));
            SingleLoop<double[], Evaluation, Gradient> loop = new SingleLoop<>(
                    (policy, theta) -> at(theta, Depth.GRADIENT),
                    (theta, policy, stream) -> new Gradient(product(unit, policy.gradient()), null),
                    inUnits(unit, Steps.shrinking(0.5)));
            var end = loop.run(
                    new SingleLoop.Iterate<>(0, start, Evaluation.INFEASIBLE, RandomStream.of(0)),
                    (k, theta, policy, gradient) -> {
                        iterations = k;
                        listener.searching(method.name, k, MOST_GRADIENT_STEPS);
                        return Vec.norm(gradient.vector())
                                        > 0.01
                                                * TOLERANCE
                                                * Math.sqrt(logit.graph().trips.size())
                                && k < MOST_GRADIENT_STEPS;
                    });
            return end.reward();
        }

        private SingleLoop.Step<double[], Gradient> inUnits(double[] unit, SingleLoop.Step<double[], Gradient> rule) {
            return allowed((theta, gradient, k) -> {
                double[] scaled = new double[unit.length];
                Arrays.setAll(scaled, j -> theta[j] / unit[j]);
                return product(unit, rule.next(scaled, gradient, k));
            });
        }

        private static double[] product(double[] x, double[] y) {
            double[] product = new double[x.length];
            Arrays.setAll(product, j -> x[j] * y[j]);
            return product;
        }

        /** The step, halved until values exist where it leads. */
        private SingleLoop.Step<double[], Gradient> allowed(SingleLoop.Step<double[], Gradient> rule) {
            return (theta, gradient, k) -> {
                double[] next = rule.next(theta, gradient, k);
                while (!logit.graph().feasible(next)) {
                    next = Vec.plus(theta, 0.5, Vec.plus(next, -1, theta));
                }
                return next;
            };
        }

        double[] nested(double[] start) {
            Lbfgs.Result found = new Lbfgs(20, MOST_LOOPS, 1e-6)
                    .maximise(
                            (theta, gradient) -> {
                                Evaluation here = at(theta, Depth.GRADIENT);
                                if (here.feasible()) {
                                    System.arraycopy(here.gradient(), 0, gradient, 0, gradient.length);
                                }
                                return here.value();
                            },
                            start,
                            (k, theta, value, gradient) -> listener.searching(method.name, k, MOST_LOOPS));
            iterations = found.iterations();
            return found.x();
        }

        static double[][] negative(double[][] a) {
            return Arrays.stream(a)
                    .map(row -> Arrays.stream(row).map(value -> -value).toArray())
                    .toArray(double[][]::new);
        }
    }
}
