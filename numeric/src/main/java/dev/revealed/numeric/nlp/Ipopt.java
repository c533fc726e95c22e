package dev.revealed.numeric.nlp;

import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.ProgressListener;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The interior-point solver Ipopt (Waechter and Biegler 2006), where its library is installed: Debian's coinor-libipopt1v5
 * or any later one with the same C interface. It handles bounds and inequalities and large sparse problems.
 *
 * <p>The linear solver beneath it, MUMPS, is not safe to be used by two threads, so solutions wait for each other.
 *
 * @param tolerance of the scaled optimality conditions
 */
public record Ipopt(int maxIterations, double tolerance) implements NlpSolver {
    private static final ReentrantLock ONE_AT_A_TIME = new ReentrantLock();

    /** Whether the library can be used: the name it was found by, or why not. */
    public record Availability(boolean installed, String reason) {}

    public static Ipopt standard() {
        return new Ipopt(500, 1e-10);
    }

    public static Availability available() {
        return IpoptLibrary.availability();
    }

    @Override
    public Result solve(Nlp problem, ProgressListener listener) {
        Availability availability = available();
        BadInput.when(
                !availability.installed(),
                "Ipopt is not installed: " + availability.reason(),
                "Install it (on Debian and Ubuntu: apt-get install coinor-libipopt1v5) or use the pure-Java solver.");
        ONE_AT_A_TIME.lock();
        try {
            return IpoptCall.solve(this, problem, listener);
        } finally {
            ONE_AT_A_TIME.unlock();
        }
    }

    /** What Ipopt's return code means. */
    static String meaning(int code) {
        return switch (code) {
            case 0 -> "solved";
            case 1 -> "solved to its acceptable level";
            case 2 -> "converged to a point where the constraints cannot be met (Infeasible_Problem_Detected)";
            case 3 -> "steps became too small (Search_Direction_Becomes_Too_Small)";
            case 4 -> "the iterates diverge (Diverging_Iterates)";
            case 5 -> "stopped from outside (User_Requested_Stop)";
            case 6 -> "found a feasible point (Feasible_Point_Found)";
            case -1 -> "too many iterations (Maximum_Iterations_Exceeded)";
            case -2 -> "could not get closer to the constraints (Restoration_Failed)";
            case -3 -> "could not compute a step (Error_In_Step_Computation)";
            case -4 -> "out of time (Maximum_CpuTime_Exceeded)";
            case -10 -> "fewer variables than equations (Not_Enough_Degrees_Of_Freedom)";
            case -11 -> "the problem is not well defined (Invalid_Problem_Definition)";
            case -12 -> "an option was refused (Invalid_Option)";
            case -13 -> "a value or derivative is NaN or infinite (Invalid_Number_Detected)";
            case -102 -> "out of memory (Insufficient_Memory)";
            default -> "failed inside, code " + code;
        };
    }
}
