package dev.revealed.imitate.rivals;

import dev.revealed.mdp.Episode;
import dev.revealed.mdp.Episode.Ending;
import dev.revealed.mdp.Episodes;
import dev.revealed.mdp.Simulator;
import dev.revealed.numeric.RandomStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A ring of places, from which one steps back, stays or steps on; episodes begin at place 0. Soft-optimal policies and the
 * visits of places follow from a reward by recursion, without any class of ours. Places are observed as unit vectors.
 *
 * @param horizon steps of an episode
 */
record Ring(int places, int horizon) {
    private static final int MOVES = 3;

    Simulator.Space space() {
        return new Simulator.Space("ring", places, new Simulator.Actions.Box(1, 1), horizon);
    }

    int to(int place, int move) {
        return Math.floorMod(place + move - 1, places);
    }

    /** How probable each move is, by step and place, where the sum of rewards of the places left plus entropy is maximal. */
    double[][][] softOptimal(double[] reward) {
        double[][][] policy = new double[horizon][places][MOVES];
        double[] ahead = new double[places];
        for (int t = horizon - 1; t >= 0; t--) {
            double[] values = new double[places];
            for (int s = 0; s < places; s++) {
                double sum = 0;
                for (int move = 0; move < MOVES; move++) {
                    policy[t][s][move] = Math.exp(ahead[to(s, move)]);
                    sum += policy[t][s][move];
                }
                for (int move = 0; move < MOVES; move++) {
                    policy[t][s][move] /= sum;
                }
                values[s] = reward[s] + Math.log(sum);
            }
            ahead = values;
        }
        return policy;
    }

    /** The share of steps at each place. */
    double[] visits(double[][][] policy) {
        double[] shares = new double[places];
        double[] now = new double[places];
        now[0] = 1;
        for (int t = 0; t < horizon; t++) {
            double[] next = new double[places];
            for (int s = 0; s < places; s++) {
                shares[s] += now[s] / horizon;
                for (int move = 0; move < MOVES; move++) {
                    next[to(s, move)] += now[s] * policy[t][s][move];
                }
            }
            now = next;
        }
        return shares;
    }

    /** Every sequence of moves. */
    List<int[]> sequences() {
        List<int[]> all = List.of(new int[] {});
        for (int t = 0; t < horizon; t++) {
            List<int[]> longer = new ArrayList<>();
            for (int[] moves : all) {
                for (int move = 0; move < MOVES; move++) {
                    int[] more = Arrays.copyOf(moves, t + 1);
                    more[t] = move;
                    longer.add(more);
                }
            }
            all = longer;
        }
        return all;
    }

    Episodes sample(double[][][] policy, int count, RandomStream stream) {
        List<Episode> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            float[] observations = new float[places * (horizon + 1)];
            float[] actions = new float[horizon];
            int place = 0;
            observations[0] = 1;
            for (int t = 0; t < horizon; t++) {
                double at = stream.nextDouble();
                int move = at < policy[t][place][0] ? 0 : at < policy[t][place][0] + policy[t][place][1] ? 1 : 2;
                actions[t] = move - 1f;
                place = to(place, move);
                observations[(t + 1) * places + place] = 1;
            }
            all.add(new Episode(horizon, observations, actions, null, Ending.TRUNCATED));
        }
        return new Episodes(all);
    }
}
