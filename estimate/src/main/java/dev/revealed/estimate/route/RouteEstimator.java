package dev.revealed.estimate.route;

import dev.revealed.estimate.route.RouteLikelihood.Depth;
import dev.revealed.estimate.route.RouteLikelihood.Evaluation;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.Dense;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.numeric.Vec;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/**
 * Maximum likelihood for models of route choice. Where the model has a Hessian (recursive logit, with link size or without)
 * Newton's method: the log-likelihood is concave and falls to minus infinity at the border of the allowed parameters, so
 * steps are halved until they stay inside and gain. Where gradients are much cheaper than the Hessian, quasi-Newton steps
 * from the first Hessian go all the way, and the last Hessian confirms that they arrived. A model without a Hessian (nested) begins them with the outer products of the
 * scores.
 *
 * @param maxIterations steps at most
 * @param tolerance what the next step would gain, in units of the log-likelihood, below which the search ends
 */
public record RouteEstimator(int maxIterations, double tolerance) {
    private static final double ARMIJO = 1e-4;

    /** Relative difference for second derivatives that the model does not give. */
    private static final double DIFFERENCE = 1e-4;

    public RouteEstimator {
        BadInput.count("`max-iterations`", maxIterations);
        BadInput.positive("`tolerance`", tolerance);
    }

    public static RouteEstimator standard() {
        return new RouteEstimator(200, 1e-11);
    }

    public RouteEstimate fit(
            String model, RouteGraph graph, RouteLikelihood likelihood, double[] start, ProgressListener listener) {
        refuseUnused(graph);
        Climb climb = new Climb(graph, likelihood, start, listener);
        boolean converged = climb.run();
        return climb.estimate(model, converged);
    }

    /** Where a search ended, without standard errors. */
    record Found(double[] theta, double logLikelihood, double logLikelihoodAtStart, int iterations, int evaluations) {}

    /** Only the search. */
    Found search(RouteGraph graph, RouteLikelihood likelihood, double[] start) {
        Climb climb = new Climb(graph, likelihood, start, ProgressListener.NONE);
        climb.run();
        return new Found(climb.theta, climb.here.value(), climb.atStart, climb.iterations, climb.evaluations);
    }

    /** A point where values exist: penalties that grow until they suffice. */
    public static double[] feasibleStart(RouteGraph graph) {
        double[] start = new double[graph.x.length];
        long steps = Math.max(1, graph.trips.steps());
        for (int j = 0; j < start.length; j++) {
            double sum = 0;
            for (double[] trip : graph.observed) {
                sum += trip[j];
            }
            double mean = sum / steps;
            start[j] = -1.5 / Math.max(1, Math.abs(mean)) * (mean < 0 ? -1 : 1);
        }
        for (int doubling = 0; doubling < 12; doubling++) {
            if (graph.feasible(start)) {
                return start;
            }
            for (int j = 0; j < start.length; j++) {
                start[j] *= 1.5;
            }
        }
        throw infeasible(graph, start);
    }

    static BadInput infeasible(RouteGraph graph, double[] theta) {
        int k = graph.x.length;
        double radius = graph.spectralRadius(theta);
        return new BadInput(
                "values do not exist at %s: the spectral radius is %s, and must be below 1"
                        .formatted(
                                described(graph.features.names(), Arrays.copyOf(theta, k)),
                                String.format(Locale.ROOT, radius < 1e6 ? "%.6f" : "%.3g", radius)),
                "Choose stronger penalties in `start`, or in `parameters` of a simulation."
                        + enough(graph, theta, radius));
    }

    /** A constant that suffices: it divides the spectral radius by its exponential. And which terms attract. */
    private static String enough(RouteGraph graph, double[] theta, double radius) {
        List<String> names = graph.features.names();
        StringBuilder remedy = new StringBuilder();
        if (radius >= 1 && Double.isFinite(radius)) {
            int constant = 0;
            while (constant < graph.x.length
                    && !Arrays.stream(graph.x[constant]).allMatch(value -> value == 1)) {
                constant++;
            }
            boolean there = constant < graph.x.length;
            double below = (there ? theta[constant] : 0) - Math.log(radius);
            remedy.append(" With the others as they are, %s of %s or less is enough."
                    .formatted(
                            there ? "'" + names.get(constant) + "'" : "a constant per link (`feature` constant=1)",
                            String.format(Locale.ROOT, "%.2f", (Math.ceil(100 * below) - 1) / 100)));
        }
        List<String> attracting = IntStream.range(0, graph.x.length)
                .filter(j -> Arrays.stream(graph.x[j]).anyMatch(value -> theta[j] * value > 0))
                .mapToObj(names::get)
                .toList();
        if (!attracting.isEmpty()) {
            remedy.append(" Positive on some links, so no penalty: %s.".formatted(String.join(", ", attracting)));
        }
        return remedy.toString();
    }

    private static String described(List<String> names, double[] theta) {
        List<String> parts = IntStream.range(0, theta.length)
                .mapToObj(j -> names.get(j) + " = " + theta[j])
                .toList();
        return String.join(", ", parts);
    }

    /** A feature of one sign that no trip meets separates: its coefficient would run to infinity. */
    private static void refuseUnused(RouteGraph graph) {
        BadInput.when(
                graph.trips.steps() == 0,
                "no trip has a step from one link to another",
                "Give trips of two links and more.");
        for (int j = 0; j < graph.x.length; j++) {
            int feature = j;
            String name = graph.features.names().get(j);
            double largest = Vec.maxAbs(graph.x[j]);
            BadInput.when(
                    largest == 0,
                    "feature '%s' is 0 on every pair of links".formatted(name),
                    "Leave it out: nothing can be learnt about it.");
            boolean oneSign = Arrays.stream(graph.x[j]).noneMatch(value -> value < 0)
                    || Arrays.stream(graph.x[j]).noneMatch(value -> value > 0);
            boolean met = Arrays.stream(graph.observed).anyMatch(sums -> sums[feature] != 0);
            BadInput.when(
                    oneSign && !met,
                    "feature '%s' is 0 on every step of every trip: its coefficient would run to infinity"
                            .formatted(name),
                    "Leave it out, use trips that meet it, or leave out the pairs of links that have it (`forbid`).");
        }
    }

    /** One search. */
    private final class Climb {
        private final RouteGraph graph;
        private final RouteLikelihood likelihood;
        private final ProgressListener listener;
        private double[] theta;
        private Evaluation here;
        private double atStart;
        private int iterations;
        private int evaluations;
        private String status = "";

        Climb(RouteGraph graph, RouteLikelihood likelihood, double[] start, ProgressListener listener) {
            likelihood.check(start);
            this.graph = graph;
            this.likelihood = likelihood;
            this.listener = listener;
            theta = start.clone();
            here = at(theta, Depth.SECOND);
            if (!here.feasible()) {
                throw infeasible(graph, start);
            }
            atStart = here.value();
        }

        private Evaluation at(double[] point, Depth depth) {
            evaluations++;
            return likelihood.at(point, depth);
        }

        boolean run() {
            boolean exact = here.hessian().length > 0;
            boolean quasi = !exact || likelihood.cheapGradient();
            double[][] inverse = exact
                    ? definite(negative(here.hessian()), "the information")
                    : definite(outerProducts(here.scores()), "the variance of the scores");
            while (iterations < maxIterations) {
                double[] direction = Dense.multiply(inverse, here.gradient());
                double slope = Vec.dot(direction, here.gradient());
                if (slope < tolerance && !(quasi && exact)) {
                    status = "converged";
                    return true;
                }
                Evaluation next = Evaluation.INFEASIBLE;
                double[] point = theta;
                double length = 1;
                boolean gained = false;
                for (int halving = 0; halving < 60 && !gained && slope >= tolerance; halving++, length /= 2) {
                    point = Vec.plus(theta, length, direction);
                    next = at(point, quasi ? Depth.GRADIENT : Depth.SECOND);
                    gained = next.feasible() && gains(next, length, direction, slope);
                }
                if (!gained && quasi && exact) { // the exact Hessian has the last word
                    quasi = false;
                    here = at(theta, Depth.SECOND);
                    inverse = definite(negative(here.hessian()), "the information");
                    continue;
                }
                if (!gained) {
                    status = "no step gains; the gradient is %.2g".formatted(Vec.maxAbs(here.gradient()));
                    return false;
                }
                if (quasi) {
                    inverse = updated(
                            inverse, Vec.plus(point, -1, theta), Vec.plus(here.gradient(), -1, next.gradient()));
                }
                theta = point;
                here = next;
                iterations++;
                if (!quasi) {
                    inverse = definite(negative(here.hessian()), "the information");
                }
                listener.searching("log-likelihood %.6f".formatted(here.value()), iterations, maxIterations);
            }
            status = "stopped after %d steps, the most allowed".formatted(maxIterations);
            return false;
        }

        /** Armijo's rule; where the gain drowns in rounding, the slope decides. */
        private boolean gains(Evaluation next, double length, double[] direction, double slope) {
            double noise = 1e-11 * Math.max(1, Math.abs(here.value()));
            return Math.abs(next.value() - here.value()) <= noise
                    ? Vec.dot(next.gradient(), direction) >= (2 * ARMIJO - 1) * slope
                    : next.value() >= here.value() + ARMIJO * length * slope;
        }

        /** The BFGS update of an inverse, where the curvature along the step is positive. */
        private double[][] updated(double[][] inverse, double[] step, double[] change) {
            double curvature = Vec.dot(step, change);
            if (!(curvature > 1e-12 * Vec.norm(step) * Vec.norm(change))) {
                return inverse;
            }
            double[] product = Dense.multiply(inverse, change);
            double factor = (1 + Vec.dot(change, product) / curvature) / curvature;
            double[][] next = new double[inverse.length][inverse.length];
            for (int i = 0; i < step.length; i++) {
                for (int j = 0; j < step.length; j++) {
                    next[i][j] = inverse[i][j]
                            + factor * step[i] * step[j]
                            - (product[i] * step[j] + step[i] * product[j]) / curvature;
                }
            }
            return next;
        }

        private double[][] definite(double[][] information, String what) {
            double[] size = new double[information.length];
            Arrays.setAll(size, j -> Math.sqrt(Math.max(information[j][j], Double.MIN_NORMAL)));
            double[][] scaled = new double[size.length][size.length];
            for (int i = 0; i < size.length; i++) {
                for (int j = 0; j < size.length; j++) {
                    scaled[i][j] = information[i][j] / (size[i] * size[j]);
                }
            }
            Dense.Eigen eigen = Dense.symmetricEigen(scaled);
            if (!(eigen.values()[0] > 1e-11)) {
                double[] vector = eigen.vectors()[0];
                List<String> part = IntStream.range(0, size.length)
                        .filter(j -> Math.abs(vector[j]) > 0.1)
                        .mapToObj(j -> "'" + likelihood.names().get(j) + "'")
                        .toList();
                throw new BadInput(
                        "%s of %s is singular: trips do not tell them apart".formatted(what, String.join(", ", part)),
                        "Leave one of them out: a feature that is the same along all paths between two links, or a sum of"
                                + " others, has no estimate.");
            }
            double[][] inverse = new double[size.length][size.length];
            for (int i = 0; i < size.length; i++) {
                for (int j = 0; j < size.length; j++) {
                    for (int v = 0; v < size.length; v++) {
                        inverse[i][j] += eigen.vectors()[v][i] * eigen.vectors()[v][j] / eigen.values()[v];
                    }
                    inverse[i][j] /= size[i] * size[j];
                }
            }
            return inverse;
        }

        RouteEstimate estimate(String model, boolean converged) {
            if (here.scores().length == 0) {
                here = at(theta, Depth.SECOND);
            }
            double[][] hessian = here.hessian().length > 0 ? here.hessian() : differences();
            double[][] inverse = definite(negative(hessian), "the information");
            double[][] products = outerProducts(here.scores());
            double[][] outer = definite(products, "the variance of the scores");
            double[][] robust = Dense.multiply(Dense.multiply(inverse, products), inverse);
            List<RouteEstimate.Parameter> parameters = IntStream.range(0, theta.length)
                    .mapToObj(j -> new RouteEstimate.Parameter(
                            likelihood.names().get(j),
                            theta[j],
                            Math.sqrt(inverse[j][j]),
                            Math.sqrt(outer[j][j]),
                            Math.sqrt(robust[j][j]),
                            likelihood.range(j)))
                    .toList();
            return new RouteEstimate(
                    model,
                    here.value(),
                    atStart,
                    parameters,
                    robust,
                    inverse,
                    here.scores(),
                    likelihood.spectralRadius(graph, theta),
                    graph.trips.size(),
                    graph.trips.steps(),
                    iterations,
                    evaluations,
                    converged,
                    status);
        }

        private Evaluation inside(double[] point) {
            Evaluation found = at(point, Depth.GRADIENT);
            BadInput.when(
                    !found.feasible(),
                    "the search ended at the border of the allowed parameters, so standard errors do not exist",
                    "Leave out features, or use more trips: these do not decide the parameters.");
            return found;
        }

        /** The Hessian by central differences of the gradient. */
        private double[][] differences() {
            int k = theta.length;
            double[][] hessian = new double[k][k];
            for (int j = 0; j < k; j++) {
                double size = DIFFERENCE * Math.max(0.1, Math.abs(theta[j]));
                double[] up = theta.clone();
                double[] down = theta.clone();
                up[j] += size;
                down[j] -= size;
                double[] above = inside(up).gradient();
                double[] below = inside(down).gradient();
                for (int i = 0; i < k; i++) {
                    hessian[j][i] = (above[i] - below[i]) / (up[j] - down[j]);
                }
            }
            for (int j = 0; j < k; j++) {
                for (int i = 0; i < j; i++) {
                    hessian[i][j] = hessian[j][i] = 0.5 * (hessian[i][j] + hessian[j][i]);
                }
            }
            return hessian;
        }
    }

    private static double[][] negative(double[][] a) {
        return Arrays.stream(a)
                .map(row -> Arrays.stream(row).map(value -> -value).toArray())
                .toArray(double[][]::new);
    }

    static double[][] outerProducts(double[][] scores) {
        int k = scores[0].length;
        double[][] sum = new double[k][k];
        for (double[] score : scores) {
            for (int j = 0; j < k; j++) {
                Vec.axpy(score[j], score, sum[j]);
            }
        }
        return sum;
    }
}
