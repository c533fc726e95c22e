package dev.revealed.train;

import dev.revealed.neural.Scores;

/** An evaluation during training: a point of the learning curve. */
public record EvaluationPoint(long step, double meanReturn, double standardError) {
    static EvaluationPoint of(long step, Scores scores) {
        return new EvaluationPoint(step, scores.meanReturn(), scores.standardError());
    }
}
