package dev.revealed.estimate;

import java.util.List;

/**
 * How the search for the parameters went.
 *
 * @param status one line on how it ended, with what to try where it failed
 * @param kernelPasses passes over the kernel the method itself made
 * @param trace the points of the run that were recorded; empty where none were asked for
 */
public record Search(
        int iterations, boolean converged, String status, long kernelPasses, List<Estimate.TracePoint> trace) {

    public Search {
        trace = List.copyOf(trace);
    }

    public Search(int iterations, boolean converged, String status, long kernelPasses) {
        this(iterations, converged, status, kernelPasses, List.of());
    }

    /** {@code after 1 iteration}, {@code after 7 iterations}. */
    public static String after(int iterations) {
        return iterations == 1 ? "after 1 iteration" : "after %d iterations".formatted(iterations);
    }

    /** The same search, with another verdict on how it ended. */
    public Search ended(boolean well, String how) {
        return new Search(iterations, well, how, kernelPasses, trace);
    }

    /** What came out of a search. */
    public interface Found {
        Search search();

        default int iterations() {
            return search().iterations;
        }

        default boolean converged() {
            return search().converged;
        }

        default String status() {
            return search().status;
        }

        default long kernelPasses() {
            return search().kernelPasses;
        }

        default List<Estimate.TracePoint> trace() {
            return search().trace;
        }
    }
}
