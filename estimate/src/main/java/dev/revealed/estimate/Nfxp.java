package dev.revealed.estimate;

import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.Lbfgs;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Vec;
import java.util.Optional;

/**
 * Maximum likelihood by nested fixed point (Rust): the decision problem is solved for every trial reward, here by
 * warm-started Newton-Kantorovich, under L-BFGS.
 */
public record Nfxp(int iterations, double tolerance) implements Estimator {
    public Nfxp {
        BadInput.count("`iterations`", iterations);
        BadInput.notNegative("the tolerance", tolerance);
    }

    /** No reward of ordinary features is this large: the data contradict the kernel, and the likelihood has no maximum. */
    private static final double RUNAWAY = 1e6;

    public static Nfxp standard() {
        return new Nfxp(2000, 1e-7);
    }

    @Override
    public Estimate fit(Problem problem, RandomStream stream, ProgressListener listener) {
        Clock clock = new Clock();
        ExactLikelihood exact = new ExactLikelihood(problem, problem.process());
        double[] start = problem.feasibleStart(problem.reward().initial(stream.named("initial")));
        Lbfgs.Result result = new Lbfgs(20, iterations, tolerance).maximise(exact, start, (k, x, value, gradient) -> {
            listener.searching("nfxp", k, iterations);
            if (Vec.maxAbs(x) > RUNAWAY) {
                throw new BadInput(
                        "the likelihood seems to grow without bound: a parameter has reached %.2g"
                                .formatted(Vec.maxAbs(x)),
                        "The data contradict the kernel in some direction of the reward; add `ridge` 0.01.");
            }
        });
        long passes = exact.process().passes().count();
        Search search = new Search(result.iterations(), result.converged(), "", passes);
        return new Report(problem, "nfxp", problem.demonstrations().hash())
                .estimate(result.x(), search, clock, Optional.empty());
    }
}
