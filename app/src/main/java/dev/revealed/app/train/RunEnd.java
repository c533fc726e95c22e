package dev.revealed.app.train;

import dev.revealed.train.RunBatch;
import dev.revealed.train.TrainingResult;
import java.util.Optional;

/**
 * How a run ended that another machine made; what came of it is in its folder.
 *
 * @param failure why there is no result; nothing where there is one
 */
record RunEnd(Optional<RunBatch.Failed> failure) {
    static RunEnd of(RunBatch.End end) {
        return new RunEnd(end instanceof RunBatch.Failed failed ? Optional.of(failed) : Optional.empty());
    }

    RunBatch.End of(RunBatch.Member member) {
        return failure.<RunBatch.End>map(failed -> failed)
                .orElseGet(() -> new RunBatch.Done(TrainingResult.read(member.folder())));
    }
}
