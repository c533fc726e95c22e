package dev.revealed.estimate.offline;

import dev.revealed.estimate.Estimate;
import dev.revealed.estimate.Problem;
import dev.revealed.mdp.offline.LoggedDynamics;
import dev.revealed.mdp.offline.MoveCounts;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * A reward estimated in the world that a log suggests.
 *
 * @param estimate whose standard errors include the uncertainty of the law where there were bootstrap draws
 * @param problem what was maximised
 * @param counts the moves that the law was estimated from
 * @param chosen how the caution was chosen, where it was
 * @param givenDynamics standard errors that take the estimated law as known
 * @param draws bootstrap samples behind the standard errors; 0 where there are none
 * @param withoutMaximum samples whose likelihood has no maximum: a Newton step stands for it
 */
public record OfflineEstimate(
        Estimate estimate,
        Problem problem,
        MoveCounts counts,
        LoggedDynamics dynamics,
        double caution,
        Optional<CautionChoice.Chosen> chosen,
        List<OptionalDouble> givenDynamics,
        int draws,
        int withoutMaximum) {}
