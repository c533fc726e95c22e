package dev.revealed.imitate;

import dev.revealed.neural.Scores;
import dev.revealed.settings.Part;

/** Returns of an evaluation by the task's own reward, which the learner does not see. */
@Part
public record TrueReturn(double trueReturn, double trueStandardError, double trueLength) {
    public static TrueReturn of(Scores scores) {
        return new TrueReturn(scores.meanReturn(), scores.standardError(), scores.meanLength());
    }
}
