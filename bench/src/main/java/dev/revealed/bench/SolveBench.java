package dev.revealed.bench;

import dev.revealed.mdp.InformationCost;
import dev.revealed.mdp.Mdp;
import dev.revealed.mdp.SoftPolicy;
import dev.revealed.mdp.SoftProcess;
import dev.revealed.mdp.SoftSolver;
import dev.revealed.mdp.model.GridWorld;
import dev.revealed.numeric.ProgressListener;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Soft-optimal values of a large grid from scratch: reward -1 per step, 0 at one corner. */
public record SolveBench(int size, double tolerance) {

    /**
     * @param residualSpan span of T V - V, measured by one more backup after the solver was done
     * @param errorSpan the solver's own estimate of the span of the error of V
     */
    public record Row(
            double discount,
            String method,
            boolean converged,
            double seconds,
            long kernelPasses,
            int newtonSteps,
            double residualSpan,
            double errorSpan,
            double valueAtCorner,
            double valueFarAway) {}

    public record Result(int size, int states, long nonzeros, int threads, double tolerance, List<Row> rows) {}

    public Result run(double[] discounts, int threads, ProgressListener listener) {
        GridWorld grid = new GridWorld(size, 0.3);
        Mdp base = grid.mdp(0.5);
        double[] reward = new double[base.rows()];
        Arrays.fill(reward, -1);
        Arrays.fill(reward, 0, GridWorld.ACTIONS, 0);
        List<Row> rows = new ArrayList<>();
        for (double discount : discounts) {
            SoftProcess process =
                    new SoftProcess(new Mdp(base.kernel(), discount, base.start()), InformationCost.STANDARD);
            SoftPolicy policy = SoftPolicy.start(process);
            long begin = System.nanoTime();
            SoftSolver.Solution solution = new SoftSolver(process).solve(reward, policy, tolerance, listener);
            double seconds = (System.nanoTime() - begin) * 1e-9;
            long passes = process.passes().count();
            double span = process.backup(reward, policy.values(), new double[base.states()])
                    .span();
            rows.add(new Row(
                    discount,
                    solution.method(),
                    solution.converged(),
                    seconds,
                    passes,
                    solution.newtonSteps(),
                    span,
                    solution.errorSpan(),
                    policy.values()[0],
                    policy.values()[base.states() - 1]));
        }
        return new Result(size, base.states(), base.kernel().nonzeros(), threads, tolerance, rows);
    }
}
