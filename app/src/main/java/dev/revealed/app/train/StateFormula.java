package dev.revealed.app.train;

import dev.revealed.data.model.Formula;
import dev.revealed.mdp.Episode;
import dev.revealed.mdp.Episode.Ending;
import dev.revealed.mdp.Episodes;
import dev.revealed.mdp.Simulator;
import java.util.stream.IntStream;

/**
 * Terminates an episode where a formula of the numbers s0, s1, ... of the state is not 0. Where it has no value (NaN, or
 * infinite) it terminates as well: logs with such states are refused, but a learnt world may still predict them.
 */
record StateFormula(Formula formula, int[] places) implements Simulator.Termination {
    private static final String NUMBER = "s";

    static StateFormula of(String text, int observations) {
        Formula formula = Formula.of(
                text, IntStream.range(0, observations).mapToObj(i -> NUMBER + i).toList());
        return new StateFormula(
                formula,
                formula.used().stream()
                        .mapToInt(name -> Integer.parseInt(name.substring(NUMBER.length())))
                        .toArray());
    }

    @Override
    public boolean at(float[] observations, int offset) {
        return value(observations, offset) != 0;
    }

    private double value(float[] observations, int offset) {
        double[] values = new double[places.length];
        for (int i = 0; i < values.length; i++) {
            values[i] = observations[offset + places[i]];
        }
        return formula.value(values);
    }

    /** Steps of logged episodes after which it has no finite value. */
    long withoutValue(Episodes log) {
        return log.all().stream()
                .mapToLong(one -> IntStream.rangeClosed(1, one.length())
                        .filter(t -> !Double.isFinite(value(one.observations(), t * one.observationSize())))
                        .count())
                .sum();
    }

    /** Steps of logged episodes after which it says something else than the log. */
    long contradictions(Episodes log) {
        return log.all().stream().mapToLong(this::contradictions).sum();
    }

    private long contradictions(Episode one) {
        return IntStream.rangeClosed(1, one.length())
                .filter(t -> at(one.observations(), t * one.observationSize())
                        != (t == one.length() && one.ending() == Ending.TERMINATED))
                .count();
    }
}
