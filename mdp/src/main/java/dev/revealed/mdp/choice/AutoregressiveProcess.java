package dev.revealed.mdp.choice;

import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.Dense;
import dev.revealed.numeric.Normal;
import dev.revealed.numeric.Vec;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A variable that follows x' = mu + rho x + sigma e with e standard normal, discretised by the method of Tauchen
 * (1986): each grid point stands for the interval of values nearest to it. A cell is where the variable stands, and its
 * outcomes are all the grid points. Any of the three coefficients may be known.
 */
public final class AutoregressiveProcess implements TransitionFamily {
    private static final int MU = 0;
    private static final int RHO = 1;
    private static final int SIGMA = 2;
    private static final int MAX_STEPS = 500;

    private final double[] grid;
    private final double[] edges; // between neighbours
    private final List<String> names;
    private final double[] known;
    private final int[] free;

    /**
     * @param grid in ascending order
     * @param names of the coefficients that are not known
     * @param known mu, rho and sigma, NaN where the data are to decide
     */
    public AutoregressiveProcess(double[] grid, List<String> names, double[] known) {
        this.grid = grid.clone();
        this.names = List.copyOf(names);
        this.known = known.clone();
        free = IntStream.range(0, known.length)
                .filter(i -> Double.isNaN(known[i]))
                .toArray();
        if (known.length != 3 || free.length != names.size()) {
            throw new IllegalArgumentException(
                    "%d names for %d unknown coefficients of 3".formatted(names.size(), free.length));
        }
        if (known[SIGMA] <= 0) {
            throw new BadInput("sigma is " + known[SIGMA], "It must be positive.");
        }
        if (grid.length < 2) {
            throw new BadInput("an autoregression has a grid of %d value".formatted(grid.length), "Give two or more.");
        }
        edges = new double[grid.length - 1];
        for (int i = 0; i < edges.length; i++) {
            if (!(grid[i] < grid[i + 1])) {
                throw new BadInput(
                        "an autoregression has the grid value %s before %s".formatted(grid[i], grid[i + 1]),
                        "Give its values in ascending order.");
            }
            edges[i] = (grid[i] + grid[i + 1]) / 2;
        }
    }

    @Override
    public List<String> names() {
        return names;
    }

    @Override
    public int cells() {
        return grid.length;
    }

    @Override
    public int outcomes(int cell) {
        return grid.length;
    }

    private double[] coefficients(double[] phi) {
        double[] all = known.clone();
        for (int k = 0; k < free.length; k++) {
            all[free[k]] = phi[k];
        }
        return all;
    }

    private double standardised(double[] c, int cell, int edge) {
        return (edges[edge] - c[MU] - c[RHO] * grid[cell]) / c[SIGMA];
    }

    @Override
    public void at(double[] phi, int cell, double[] p) {
        double[] c = coefficients(phi);
        double below = Double.NEGATIVE_INFINITY;
        for (int o = 0; o < grid.length; o++) {
            double above = o < edges.length ? standardised(c, cell, o) : Double.POSITIVE_INFINITY;
            // in the upper tail the difference of the complements keeps its digits
            p[o] = below > 0 ? Normal.cdf(-below) - Normal.cdf(-above) : Normal.cdf(above) - Normal.cdf(below);
            below = above;
        }
    }

    /** From the two edges of the outcome alone: grids are long, and every observed move asks. */
    @Override
    public double[] score(double[] phi, int cell, int outcome) {
        double[] c = coefficients(phi);
        double below = outcome == 0 ? Double.NEGATIVE_INFINITY : standardised(c, cell, outcome - 1);
        double above = outcome < edges.length ? standardised(c, cell, outcome) : Double.POSITIVE_INFINITY;
        double p = below > 0 ? Normal.cdf(-below) - Normal.cdf(-above) : Normal.cdf(above) - Normal.cdf(below);
        double[] score = new double[free.length];
        for (int k = 0; k < free.length; k++) {
            double up = outcome < edges.length ? slope(c, cell, k, above) : 0;
            double down = outcome == 0 ? 0 : slope(c, cell, k, below);
            score[k] = (up - down) / p;
        }
        return score;
    }

    /** How the probability of ending below an edge moves with a coefficient. */
    private double slope(double[] c, int cell, int k, double z) {
        double slope = switch (free[k]) {
            case MU -> 1;
            case RHO -> grid[cell];
            default -> z;
        };
        return -Normal.density(z) * slope / c[SIGMA];
    }

    @Override
    public void derivative(double[] phi, int cell, int k, double[] dp) {
        double[] c = coefficients(phi);
        double below = 0;
        for (int o = 0; o < grid.length; o++) {
            double above = 0;
            if (o < edges.length) {
                above = slope(c, cell, k, standardised(c, cell, o));
            }
            dp[o] = above - below;
            below = above;
        }
    }

    /** By Fisher scoring, from the regression of grid points on grid points. */
    @Override
    public double[] fit(double[][] counts) {
        if (free.length == 0) {
            return new double[0];
        }
        double[] phi = regression(counts);
        double value = logLikelihood(phi, counts);
        for (int step = 0; step < MAX_STEPS; step++) {
            double[] gradient = gradient(phi, counts);
            double[] direction = Dense.solve(information(phi, counts), gradient).orElseThrow(this::undetermined);
            double rise = Vec.dot(gradient, direction);
            if (value > -1e-6) {
                throw undetermined(); // every move is all but certain: sigma runs to 0
            }
            if (rise <= 1e-18 * (1 + Math.abs(value))) {
                return phi;
            }
            double share = 1;
            double[] next;
            double reached;
            do {
                next = phi.clone();
                Vec.axpy(share, direction, next);
                reached = coefficients(next)[SIGMA] > 0 ? logLikelihood(next, counts) : Double.NaN;
                share /= 2;
            } while (!(reached > value) && share > 1e-12);
            if (!(reached > value)) {
                return phi; // as high as rounding lets one see
            }
            phi = next;
            value = reached;
        }
        throw undetermined();
    }

    private double[] gradient(double[] phi, double[][] counts) {
        double[] gradient = new double[free.length];
        for (int cell = 0; cell < grid.length; cell++) {
            if (Vec.sum(counts[cell]) == 0) {
                continue;
            }
            double[] p = probabilities(phi, cell);
            double[] ratio = new double[grid.length];
            for (int o = 0; o < p.length; o++) {
                ratio[o] = counts[cell][o] == 0 ? 0 : counts[cell][o] / p[o];
            }
            accumulate(phi, cell, 1, ratio, gradient, 0);
        }
        return gradient;
    }

    private double[] regression(double[][] counts) {
        double n = 0;
        double x = 0;
        double y = 0;
        double xx = 0;
        double xy = 0;
        double yy = 0;
        for (int cell = 0; cell < grid.length; cell++) {
            for (int o = 0; o < grid.length; o++) {
                double w = counts[cell][o];
                n += w;
                x += w * grid[cell];
                y += w * grid[o];
                xx += w * grid[cell] * grid[cell];
                xy += w * grid[cell] * grid[o];
                yy += w * grid[o] * grid[o];
            }
        }
        if (n == 0) {
            throw TransitionFamily.unobserved(names);
        }
        double spread = xx / n - x / n * (x / n);
        double rho = !Double.isNaN(known[RHO]) ? known[RHO] : spread > 0 ? (xy / n - x / n * (y / n)) / spread : 0;
        double mu = !Double.isNaN(known[MU]) ? known[MU] : y / n - rho * x / n;
        double residual = (yy - 2 * mu * y - 2 * rho * xy + n * mu * mu + 2 * mu * rho * x + rho * rho * xx) / n;
        double gap = (grid[grid.length - 1] - grid[0]) / (grid.length - 1);
        double sigma = Math.max(Math.sqrt(Math.max(0, residual)), gap / 2);
        double[] all = {mu, rho, sigma};
        return Arrays.stream(free).mapToDouble(i -> all[i]).toArray();
    }

    private BadInput undetermined() {
        return new BadInput(
                "the observed moves do not determine " + String.join(", ", names),
                "They must start from different grid points and scatter over several; try a finer grid.");
    }
}
