package dev.revealed.studies.offline;

import dev.revealed.estimate.Problem;
import dev.revealed.estimate.offline.OfflineProblem;
import dev.revealed.mdp.Demonstrations;
import dev.revealed.mdp.InformationCost;
import dev.revealed.mdp.LinearReward;
import dev.revealed.mdp.Mdp;
import dev.revealed.mdp.Simulation;
import dev.revealed.mdp.SoftPolicy;
import dev.revealed.mdp.SoftProcess;
import dev.revealed.mdp.model.GridWorld;
import dev.revealed.mdp.model.RandomProcess;
import dev.revealed.mdp.offline.LoggedDynamics;
import dev.revealed.mdp.offline.MoveCounts;
import dev.revealed.numeric.RandomStream;
import dev.revealed.studies.theory.TheoryProblem;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * A random process whose truth is known, its expert, and those who may have made the log.
 *
 * @param truth the expert's parameters
 * @param expert the expert's policy and discounted visits
 */
public record LoggedWorld(Mdp mdp, LinearReward reward, double[] truth, SoftPolicy expert) {

    /** Who made the log. */
    public enum Logger {
        /** The expert. */
        EXPERT,
        /** Somebody who chooses at random. */
        RANDOM,
        /** Somebody who is after the opposite of what the expert is after, and seldom does what the expert does. */
        OPPONENT,
        /** The opponent, who in every other state never takes the action that the expert takes most often. */
        BLIND;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    static LoggedWorld of(OfflineTheoryStudy.Size size, RandomStream stream) {
        Mdp mdp = RandomProcess.of(
                size.states(), size.actions(), 3, size.states(), size.discount(), stream.named("process"));
        double[][] rows = new double[mdp.rows()][size.features()];
        RandomStream features = stream.named("features");
        for (double[] row : rows) {
            Arrays.setAll(row, j -> features.nextDouble(-1, 1));
        }
        LinearReward reward = LinearReward.ofRows(
                mdp.actions(),
                IntStream.range(0, size.features()).mapToObj(j -> "x" + j).toList(),
                rows);
        double[] truth = IntStream.range(0, size.features())
                .mapToDouble(j -> (j % 2 == 0 ? 1.0 : -1.0) / (1 + j / 2))
                .toArray();
        return new LoggedWorld(mdp, reward, truth, TheoryProblem.optimal(mdp, reward, truth));
    }

    /**
     * A board with a goal in a corner and a swamp across: moves lead to neighbours, so that a law which may lead anywhere
     * promises what no move keeps.
     */
    static LoggedWorld board(OfflineTheoryStudy.Board board) {
        int size = board.size();
        Mdp mdp = new GridWorld(size, board.slip()).mdp(board.discount());
        int actions = mdp.actions();
        double[][] rows = new double[mdp.rows()][];
        Arrays.setAll(rows, row -> {
            int line = row / actions / size;
            int column = row / actions % size;
            boolean goal = line == size - 1 && column == size - 1;
            boolean swamp = line == size / 2 && column > 0;
            boolean move = row % actions != actions - 1;
            return new double[] {goal ? 1 : 0, swamp ? 1 : 0, move ? 1 : 0};
        });
        LinearReward reward = LinearReward.ofRows(actions, List.of("goal", "swamp", "move"), rows);
        double[] truth = {2, -1, -0.3};
        return new LoggedWorld(mdp, reward, truth, TheoryProblem.optimal(mdp, reward, truth));
    }

    /** Log choice probabilities of whoever made the log. */
    double[] logPolicy(Logger logger) {
        return switch (logger) {
            case EXPERT -> expert.logPolicy();
            case RANDOM -> {
                double[] even = new double[mdp.rows()];
                Arrays.fill(even, -Math.log(mdp.actions()));
                yield even;
            }
            case OPPONENT -> opponent();
            case BLIND -> blind(opponent());
        };
    }

    private double[] opponent() {
        double[] opposite = Arrays.stream(truth).map(x -> -2 * x).toArray();
        return TheoryProblem.optimal(mdp, reward, opposite).logPolicy();
    }

    private double[] blind(double[] logPolicy) {
        double[] blind = logPolicy.clone();
        int actions = mdp.actions();
        for (int state = 0; state < mdp.states(); state += 2) {
            int favourite = state * actions;
            for (int row = favourite + 1; row < (state + 1) * actions; row++) {
                favourite = expert.policy()[row] > expert.policy()[favourite] ? row : favourite;
            }
            double rest = Math.log1p(-Math.exp(blind[favourite]));
            for (int row = state * actions; row < (state + 1) * actions; row++) {
                blind[row] = row == favourite ? Double.NEGATIVE_INFINITY : blind[row] - rest;
            }
        }
        return blind;
    }

    /** One long path of whoever makes the log. */
    MoveCounts log(double[] logPolicy, int moves, RandomStream stream) {
        Simulation simulation = new Simulation(mdp, logPolicy);
        int[] state = new int[moves];
        int[] action = new int[moves];
        int[] next = new int[moves];
        int at = simulation.start(stream);
        for (int i = 0; i < moves; i++) {
            state[i] = at;
            action[i] = simulation.act(at, stream);
            next[i] = simulation.move(at, action[i], stream);
            at = next[i];
        }
        return MoveCounts.of(mdp.states(), mdp.actions(), state, action, next);
    }

    /** To be estimated from that log and those demonstrations, without a penalty. */
    OfflineProblem problem(
            MoveCounts log, boolean demonstrationsToo, double prior, Demonstrations demonstrations, double ridge) {
        return new OfflineProblem(
                new OfflineProblem.Log(log, demonstrationsToo, LoggedDynamics.Law.SMOOTHED, prior, Set.of()),
                new OfflineProblem.Agent(
                        mdp.discount(),
                        Optional.of(mdp.start()),
                        InformationCost.STANDARD,
                        Problem.Objective.SURROGATE),
                reward,
                demonstrations,
                ridge,
                0);
    }

    /** The expert's discounted visits of each (state, action). */
    double[] expertVisits() {
        double[] visits = new double[mdp.rows()];
        Arrays.setAll(visits, row -> expert.occupancy()[row / mdp.actions()] * expert.policy()[row]);
        return visits;
    }

    /**
     * How badly a log covers the expert: the largest ratio of the expert's share of visits to the log's, over pairs of state
     * and action. Infinite where the log lacks a pair.
     */
    double concentrability(double[] logPolicy) {
        double[] share = new double[mdp.states()];
        Arrays.fill(share, 1.0 / share.length);
        for (int sweep = 0; sweep < 10_000; sweep++) { // the long run of the log's path
            double[] following = new double[share.length];
            for (int row = 0; row < mdp.rows(); row++) {
                double mass = share[row / mdp.actions()] * Math.exp(logPolicy[row]);
                for (int k = mdp.kernel().rowStart()[row]; k < mdp.kernel().rowStart()[row + 1]; k++) {
                    following[mdp.kernel().successor()[k]] +=
                            mass * mdp.kernel().probability()[k];
                }
            }
            share = following;
        }
        double[] visits = expertVisits();
        double largest = 0;
        for (int row = 0; row < visits.length; row++) {
            double logged = share[row / mdp.actions()] * Math.exp(logPolicy[row]);
            largest = Math.max(largest, (1 - mdp.discount()) * visits[row] / logged);
        }
        return largest;
    }

    /** How much discounted likelihood of the expert's choices a policy gives away: 0 where it is the expert's. */
    double excess(double[] logPolicy) {
        double[] visits = expertVisits();
        double sum = 0;
        for (int row = 0; row < visits.length; row++) {
            sum += visits[row] * (expert.logPolicy()[row] - logPolicy[row]);
        }
        return sum;
    }

    /** How much of the expert's soft value a policy loses in the true process by the true reward. */
    double loss(double[] logPolicy) {
        SoftProcess process = new SoftProcess(mdp, InformationCost.STANDARD);
        double[] policy = Arrays.stream(logPolicy).map(Math::exp).toArray();
        double[] visits = new double[mdp.states()];
        process.solver().under(policy).occupancy(mdp.start(), visits);
        double[] rows = new double[mdp.rows()];
        reward.values(truth, rows);
        double value = 0;
        double best = 0;
        for (int row = 0; row < rows.length; row++) {
            value += visits[row / mdp.actions()] * policy[row] * (rows[row] - logPolicy[row]);
            best += expert.occupancy()[row / mdp.actions()]
                    * expert.policy()[row]
                    * (rows[row] - expert.logPolicy()[row]);
        }
        return best - value;
    }
}
