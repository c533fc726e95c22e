package dev.revealed.app.estimate;

import dev.revealed.app.Outcome;
import dev.revealed.app.view.Numbers;
import dev.revealed.app.view.Table;
import dev.revealed.app.view.Table.Field;
import dev.revealed.estimate.offline.CautionChoice;
import dev.revealed.estimate.offline.OfflineEstimate;
import dev.revealed.estimate.offline.OfflineProblem;
import dev.revealed.mdp.offline.MoveCounts;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.IntStream;

/** Shows a reward that was estimated in the world of a log: the estimate, and what the log leaves open. */
final class OfflineView {
    private OfflineView() {}

    /**
     * What {@code result.json} has of the log, as {@code offline}.
     *
     * @param loggedMoves moves that the transition law was estimated from
     * @param unvisitedPairs pairs of state and action that were never logged
     * @param dynamics how counts became probabilities
     * @param caution weight of the penalty on uncertain moves
     * @param heldOut by which the caution was chosen, where it was
     * @param standardErrorsGivenDynamics what standard errors would be if the estimated law were known
     * @param bootstrapWithoutMaximum samples for which a Newton step stands
     * @param logHash of the moves, without those of the demonstrations
     */
    record Document(
            long loggedMoves,
            int pairs,
            int unvisitedPairs,
            boolean demonstrationsInLog,
            String dynamics,
            double prior,
            double caution,
            Optional<List<CautionChoice.Score>> heldOut,
            List<OptionalDouble> standardErrorsGivenDynamics,
            int bootstrap,
            int bootstrapWithoutMaximum,
            String logHash) {

        static Document of(OfflineEstimate found, OfflineProblem.Log log) {
            return new Document(
                    Math.round(found.counts().moves()),
                    found.counts().rows(),
                    found.dynamics().unvisited().length,
                    log.demonstrationsToo(),
                    log.law().toString(),
                    log.prior(),
                    found.caution(),
                    found.chosen().map(CautionChoice.Chosen::scores),
                    found.givenDynamics(),
                    found.draws(),
                    found.withoutMaximum(),
                    log.counts().hash());
        }

        /** The table of the estimate with what the log says. */
        Table facts(Table table) {
            return table.fact("Logged moves", Numbers.count(loggedMoves))
                    .fact(
                            "Never logged",
                            "%s of %s pairs".formatted(Numbers.count(unvisitedPairs), Numbers.count(pairs)))
                    .fact("Dynamics", dynamics)
                    .fact("Caution", caution + (heldOut.isPresent() ? " (held-out choice)" : ""));
        }
    }

    /** One pair of state and action. */
    private record Pair(int state, int action, double visits, double uncertainty) {}

    static Outcome of(OfflineEstimate found, OfflineProblem.Log log, long seed) {
        Document document = Document.of(found, log);
        Outcome outcome = EstimateView.of(found.estimate(), found.problem(), Optional.of(document), seed)
                .file("uncertainty.csv", pairs(found).toCsv());
        return document.heldOut.isEmpty()
                ? outcome
                : outcome.table(scores(document.heldOut.get()))
                        .notes(
                                List.of(
                                        "Caution: the smallest whose held-out likelihood falls short of the best by no more than a standard error."));
    }

    private static Table pairs(OfflineEstimate found) {
        MoveCounts counts = found.counts();
        return Table.of(
                IntStream.range(0, counts.rows())
                        .mapToObj(row -> new Pair(
                                row / counts.actions(),
                                row % counts.actions(),
                                counts.visits(row),
                                found.dynamics().uncertainty()[row]))
                        .toList(),
                Field.number("state", 9, Pair::state),
                Field.number("action", 9, Pair::action),
                Field.number("visits", 9, Pair::visits),
                Field.number("uncertainty", 6, Pair::uncertainty));
    }

    private static Table scores(List<CautionChoice.Score> scores) {
        return Table.of(
                        scores,
                        Field.number("caution", 3, CautionChoice.Score::caution),
                        Field.decimals("held-out log-lik.", 2, CautionChoice.Score::heldOutLogLikelihood),
                        Field.decimals("short of the best", 2, CautionChoice.Score::shortfall),
                        Field.decimals("+-", 2, CautionChoice.Score::standardError))
                .titled("How much caution");
    }
}
