package dev.revealed.estimate.route;

import dev.revealed.estimate.route.NestedLogit.Solution;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.RandomStream;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Types of drivers whom nobody sees: what is expected of a driver is a mean over types, weighted by their shares. */
record RouteMixture(List<DriverType> types) {

    RouteMixture {
        types = List.copyOf(types);
        double sum = types.stream().mapToDouble(DriverType::share).sum();
        BadInput.when(
                Math.abs(sum - 1) > 1e-9,
                "the shares of the types of drivers add up to " + sum,
                "Give shares above 0 that add up to 1.");
    }

    /** The log of the mean of probabilities, given their logs by type. */
    double log(double[] logs) {
        double top = Double.NEGATIVE_INFINITY;
        for (double log : logs) {
            top = Math.max(top, log);
        }
        if (top == Double.NEGATIVE_INFINITY) {
            return top;
        }
        double sum = 0;
        for (int k = 0; k < logs.length; k++) {
            sum += types.get(k).share() * Math.exp(logs[k] - top);
        }
        return logs.length == 1 ? top : top + Math.log(sum);
    }

    /** Draws the type of a driver; takes nothing of the stream where there is only one. */
    int draw(RandomStream stream) {
        double left = types.size() == 1 ? 0 : stream.nextDouble();
        int type = 0;
        while (type < types.size() - 1 && left >= types.get(type).share()) {
            left -= types.get(type++).share();
        }
        return type;
    }

    /** Hands on the choices of all types of one group of trips after the other, several groups at a time. */
    void solutions(NestedLogit solver, Consumer<List<Solution>> use) {
        solver.solutions(types.getFirst().theta(), first -> others(solver, List.of(first), use));
    }

    private void others(NestedLogit solver, List<Solution> found, Consumer<List<Solution>> use) {
        if (found.size() == types.size()) {
            use.accept(found);
            return;
        }
        int group = found.getFirst().group();
        solver.solutions(types.get(found.size()).theta(), group, group + 1, next -> {
            List<Solution> more = new ArrayList<>(found);
            more.add(next);
            others(solver, more, use);
        });
    }
}
