package dev.revealed.estimate;

import dev.revealed.mdp.Gradient;
import dev.revealed.mdp.SingleLoop;
import dev.revealed.mdp.Steps;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Vec;

/** How far the reward moves per iteration. */
public sealed interface StepRule {

    /** alpha0 / K^sigma, the step of Theorem 1; sigma 0 is a constant step. */
    record Decaying(double alpha0, double sigma) implements StepRule {
        public Decaying {
            BadInput.positive("`alpha0`", alpha0);
            BadInput.notNegative("`sigma`", sigma);
        }
    }

    /** One over the largest curvature at the start, found by a few exact gradients, and shorter if that proves too long. */
    record Automatic() implements StepRule {}

    /** Preconditioned by the Fisher information; needs an agent that tracks derivatives. */
    record Fisher(double radius) implements StepRule {
        public Fisher {
            BadInput.when(!(radius > 0), "the radius is " + radius, "Give a number above 0.");
        }
    }

    record Adam(double rate) implements StepRule {
        public Adam {
            BadInput.positive("the step size", rate);
        }
    }

    default SingleLoop.Step<double[], Gradient> step(
            int iterations, double[] start, ExactLikelihood exact, RandomStream stream) {
        return switch (this) {
            case Decaying(double alpha0, double sigma) -> Steps.decaying(alpha0, sigma, iterations);
            case Automatic() -> Steps.shrinking(1 / curvature(start, exact, stream));
            case Fisher(double radius) -> Steps.fisher(radius);
            case Adam(double rate) -> Steps.adam(rate, start.length);
        };
    }

    /** The largest curvature of the likelihood at a point: power iteration on differences of gradients. */
    private static double curvature(double[] theta, ExactLikelihood exact, RandomStream stream) {
        double step = 1e-4;
        double[] origin = new double[theta.length];
        exact.at(theta, origin);
        double[] direction = stream.doubles(theta.length, -1, 1).toArray();
        double curvature = 1;
        for (int i = 0; i < 12; i++) {
            double norm = Vec.norm(direction);
            double[] there = new double[theta.length];
            exact.at(Vec.plus(theta, step / norm, direction), there);
            direction = Vec.plus(origin, -1, there);
            curvature = Vec.norm(direction) / step;
            if (!(curvature > 0)) {
                return 1; // flat: any step does
            }
        }
        return curvature;
    }
}
