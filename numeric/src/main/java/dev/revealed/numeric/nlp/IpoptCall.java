package dev.revealed.numeric.nlp;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.revealed.numeric.Parallel;
import dev.revealed.numeric.ProgressListener;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Method;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * One solution by Ipopt: the functions it calls back and what it is told. An exception must not unwind through native
 * frames, so the callbacks keep the first one, answer "could not evaluate" from then on, and it is thrown again in Java.
 */
@SuppressWarnings({"restricted", "unused"}) // the point of it: calls into and from a native library
final class IpoptCall {
    private static final int TRUE = 1;
    private static final int FALSE = 0;
    private final Ipopt options;
    private final Nlp problem;
    private final ProgressListener listener;
    private final Nlp.Pattern jacobian;
    private final Nlp.Pattern hessian;
    private final double[] x;
    private final double[] gradient;
    private final double[] constraints;
    private final double[] multipliers;
    private final double[] jacobianValues;
    private final double[] hessianValues;
    private @Nullable Throwable failure;
    private int iterations;
    private int evaluations;

    private IpoptCall(Ipopt options, Nlp problem, ProgressListener listener) {
        this.options = options;
        this.problem = problem;
        this.listener = listener;
        jacobian = problem.jacobian();
        hessian = problem.hessian();
        x = new double[problem.variables()];
        gradient = new double[x.length];
        constraints = new double[problem.constraints()];
        multipliers = new double[constraints.length];
        jacobianValues = new double[jacobian.size()];
        hessianValues = new double[hessian.size()];
    }

    static NlpSolver.Result solve(Ipopt options, Nlp problem, ProgressListener listener) {
        return new IpoptCall(options, problem, listener).run(IpoptLibrary.get());
    }

    private NlpSolver.Result run(IpoptLibrary ipopt) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment handle = create(ipopt, arena);
            try {
                return call(ipopt, handle, arena);
            } finally {
                ipopt.free.invokeExact(handle);
            }
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException("calling Ipopt failed", e);
        }
    }

    private MemorySegment create(IpoptLibrary ipopt, Arena arena) throws Throwable {
        MemorySegment handle = (MemorySegment) ipopt.create.invokeExact(
                x.length,
                bounds(arena, problem.lower()),
                bounds(arena, problem.upper()),
                constraints.length,
                bounds(arena, problem.constraintLower()),
                bounds(arena, problem.constraintUpper()),
                jacobian.size(),
                hessian.size(),
                0,
                callback(arena, "objective"),
                callback(arena, "constraints"),
                callback(arena, "gradient"),
                callback(arena, "jacobian"),
                callback(arena, "hessian"));
        if (handle.address() == 0) {
            throw new IllegalStateException("Ipopt refused the problem's dimensions or bounds");
        }
        return handle;
    }

    private NlpSolver.Result call(IpoptLibrary ipopt, MemorySegment handle, Arena arena) throws Throwable {
        set(ipopt.stringOption, handle, arena, "sb", arena.allocateFrom("yes")); // no banner
        set(ipopt.stringOption, handle, arena, "option_file_name", arena.allocateFrom("")); // not one that lies here
        set(ipopt.stringOption, handle, arena, "linear_solver", arena.allocateFrom("mumps"));
        set(ipopt.integerOption, handle, arena, "print_level", 0);
        set(ipopt.integerOption, handle, arena, "max_iter", options.maxIterations());
        set(ipopt.numberOption, handle, arena, "tol", options.tolerance());
        check("the callback", (int) ipopt.watch.invokeExact(handle, callback(arena, "iteration")));
        MemorySegment point = arena.allocateFrom(JAVA_DOUBLE, problem.start());
        MemorySegment value = arena.allocate(JAVA_DOUBLE);
        MemorySegment found = arena.allocate(JAVA_DOUBLE, Math.max(1, multipliers.length));
        MemorySegment none = MemorySegment.NULL;
        int code = (int) ipopt.solve.invokeExact(handle, point, none, value, found, none, none, none);
        Parallel.rethrow(failure);
        read(point, x);
        read(found, multipliers);
        problem.constraints(x, constraints);
        double objective = value.get(JAVA_DOUBLE, 0);
        double violation = NlpSolver.violation(problem, x, constraints);
        boolean solved = code == 0 || code == 1;
        return new NlpSolver.Result(
                x, objective, multipliers, violation, iterations, evaluations, solved, Ipopt.meaning(code));
    }

    /** Ipopt takes anything from 1e19 for infinite. */
    private static MemorySegment bounds(Arena arena, double[] bounds) {
        return arena.allocateFrom(
                JAVA_DOUBLE,
                Arrays.stream(bounds).map(b -> Math.clamp(b, -2e19, 2e19)).toArray());
    }

    /** A native function that calls the method of this name, whose arguments are int, double or an address. */
    private MemorySegment callback(Arena arena, String name) throws ReflectiveOperationException {
        Method method = Arrays.stream(IpoptCall.class.getDeclaredMethods())
                .filter(one -> one.getName().equals(name))
                .findAny()
                .orElseThrow();
        MemoryLayout[] arguments = Arrays.stream(method.getParameterTypes())
                .map(type -> type == int.class ? JAVA_INT : type == double.class ? JAVA_DOUBLE : ADDRESS)
                .toArray(MemoryLayout[]::new);
        MethodHandle handle = MethodHandles.lookup().unreflect(method).bindTo(this);
        return Linker.nativeLinker().upcallStub(handle, FunctionDescriptor.of(JAVA_INT, arguments), arena);
    }

    private static void set(MethodHandle option, MemorySegment handle, Arena arena, String name, Object value)
            throws Throwable {
        check(name, (int) option.invoke(handle, arena.allocateFrom(name), value));
    }

    /** Later versions return a C bool, of which only the last byte counts. */
    private static void check(String option, int answer) {
        if ((answer & 0xff) == 0) {
            throw new IllegalStateException("Ipopt refused " + option);
        }
    }

    private static void read(MemorySegment from, double[] to) {
        MemorySegment.copy(from.reinterpret(8L * to.length), JAVA_DOUBLE, 0, to, 0, to.length);
    }

    private static void write(double[] from, MemorySegment to) {
        MemorySegment.copy(from, 0, to.reinterpret(8L * from.length), JAVA_DOUBLE, 0, from.length);
    }

    private static void write(int[] from, MemorySegment to) {
        MemorySegment.copy(from, 0, to.reinterpret(4L * from.length), JAVA_INT, 0, from.length);
    }

    private int guarded(Runnable work) {
        if (failure != null) {
            return FALSE;
        }
        try {
            work.run();
            return TRUE;
        } catch (Throwable e) {
            failure = e;
            return FALSE;
        }
    }

    // The callbacks, found by name. Their first arguments: number of variables, x, whether x is new.

    int objective(int n, MemorySegment at, int fresh, MemorySegment value, MemorySegment data) {
        return guarded(() -> {
            read(at, x);
            evaluations++;
            write(new double[] {problem.objective(x)}, value);
        });
    }

    int gradient(int n, MemorySegment at, int fresh, MemorySegment values, MemorySegment data) {
        return guarded(() -> {
            read(at, x);
            problem.gradient(x, gradient);
            write(gradient, values);
        });
    }

    int constraints(int n, MemorySegment at, int fresh, int m, MemorySegment values, MemorySegment data) {
        return guarded(() -> {
            read(at, x);
            problem.constraints(x, constraints);
            write(constraints, values);
        });
    }

    /** Called once without values to ask for the pattern. */
    int jacobian(
            int n,
            MemorySegment at,
            int fresh,
            int m,
            int size,
            MemorySegment row,
            MemorySegment column,
            MemorySegment values,
            MemorySegment data) {
        return guarded(() -> {
            if (values.address() == 0) {
                write(jacobian.row(), row);
                write(jacobian.column(), column);
            } else {
                read(at, x);
                problem.jacobian(x, jacobianValues);
                write(jacobianValues, values);
            }
        });
    }

    int hessian(
            int n,
            MemorySegment at,
            int fresh,
            double factor,
            int m,
            MemorySegment lambda,
            int freshLambda,
            int size,
            MemorySegment row,
            MemorySegment column,
            MemorySegment values,
            MemorySegment data) {
        return guarded(() -> {
            if (values.address() == 0) {
                write(hessian.row(), row);
                write(hessian.column(), column);
            } else {
                read(at, x);
                read(lambda, multipliers);
                problem.hessian(x, factor, multipliers, hessianValues);
                write(hessianValues, values);
            }
        });
    }

    int iteration(
            int mode,
            int count,
            double objective,
            double violation,
            double dual,
            double barrier,
            double length,
            double regularisation,
            double dualStep,
            double step,
            int trials,
            MemorySegment data) {
        return guarded(() -> {
            iterations = count;
            listener.searching("ipopt", count, options.maxIterations());
        });
    }
}
