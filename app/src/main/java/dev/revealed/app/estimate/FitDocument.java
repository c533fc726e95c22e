package dev.revealed.app.estimate;

import dev.revealed.estimate.Estimate;
import dev.revealed.runs.Provenance;
import dev.revealed.settings.Part;
import java.util.List;
import java.util.OptionalDouble;

/** What {@code result.json} has of any fit; documents of one kind or another add what is their own. */
@Part
record FitDocument(
        String method,
        double logLikelihood,
        OptionalDouble choiceLogLikelihood,
        OptionalDouble transitionLogLikelihood,
        int iterations,
        boolean converged,
        String status,
        double gradientNorm,
        long kernelPasses,
        double seconds,
        double cpuSeconds,
        List<Estimate.TracePoint> trace,
        long seed,
        String dataHash,
        String version) {

    static FitDocument of(Estimate estimate, long seed) {
        return new FitDocument(
                estimate.method(),
                estimate.logLikelihood(),
                estimate.choiceLogLikelihood(),
                estimate.transitionLogLikelihood(),
                estimate.iterations(),
                estimate.converged(),
                estimate.status(),
                estimate.gradientNorm(),
                estimate.kernelPasses(),
                estimate.seconds(),
                estimate.cpuSeconds(),
                estimate.trace(),
                seed,
                estimate.dataHash(),
                Provenance.currentVersion());
    }
}
