package dev.revealed.estimate;

import dev.revealed.numeric.BadInput;
import java.util.List;
import java.util.OptionalInt;

/**
 * What a number of trajectories guarantees, and how many an accuracy needs: Lemma 1 and Corollary 2 of the paper as
 * printed, and beside them the forms that still hold when theta was chosen by the data.
 *
 * <p>With G = sum gamma^t r(s_t, a_t; theta) the return of one trajectory, V_theta cancels from
 *
 * <pre>  f(theta) = L(theta) - L^(theta; D) = E[G] - mean of G over D</pre>
 *
 * and G has a range of width C/(1-gamma), so Hoeffding's inequality gives Lemma 1, for one theta fixed before the data
 * were seen. Only the width C = max r - min r matters: a constant added to the reward cancels.
 *
 * <p>Corollary 2 writes L(theta*) - L(theta^) = f(theta*) + [L^(theta*) - L^(theta^)] - f(theta^), where the bracket is
 * not positive. It then uses Lemma 1 twice. Spending delta twice is harmless, since one side suffices each time
 * (delta/2 and delta/2, the same ln(2/delta)). Using it at theta^ is not: theta^ depends on D, so that step needs a
 * bound that holds for all theta at once. {@link Ball} and {@link Linear} are such bounds.
 *
 * <p>The iterations' half of Corollary 2, E|grad L^|^2 = O(K^-1/2), has constants nobody knows for a given process (a
 * mixing rate, C_d), so it certifies no number of iterations; the exact gradient at the estimate says directly what it
 * would promise.
 *
 * @param range the width C of the reward, max r - min r over states, actions and parameters; the paper's C_r
 * @param actions number of actions
 * @param delta chance with which the statement may fail
 * @param horizon decisions per demonstration, where they were cut; empty when they never end
 */
public record Certificate(double range, double discount, int actions, double delta, OptionalInt horizon) {

    /** Needing more trajectories than this is as good as never. */
    private static final long MOST_TRAJECTORIES = 1L << 60;

    public Certificate {
        positive("the range of the reward", range, "Give max r - min r; the paper's C_r.");
        BadInput.discount(discount);
        if (actions < 1) {
            throw new BadInput("the number of actions is " + actions, "Give at least 1.");
        }
        if (!(delta > 0 && delta < 1)) {
            throw new BadInput("delta is " + delta, "Give a probability between 0 and 1, for example 0.05.");
        }
        if (horizon.isPresent() && horizon.getAsInt() < 1) {
            throw new BadInput("the horizon is " + horizon.getAsInt(), "Give at least one decision, or none at all.");
        }
    }

    /** For demonstrations that never end, as the paper has them. */
    public static Certificate of(double range, double discount, int actions, double delta) {
        return new Certificate(range, discount, actions, delta, OptionalInt.empty());
    }

    /** For demonstrations cut after so many decisions. */
    public Certificate cutAt(int decisions) {
        return new Certificate(range, discount, actions, delta, OptionalInt.of(decisions));
    }

    /** What is bounded. */
    public enum Quantity {
        /** |L(theta) - L^(theta; D)|: Lemma 1. */
        LIKELIHOOD_ERROR,
        /** L(theta*) - L(theta^), which is E KL(expert || estimate) / (1-gamma): Corollary 2. */
        EXCESS
    }

    /** For which theta a bound holds. */
    public sealed interface Scope {
        /** Whether the bound may be read at an estimate. */
        default boolean uniform() {
            return !(this instanceof Pointwise);
        }
    }

    /** One theta chosen before the data were seen: the paper's form. At an estimate it promises nothing. */
    public record Pointwise() implements Scope {}

    /**
     * All theta in a set that a Euclidean ball contains. A cover of radius eta has at most (1 + 2R/eta)^p members; a
     * union bound over them, and f being 2 Lr/(1-gamma)-Lipschitz in between, give
     *
     * <pre>  C/(1-g) sqrt((p ln(1 + 2R/eta) + ln(2/delta)) / 2N) + 2 Lr eta/(1-g)</pre>
     *
     * for every eta, so the best one may be taken.
     *
     * @param parameters p
     * @param radius R
     * @param slope Lr, the largest |dr/dtheta|
     */
    public record Ball(int parameters, double radius, double slope) implements Scope {
        public Ball {
            atLeastOne(parameters);
            positive("the radius", radius, "Give the largest |theta|.");
            positive("the slope", slope, "Give the largest |dr/dtheta|; for linear rewards the largest |phi|.");
        }
    }

    /**
     * All theta with |theta|_1 at most a norm, of a reward phi' theta. Then f = theta' (E F - mean F) with F the
     * discounted features of a trajectory; Hoeffding for each of p coordinates and Hoelder's inequality give
     *
     * <pre>  R1 Phi/(1-g) sqrt(ln(2p/delta) / 2N)</pre>
     *
     * @param parameters p
     * @param norm R1, the largest |theta|_1
     * @param width Phi, the largest max phi_j - min phi_j
     */
    public record Linear(int parameters, double norm, double width) implements Scope {
        public Linear {
            atLeastOne(parameters);
            positive("the norm", norm, "Give the largest sum of |theta_j|.");
            positive("the width of the features", width, "Give the largest max phi_j - min phi_j.");
        }
    }

    /**
     * A bound for a number of trajectories.
     *
     * @param ceiling what the quantity cannot exceed whatever the data
     * @param vacuous the bound is not below the ceiling: it says nothing at all
     * @param uninformative the bound is not below {@link #ignorance}: the uniform policy, which needs no data, is
     *     guaranteed as much
     */
    public record Bound(
            Quantity quantity,
            Scope scope,
            long trajectories,
            double value,
            double ceiling,
            boolean vacuous,
            boolean uninformative) {}

    /**
     * A number of trajectories for an accuracy.
     *
     * @param trajectories the smallest number whose bound is at most the accuracy; empty when no number is enough
     */
    public record Need(Quantity quantity, Scope scope, double accuracy, java.util.OptionalLong trajectories) {}

    /** B = C/(1-gamma), the width of the return of one trajectory. */
    public double returnRange() {
        return range / (1 - discount);
    }

    /**
     * How far the likelihood of the uniform policy can be from the best: log|A|/(1-gamma). A guarantee above it could
     * be had without data.
     */
    public double ignorance() {
        return Math.log(actions) / (1 - discount);
    }

    /**
     * What the quantity cannot exceed. For the likelihood's error B, since both means lie in the range of G. For the
     * excess the smaller of 2B, from |r* - r^| at most C on either side of two occupancies, and B + log|A|/(1-gamma),
     * from L(theta*) - L(theta^) being a difference of returns plus a difference of entropies under one reward.
     */
    public double ceiling(Quantity quantity) {
        return switch (quantity) {
            case LIKELIHOOD_ERROR -> returnRange();
            case EXCESS -> returnRange() + Math.min(returnRange(), ignorance());
        };
    }

    /**
     * What remains where demonstrations are cut at T. The surrogate with the tail gamma^T V(s_T), which the design page
     * derives, is an unbiased estimate of L_T, the likelihood of the first T decisions, and its summands have a range
     * of the same width B, since V_theta varies by at most B. So every bound holds as it stands between L_T and L^, and
     * theta* maximises L_T too. To speak of the infinite sum L instead, add this: the likelihood of what was cut, at
     * most gamma^T (C + log|A|)/(1-gamma). For the paper's own form, which drops the tail, it is gamma^T C/(1-gamma).
     */
    public double truncation() {
        return cut() * (returnRange() + ignorance());
    }

    /** gamma^T, or 0 for demonstrations that never end. */
    private double cut() {
        return horizon.isPresent() ? Math.pow(discount, horizon.getAsInt()) : 0;
    }

    /** The bound that holds with probability 1 - delta for so many trajectories. */
    public Bound bound(Quantity quantity, Scope scope, long trajectories) {
        if (trajectories < 1) {
            throw new BadInput("the number of trajectories is " + trajectories, "Give at least 1.");
        }
        double value = value(quantity, scope, trajectories);
        double ceiling = ceiling(quantity);
        return new Bound(quantity, scope, trajectories, value, ceiling, value >= ceiling, value >= ignorance());
    }

    /** The smallest number of trajectories that guarantees an accuracy. */
    public Need need(Quantity quantity, Scope scope, double accuracy) {
        positive("the accuracy", accuracy, "Give the largest error you would accept, in units of the likelihood.");
        long enough = 1;
        while (value(quantity, scope, enough) > accuracy) {
            if (enough == MOST_TRAJECTORIES) {
                return new Need(quantity, scope, accuracy, java.util.OptionalLong.empty());
            }
            enough *= 2;
        }
        long tooFew = enough / 2; // every bound falls with the number of trajectories
        while (enough - tooFew > 1) {
            long middle = tooFew + (enough - tooFew) / 2;
            if (value(quantity, scope, middle) > accuracy) {
                tooFew = middle;
            } else {
                enough = middle;
            }
        }
        return new Need(quantity, scope, accuracy, java.util.OptionalLong.of(enough));
    }

    /** Both bounds for a number of trajectories, in each scope. */
    public List<Bound> bounds(long trajectories, List<Scope> scopes) {
        return scopes.stream()
                .flatMap(scope ->
                        List.of(Quantity.values()).stream().map(quantity -> bound(quantity, scope, trajectories)))
                .toList();
    }

    /** Both numbers of trajectories for an accuracy, in each scope. */
    public List<Need> needs(double accuracy, List<Scope> scopes) {
        return scopes.stream()
                .flatMap(scope -> List.of(Quantity.values()).stream().map(quantity -> need(quantity, scope, accuracy)))
                .toList();
    }

    private double value(Quantity quantity, Scope scope, long trajectories) {
        double pointwise = hoeffding(returnRange(), Math.log(2 / delta), trajectories);
        return switch (scope) {
            case Pointwise() -> quantity == Quantity.EXCESS ? 2 * pointwise : pointwise;
            // theta* is not chosen by the data: for it the pointwise bound is enough
            case Ball ball -> uniform(ball, trajectories) + (quantity == Quantity.EXCESS ? pointwise : 0);
            // both thetas on one event: f(theta*) - f(theta^) is linear in theta* - theta^, of norm at most 2 R1
            case Linear linear -> linear(linear, trajectories) * (quantity == Quantity.EXCESS ? 2 : 1);
        };
    }

    private double uniform(Ball ball, long trajectories) {
        double best = Double.POSITIVE_INFINITY;
        // Any cover gives a valid bound, so a grid of radii from R down to 1e-16 R loses little and risks nothing.
        for (int i = 0; i <= 800; i++) {
            double eta = ball.radius * Math.pow(10, -i / 50.0);
            double cover = ball.parameters * Math.log1p(2 * ball.radius / eta);
            best = Math.min(
                    best,
                    hoeffding(returnRange(), cover + Math.log(2 / delta), trajectories)
                            + 2 * ball.slope * eta / (1 - discount));
        }
        return best;
    }

    /**
     * The tail gamma^T V_theta(s_T) of cut demonstrations is not linear in theta; it varies by at most R1
     * Phi/(1-gamma).
     */
    private double linear(Linear linear, long trajectories) {
        double width = linear.norm * linear.width / (1 - discount);
        double logs = Math.log(2.0 * linear.parameters / delta);
        return hoeffding((1 - cut()) * width, logs, trajectories) + cut() * width;
    }

    private static double hoeffding(double width, double logs, long trajectories) {
        return width * Math.sqrt(logs / (2.0 * trajectories));
    }

    private static void positive(String what, double value, String remedy) {
        if (!(value > 0 && value < Double.POSITIVE_INFINITY)) {
            throw new BadInput(what + " is " + value, remedy);
        }
    }

    private static void atLeastOne(int parameters) {
        if (parameters < 1) {
            throw new BadInput("the number of parameters is " + parameters, "Give at least 1.");
        }
    }
}
