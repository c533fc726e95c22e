package dev.revealed.mdp;

import dev.revealed.numeric.LinearOperator;
import dev.revealed.numeric.Vec;

public final class SoftSolver {
    private final SoftProcess process;
    private final double[] next;

    public SoftSolver(SoftProcess process) {
        this.process = process;
        next = new double[process.mdp().states()];
    }

    public record Solution(String method, int newtonSteps, double span) {}

    public Solution solve(double[] reward, SoftPolicy policy, double tolerance) {
        return solve(reward, policy, tolerance, dev.revealed.numeric.ProgressListener.NONE);
    }

    public Solution solve(double[] reward, SoftPolicy policy, double tolerance, dev.revealed.numeric.ProgressListener listener) {
        double[] v = policy.values();
        for (int i = 0; ; i++) {
            SoftProcess.Change change = process.improve(reward, v, next, policy);
            double shift = change.centre(process.mdp().discount());
            for (int s = 0; s < v.length; s++) {
                v[s] = next[s] + shift;
            }
            if (change.span() <= tolerance || i > 100000) {
                process.improve(reward, v, next, policy);
                return new Solution("vi", 0, change.span());
            }
            if (i > 20 && i % 5 == 0) {
                evaluate(reward, policy);
            }
        }
    }

    public void evaluate(double[] reward, SoftPolicy policy) {
        double[] payoff = new double[reward.length];
        process.payoff(reward, policy, payoff);
        linear(payoff, policy.policy(), policy.values());
    }

    /** x = (I - gamma P_pi)^-1 (sum_a pi payoff). */
    public void linear(double[] payoff, double[] policy, double[] x) {
        for (int i = 0; i < 100000; i++) {
            SoftProcess.Change change = process.sweep(payoff, policy, x, next);
            double shift = change.centre(process.mdp().discount());
            for (int s = 0; s < x.length; s++) {
                x[s] = next[s] + shift;
            }
            if (change.span() <= 1e-13 * Math.max(1, Vec.span(x))) {
                return;
            }
        }
    }

    public void occupancy(double[] start, double[] policy, double[] d) {
        double mass = 0, have = 0;
        for (int s = 0; s < d.length; s++) {
            mass += start[s];
            have += d[s];
        }
        double fix = (mass / (1 - process.mdp().discount()) - have) / d.length;
        for (int s = 0; s < d.length; s++) {
            d[s] += fix;
        }
        for (int i = 0; i < 100000; i++) {
            double change = process.occupancy(start, policy, d, next);
            System.arraycopy(next, 0, d, 0, d.length);
            if (change <= 1e-14) {
                return;
            }
        }
    }
}
