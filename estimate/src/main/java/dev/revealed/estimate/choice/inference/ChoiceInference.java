package dev.revealed.estimate.choice.inference;

import dev.revealed.estimate.choice.ChoiceProblem;
import dev.revealed.estimate.choice.Clusters;
import dev.revealed.estimate.choice.DifferencedHessian;
import dev.revealed.estimate.choice.FirstStage;
import dev.revealed.estimate.choice.Observations;
import dev.revealed.estimate.choice.RowScores;
import dev.revealed.mdp.choice.ChoiceModel;
import dev.revealed.mdp.choice.ClusterSums;
import dev.revealed.mdp.choice.KeptIndividuals;
import dev.revealed.mdp.choice.Panel;
import dev.revealed.mdp.choice.TransitionLaw;
import dev.revealed.mdp.rules.ParameterRules;
import dev.revealed.numeric.Dense;
import dev.revealed.numeric.Vec;
import java.util.Arrays;
import java.util.Optional;

/**
 * How sure one may be of an estimate: the covariance of (theta, phi) together, whatever was estimated in which step.
 *
 * <p>Where the law was estimated first, the score of theta moves with phi at the rate of the cross information C, so each
 * observation moves theta by A^-1 (s_theta - C I_phi^-1 s_phi): Murphy and Topel's correction, written observation by
 * observation. C needs no derivative of the solution with respect to phi: a change of the law is a change of the reward by
 * gamma dP V, and its effect on the score is read off the adjoint of the value equation.
 */
final class ChoiceInference {
    private final ChoiceProblem problem;
    private final ChoiceModel model;
    private final TransitionLaw law;
    private final FirstStage first;
    private final double[] theta;
    private final double[] phi;
    private final boolean joint;
    private final Observations observations;
    private final RowScores solved;
    private final double[][] rowScores;
    private final double logLikelihood;

    /** @param joint whether theta and phi maximise one likelihood together */
    ChoiceInference(ChoiceProblem problem, FirstStage first, double[] theta, double[] phi, boolean joint) {
        this.problem = problem;
        this.first = first;
        this.theta = theta;
        this.phi = phi;
        this.joint = joint;
        model = problem.model();
        law = model.law();
        observations = Observations.of(law, problem.panel());
        solved = new RowScores(model, problem.choiceCounts(), phi, joint);
        double[] at = joint ? Vec.joined(theta, phi) : theta;
        logLikelihood = solved.solve(at);
        rowScores = solved.scores(at);
    }

    double choiceLogLikelihood() {
        return logLikelihood;
    }

    /** Of all observed moves, those after a missing action included. */
    double transitionLogLikelihood() {
        return FirstStage.logLikelihood(law, first.moves(), phi) + unseenLogLikelihood();
    }

    /** Of the moves after missing actions. */
    double unseenLogLikelihood() {
        return observations.unseenLogLikelihood(law, solved);
    }

    /** Gradient of the likelihood that was maximised. */
    double[] gradient() {
        double[] gradient = joint || observations.missing() ? observations.sum(scores()) : solved.gradient();
        model.utility().rules().addGradient(theta, gradient);
        return gradient;
    }

    /** The parameters of what was maximised that are not at a bound. */
    int[] free() {
        return model.utility().rules().free(joint ? Vec.joined(theta, phi) : theta);
    }

    /** Scores of the different observations with respect to (theta, phi), or to theta alone in two steps. */
    private double[][] scores() {
        return observations.scores(law, solved, rowScores, joint);
    }

    /** The information of what was maximised, by which standard errors and identification are judged. */
    double[][] information(StandardErrors kind) {
        double[][] information = kind == StandardErrors.OPG ? observations.outerProducts(scores()) : hessian();
        model.utility().rules().addInformation(information);
        return information;
    }

    /** Minus the Hessian, by central differences of the exact gradient. */
    private double[][] hessian() {
        double[] at = joint ? Vec.joined(theta, phi) : theta;
        double[][] opg = observations.outerProducts(scores());
        RowScores trial = new RowScores(model, problem.choiceCounts(), phi, joint);
        double[] steps = new double[at.length];
        Arrays.setAll(steps, j -> DifferencedHessian.step(opg[j][j], at[j]));
        return DifferencedHessian.of(at, steps, moved -> gradient(trial, moved));
    }

    private double[] gradient(RowScores trial, double[] at) {
        trial.solve(at);
        double[][] rows = trial.scores(at);
        return joint || observations.missing()
                ? observations.sum(observations.scores(law, trial, rows, joint))
                : trial.gradient();
    }

    /**
     * Covariance of (theta, phi), or of theta alone where the law has too many parameters to show; empty where the
     * information is singular.
     */
    Optional<double[][]> covariance(StandardErrors kind, double[][] information) {
        return ParameterRules.inverse(information, free())
                .map(inverse -> joint ? joint(kind, inverse) : twoSteps(kind, inverse));
    }

    private double[][] joint(StandardErrors kind, double[][] inverse) {
        if (kind == StandardErrors.OPG || kind == StandardErrors.HESSIAN) {
            return inverse;
        }
        double[][] scores = scores();
        double[][] influence = new double[scores.length][];
        Arrays.setAll(influence, i -> Dense.multiply(inverse, scores[i]));
        return outer(kind, influence);
    }

    private double[][] twoSteps(StandardErrors kind, double[][] inverse) {
        double[][] cross = solved.crossInformation();
        int shown = FirstStage.shown(phi);
        double[][] influence = new double[observations.size()][];
        double[][] ofTheta = new double[theta.length][observations.size()];
        for (int j = 0; j < theta.length; j++) {
            first.addInfluence(law, observations, cross[j], ofTheta[j]);
        }
        double[][] ofPhi = first.influence(law, observations, shown);
        double[][] ofChoices = scores();
        for (int i = 0; i < influence.length; i++) {
            double[] moved = new double[theta.length];
            for (int j = 0; j < theta.length; j++) {
                moved[j] = ofChoices[i][j] - ofTheta[j][i];
            }
            influence[i] = Arrays.copyOf(Dense.multiply(inverse, moved), theta.length + shown);
            for (int k = 0; k < shown; k++) {
                influence[i][theta.length + k] = ofPhi[k][i];
            }
        }
        if (kind == StandardErrors.SANDWICH || kind == StandardErrors.CLUSTER) {
            return outer(kind, influence);
        }
        // Choices and moves are independent given the past, so what theta owes to each adds up.
        double[][] ofLaw = new double[theta.length + shown][theta.length + shown];
        for (int i = 0; i < influence.length; i++) {
            double[] byMoves = influence[i].clone();
            double[] byChoice = Dense.multiply(inverse, ofChoices[i]);
            for (int j = 0; j < theta.length; j++) {
                byMoves[j] -= byChoice[j];
            }
            Observations.addOuter(observations.count()[i], byMoves, ofLaw);
        }
        for (int j = 0; j < theta.length; j++) {
            for (int k = 0; k < theta.length; k++) {
                ofLaw[j][k] += inverse[j][k];
            }
        }
        return ofLaw;
    }

    /** Sum of outer products of influences, over observations, or over clusters and periods with common moves. */
    private double[][] outer(StandardErrors kind, double[][] influence) {
        if (kind == StandardErrors.SANDWICH) {
            return observations.covariance(influence);
        }
        Panel panel = problem.panel();
        Optional<ClusterSums> elsewhere = panel.individuals() instanceof KeptIndividuals kept
                ? kept.sums(influence, Clusters.copies(panel))
                : Optional.empty();
        double[][] sum = elsewhere.map(ClusterSums::outer).orElseGet(() -> outer(influence));
        double correction = Clusters.correction(panel);
        for (double[] row : sum) {
            Arrays.setAll(row, k -> row[k] * correction);
        }
        for (int period : observations.common()) {
            Observations.addOuter(1, influence[period], sum);
        }
        return sum;
    }

    /** The same over clusters, added up here. */
    private double[][] outer(double[][] influence) {
        int p = influence[0].length;
        Clusters.Sum sums = Clusters.of(problem.panel()).sum(p);
        double[] total = new double[p];
        observations.paths().forEach((n, weight, path, length) -> {
            Arrays.fill(total, 0);
            for (int t = 0; t < length; t++) {
                Vec.axpy(1, influence[path[t]], total);
            }
            sums.add(n, weight, total);
        });
        return sums.covariance();
    }
}
