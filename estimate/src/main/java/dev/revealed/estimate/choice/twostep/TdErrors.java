package dev.revealed.estimate.choice.twostep;

import dev.revealed.estimate.choice.ChoiceProblem;
import dev.revealed.estimate.choice.FirstStage;
import dev.revealed.estimate.choice.Observations;
import dev.revealed.estimate.choice.SolvedScore;
import dev.revealed.numeric.Vec;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * How sure one may be of an estimate whose individuals are surveyed: sums of the outer products of how much each of them
 * moves the estimate, how much less the likelihood's maximum, and how much the law.
 *
 * @param covariance of theta and of the parameters of the law that are shown
 * @param score what the solved model says; empty where it cannot be solved
 */
record TdErrors(double[][] covariance, Optional<SolvedScore> score) {

    static TdErrors of(ChoiceProblem problem, FirstStage first, TdMoments moments, SurveyedIndividuals individuals) {
        int p = moments.theta().length;
        double[][] inverse = moments.inverse();
        Observations observations = Observations.of(problem.model().law(), problem.panel());
        double[][] law = first.influence(problem.model().law(), observations, FirstStage.shown(first.phi()));
        Optional<SolvedScore.Solved> solved = SolvedScore.Solved.at(problem, first, moments.theta());
        double[][] maximum = solved.map(at -> maximum(problem, first, observations, at))
                .orElseGet(() -> new double[p][observations.size()]);
        int parts = moments.parts().size();
        TdMoves moves = moments.panel().all();
        double[][][] ofObservations = new double[parts][][];
        double[][][] ofMoves = new double[parts][][];
        for (int f = 0; f < parts; f++) {
            TdMoments.Part part = moments.parts().get(f);
            double[][] scores = byObservation(part.scores(), individuals.rows());
            double[][] corrections = new double[p][moves.from().length];
            double[] correction = new double[p];
            for (int m = 0; m < moves.from().length; m++) {
                Arrays.fill(correction, 0);
                part.correct(moments.theta(), moves.from()[m], moves.to()[m], correction);
                for (int j = 0; j < p; j++) {
                    corrections[j][m] = correction[j];
                }
            }
            double[][] influence = multiplied(inverse, scores);
            double[][] ofMove = multiplied(inverse, corrections);
            ofObservations[f] = joined(influence, minus(maximum, influence), law);
            ofMoves[f] = joined(
                    ofMove,
                    minus(new double[p][moves.from().length], ofMove),
                    new double[law.length][moves.from().length]);
        }
        SurveyedIndividuals.Sums sums =
                individuals.sums(new SurveyedIndividuals.Contributions(moments.dealing(), ofObservations, ofMoves));
        double[][] own = part(sums.outer(), 0, p);
        double[][] difference = part(sums.outer(), p, p);
        double n = problem.panel().size();
        for (int j = 0; j < p; j++) { // around their mean
            for (int k = 0; k < p; k++) {
                difference[j][k] -= sums.sum()[p + j] * sums.sum()[p + k] / n;
            }
        }
        return new TdErrors(
                withoutMaximum(sums.outer(), p),
                solved.filter(at -> Vec.isFinite(sums.sum()))
                        .flatMap(at -> SolvedScore.of(at.step(), difference, own, new double[p][p])));
    }

    /** How much each observation moves the likelihood's maximum, by its choice and through the law. */
    private static double[][] maximum(
            ChoiceProblem problem, FirstStage first, Observations observations, SolvedScore.Solved solved) {
        double[][] scores = byObservation(solved.rowScores(), observations.row());
        for (int j = 0; j < scores.length; j++) {
            double[] direction = Arrays.stream(solved.cross()[j]).map(x -> -x).toArray();
            first.addInfluence(problem.model().law(), observations, direction, scores[j]);
        }
        return multiplied(solved.inverse(), scores);
    }

    private static double[][] byObservation(double[][] byRow, int[] row) {
        return Arrays.stream(byRow)
                .map(own ->
                        Arrays.stream(row).mapToDouble(r -> r < 0 ? 0 : own[r]).toArray())
                .toArray(double[][]::new);
    }

    /** Combinations of rows. */
    private static double[][] multiplied(double[][] by, double[][] rows) {
        double[][] product = new double[by.length][rows[0].length];
        for (int j = 0; j < by.length; j++) {
            for (int k = 0; k < rows.length; k++) {
                Vec.axpy(by[j][k], rows[k], product[j]);
            }
        }
        return product;
    }

    private static double[][] minus(double[][] a, double[][] b) {
        double[][] difference = new double[a.length][];
        Arrays.setAll(difference, j -> Vec.plus(a[j], -1, b[j]));
        return difference;
    }

    private static double[][] joined(double[][]... tables) {
        return Stream.of(tables).flatMap(Arrays::stream).toArray(double[][]::new);
    }

    private static double[][] part(double[][] outer, int from, int size) {
        return Arrays.stream(outer, from, from + size)
                .map(row -> Arrays.copyOfRange(row, from, from + size))
                .toArray(double[][]::new);
    }

    private static double[][] withoutMaximum(double[][] outer, int p) {
        int n = outer.length - p;
        double[][] covariance = new double[n][n];
        for (int j = 0; j < n; j++) {
            for (int k = 0; k < n; k++) {
                covariance[j][k] = outer[j < p ? j : j + p][k < p ? k : k + p];
            }
        }
        return covariance;
    }
}
