package dev.revealed.neural;

import dev.revealed.numeric.Tensors;
import dev.revealed.numeric.Tensors.Tensor.Floats;

/**
 * A policy whose parameters are an exponential moving average of those of recent policies. It varies less between
 * evaluations than the policies themselves.
 */
public final class PolicyAverage {
    private final double pull;
    private Tensors average = new Tensors();

    /** @param over how many of those shown it is an average of, or nearly; 1 is the last one alone */
    public PolicyAverage(double over) {
        pull = 1 / over;
    }

    public void add(Actor newest) {
        Tensors now = Tensors.of(newest::save);
        Tensors next = new Tensors();
        for (String name : now.names()) {
            next.put(name, average.has(name) ? between(average.get(name), now.get(name)) : now.get(name));
        }
        average = next;
    }

    private Tensors.Tensor between(Tensors.Tensor before, Tensors.Tensor now) {
        if (pull == 1 || !(before instanceof Floats(int[] shape, float[] from) && now instanceof Floats to)) {
            return now;
        }
        float[] values = new float[from.length];
        for (int i = 0; i < values.length; i++) {
            values[i] = (float) (from[i] + pull * (to.values()[i] - from[i])); // what never changes stays exact
        }
        return new Floats(shape, values);
    }

    /** The average, or nothing where nothing was shown. */
    public boolean isEmpty() {
        return average.names().isEmpty();
    }

    public Actor policy() {
        return Actor.load(average);
    }

    public void save(String prefix, Tensors into) {
        average.names().forEach(name -> into.put(prefix + name, average.get(name)));
    }

    public void restore(String prefix, Tensors from) {
        average = from.under(prefix);
    }
}
