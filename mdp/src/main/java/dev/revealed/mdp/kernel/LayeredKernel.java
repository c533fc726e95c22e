package dev.revealed.mdp.kernel;

import dev.revealed.mdp.Kernel;
import dev.revealed.numeric.RandomStream;
import java.util.Arrays;
import java.util.List;

/**
 * The kernel of a process with a horizon: one kernel for each period but the last, in which nothing moves any more. State s of
 * period t has the number t * states + s. Periods that move alike share one kernel.
 */
public final class LayeredKernel implements Kernel.Operator {
    private final List<Kernel> periods;
    private final int states; // of a period
    private final int actions;

    /** @param periods from each period to the next */
    public LayeredKernel(List<Kernel> periods) {
        this.periods = List.copyOf(periods);
        states = periods.getFirst().states();
        actions = periods.getFirst().actions();
    }

    /** The whole as a kernel. */
    public Kernel kernel() {
        return Kernel.of(layers() * states, actions, this);
    }

    @Override
    public int layers() {
        return periods.size() + 1;
    }

    @Override
    public void expect(int layer, double[] values, double[] rows) {
        int width = states * actions;
        if (layer == periods.size()) {
            Arrays.fill(rows, layer * width, (layer + 1) * width, 0);
            return;
        }
        double[] next = Arrays.copyOfRange(values, (layer + 1) * states, (layer + 2) * states);
        double[] own = new double[width];
        periods.get(layer).expect(next, own);
        System.arraycopy(own, 0, rows, layer * width, width);
    }

    @Override
    public void push(int layer, double[] flow, double[] next) {
        if (layer == periods.size()) {
            return;
        }
        int width = states * actions;
        double[] own = new double[states];
        periods.get(layer).push(Arrays.copyOfRange(flow, layer * width, (layer + 1) * width), own);
        System.arraycopy(own, 0, next, (layer + 1) * states, states);
    }

    @Override
    public int draw(int row, RandomStream stream) {
        int layer = row / (states * actions);
        return layer == periods.size()
                ? row / actions
                : (layer + 1) * states + periods.get(layer).draw(row % (states * actions), stream);
    }

    @Override
    public void entries(int row, Kernel.Row out) {
        int layer = row / (states * actions);
        if (layer == periods.size()) {
            out.add(row / actions, 1);
            return;
        }
        int first = (layer + 1) * states;
        periods.get(layer).successors(row % (states * actions), (s, p) -> out.add(first + s, p));
    }

    @Override
    public boolean leads(int row, int successor) {
        int layer = row / (states * actions);
        return layer == periods.size()
                ? successor == row / actions
                : successor / states == layer + 1
                        && periods.get(layer).leads(row % (states * actions), successor % states);
    }

    @Override
    public double size() {
        return periods.stream().mapToDouble(Kernel::size).sum() + states * actions;
    }
}
