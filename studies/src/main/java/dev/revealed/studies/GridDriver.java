package dev.revealed.studies;

import dev.revealed.mdp.Mdp;
import dev.revealed.mdp.SoftPolicy;
import dev.revealed.mdp.model.MountainCar;
import dev.revealed.mdp.model.MountainDrive;
import dev.revealed.neural.Actor;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Tensors;

/**
 * Drives the undiscretised mountain car by the soft-optimal solution on a fine grid: what comes after each action is looked
 * up where the action leads, between grid points.
 */
final class GridDriver implements Actor {
    private final MountainCar car;
    private final double discount;
    private final double[] values;
    private final double[] probabilities = new double[MountainCar.ACTIONS];

    private GridDriver(MountainCar car, double discount, double[] values) {
        this.car = car;
        this.discount = discount;
        this.values = values;
    }

    /** Soft-optimal for a cost of 1 a step, in units of the temperature. */
    static GridDriver of(MountainCar car, double discount, double temperature) {
        Mdp mdp = car.mdp(discount);
        SoftPolicy policy = MountainCarStudy.expert(mdp, car.goal(), temperature);
        return new GridDriver(car, discount, policy.values());
    }

    @Override
    public void act(float[] observations, int offset, RandomStream noise, float[] actions, int to) {
        actions[to] = noise.nextIndex(probabilities(observations, offset), 0, probabilities.length);
    }

    @Override
    public void actDeterministic(float[] observations, int offset, float[] actions, int to) {
        probabilities(observations, offset);
        int best = 0;
        for (int a = 1; a < probabilities.length; a++) {
            best = probabilities[a] > probabilities[best] ? a : best;
        }
        actions[to] = best;
    }

    private double[] probabilities(float[] observations, int offset) {
        MountainCar.Point here = MountainDrive.seen(observations, offset);
        double top = Double.NEGATIVE_INFINITY;
        for (int a = 0; a < probabilities.length; a++) {
            double[] later = {0};
            car.spread(here.after(a), 1, (state, share) -> later[0] += share * values[state]);
            probabilities[a] = discount * later[0]; // a step costs the same whatever the action
            top = Math.max(top, probabilities[a]);
        }
        double sum = 0;
        for (int a = 0; a < probabilities.length; a++) {
            probabilities[a] = Math.exp(probabilities[a] - top);
            sum += probabilities[a];
        }
        for (int a = 0; a < probabilities.length; a++) {
            probabilities[a] /= sum;
        }
        return probabilities;
    }

    @Override
    public GridDriver worker() {
        return new GridDriver(car, discount, values);
    }

    @Override
    public GridDriver snapshot() {
        return worker();
    }

    @Override
    public void save(Tensors into) {
        into.put("values", values.clone());
    }
}
