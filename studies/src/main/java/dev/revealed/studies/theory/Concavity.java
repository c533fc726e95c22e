package dev.revealed.studies.theory;

import dev.revealed.data.ChoiceData;
import dev.revealed.data.RustBusFiles;
import dev.revealed.estimate.ExactLikelihood;
import dev.revealed.estimate.Problem;
import dev.revealed.estimate.choice.ChoiceProblem;
import dev.revealed.mdp.choice.ChoiceModel;
import dev.revealed.mdp.choice.Panel;
import dev.revealed.mdp.model.RustBus;
import dev.revealed.numeric.Dense;
import dev.revealed.numeric.Objective;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Vec;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Corollary 1: for linear rewards the surrogate likelihood is concave; the likelihood of a panel's choices need not be, as
 * the paper says of Rust's group 2. Both are followed along a line, with the eigenvalues of the Hessian.
 */
public final class Concavity {
    private static final int POINTS = 25;

    /** Step of the central differences that turn gradients into a Hessian. */
    private static final double STEP = 1e-4;

    /** RC of the line on which Rust's theta11 goes from 0 to 3. */
    private static final double REPLACEMENT_COST = 4;

    private static final double LARGEST_UPKEEP = 3;

    private Concavity() {}

    /**
     * A likelihood along a line.
     *
     * @param parameter what changes along the line
     * @param concave whether no eigenvalue is positive beyond rounding
     */
    public record Line(String likelihood, String data, String parameter, boolean concave, List<Point> points) {}

    /**
     * One point of the line.
     *
     * @param chord the straight line between the likelihoods of both ends, which a concave function is nowhere below
     * @param smallest eigenvalue of the Hessian
     * @param largest eigenvalue of the Hessian: positive where the likelihood curves upwards in some direction
     */
    public record Point(double position, double likelihood, double chord, double smallest, double largest) {}

    static List<Line> run(TheoryProblem theory, TheoryStudy.Settings settings, ProgressListener listener) {
        listener.progress("concavity", 0, 2);
        Problem problem = theory.problem();
        Line surrogate = line(
                "surrogate",
                "%d trajectories of the random process"
                        .formatted(problem.demonstrations().size()),
                "multiple of the true parameters",
                problem,
                scaled(-3, theory.truth()),
                scaled(3, theory.truth()),
                -3,
                3);
        listener.progress("concavity", 1, 2);
        boolean present = Files.exists(settings.rustData());
        ChoiceProblem buses = present || !settings.rustData().equals(TheoryStudy.Settings.STANDARD.rustData())
                ? group2(settings.rustData())
                : simulated(settings.seed());
        Line panel = line(
                "likelihood of the choices",
                present
                        ? "Rust's group 2"
                        : "4 simulated buses of 48 months, since %s is absent"
                                .formatted(settings.rustData().getFileName()),
                "theta11 at RC = 4",
                buses.problem(buses.firstStage().phi()),
                new double[] {REPLACEMENT_COST, 0},
                new double[] {REPLACEMENT_COST, LARGEST_UPKEEP},
                0,
                LARGEST_UPKEEP);
        listener.progress("concavity", 2, 2);
        return List.of(surrogate, panel);
    }

    private static ChoiceProblem group2(Path data) {
        ChoiceData read = RustBusFiles.read(
                data, RustBusFiles.Settings.of(Map.of("groups", "2", "bins", "90")), ProgressListener.NONE);
        return new ChoiceProblem(read.model(), read.panel());
    }

    /** As many buses and months as in group 2, with parameters near those that Rust found for groups 1 to 3. */
    private static ChoiceProblem simulated(long seed) {
        ChoiceModel model = RustBus.of(90, 2, 0.9999, RustBus.Cost.LINEAR);
        double[] start = new double[90];
        start[0] = 1;
        Panel panel = model.simulate(
                new double[] {11.7, 4.8},
                new double[] {0.3, 0.69},
                start,
                4,
                48,
                RandomStream.of(seed).named("buses"));
        return new ChoiceProblem(model, panel);
    }

    /** The likelihood of a problem between two parameter vectors, its Hessian by differences of exact gradients. */
    static Line line(
            String likelihood,
            String data,
            String parameter,
            Problem problem,
            double[] first,
            double[] last,
            double from,
            double to) {
        ExactLikelihood exact = new ExactLikelihood(problem, problem.process());
        double low = exact.value(first);
        double high = exact.value(last);
        List<Point> points = IntStream.range(0, POINTS)
                .mapToObj(i -> {
                    double share = i / (POINTS - 1.0);
                    double[] theta = Vec.plus(scaled(1 - share, first), share, last);
                    double[] spectrum = Dense.symmetricEigenvalues(hessian(exact, theta));
                    return new Point(
                            from + share * (to - from),
                            exact.value(theta),
                            low + share * (high - low),
                            spectrum[0],
                            spectrum[spectrum.length - 1]);
                })
                .toList();
        double size = points.stream()
                .mapToDouble(point -> Math.max(Math.abs(point.smallest), Math.abs(point.largest)))
                .max()
                .orElse(0);
        boolean concave = points.stream().allMatch(point -> point.largest <= 1e-6 * size);
        return new Line(likelihood, data, parameter, concave, points);
    }

    private static double[][] hessian(Objective objective, double[] theta) {
        int p = theta.length;
        double[][] hessian = new double[p][p];
        for (int j = 0; j < p; j++) {
            double[] up = gradient(objective, theta, j, STEP);
            double[] down = gradient(objective, theta, j, -STEP);
            for (int k = 0; k < p; k++) {
                double half = (up[k] - down[k]) / (4 * STEP);
                hessian[j][k] += half; // symmetric: the mean of both orders
                hessian[k][j] += half;
            }
        }
        return hessian;
    }

    private static double[] gradient(Objective objective, double[] theta, int j, double step) {
        double[] moved = theta.clone();
        moved[j] += step;
        double[] gradient = new double[theta.length];
        objective.at(moved, gradient);
        return gradient;
    }

    private static double[] scaled(double factor, double[] x) {
        return Vec.plus(new double[x.length], factor, x);
    }
}
