package dev.revealed.app.estimate;

import dev.revealed.mdp.choice.ChoiceModel;
import dev.revealed.mdp.choice.Shifts;
import dev.revealed.mdp.model.RustBus;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.RandomStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Buses that are driven and repaired by Rust's model, as monthly readings of their mileage. As in his data, a month in
 * which a new engine was driven j bins ends in bin max(1, j): new engines start from no mileage, not from the first bin.
 */
final class BusSimulation {
    /** More than a bus can drive in a month, as the reader of bus files has it. */
    private static final double MOST_MILES = 30_000;

    private final ChoiceModel model;
    private final double[] phi;
    private final double[] policy;
    private final double miles;

    BusSimulation(ChoiceModel model, double[] theta, double[] phi) {
        this.model = model;
        this.phi = phi;
        miles = RustBus.MILES / model.states();
        if (miles * model.law().parameters() > MOST_MILES) {
            throw new BadInput(
                    "with %d bins, %d bins in a month are more than %.0f miles"
                            .formatted(model.states(), model.law().parameters(), MOST_MILES),
                    "Use more bins, or fewer transition probabilities.");
        }
        policy = model.solve(theta, phi).policy();
    }

    /** A bus per individual, each in one of the groups in turn, with a first reading that only gives its start. */
    void write(OutputStream out, List<Integer> groups, int individuals, int periods, RandomStream stream)
            throws IOException {
        out.write("bus_id,group,period,mileage,decision\n".getBytes(StandardCharsets.US_ASCII));
        for (int bus = 0; bus < individuals; bus++) {
            String name = (bus + 1) + "," + groups.get(bus % groups.size());
            out.write(bus(name, periods, stream.at(bus)).getBytes(StandardCharsets.US_ASCII));
        }
    }

    private String bus(String name, int periods, RandomStream stream) {
        Shifts shifts = (Shifts) model.law().parts().getFirst().family();
        StringBuilder rows = new StringBuilder();
        int state = 0;
        long mileage = middle(0);
        for (int t = 0; t <= periods; t++) {
            boolean replace = stream.nextDouble() < policy[2 * state + RustBus.REPLACE];
            rows.append(name + "," + t + "," + mileage + "," + (replace ? 1 : 0) + "\n");
            int from = replace ? 0 : state;
            double[] probabilities = new double[shifts.outcomes(from)];
            shifts.at(phi, from, probabilities);
            int to = shifts.destination(from, draw(probabilities, stream.nextDouble()));
            state = replace ? Math.max(0, to - 1) : to;
            mileage = replace && to == 0 ? 0 : middle(state);
        }
        return rows.toString();
    }

    private long middle(int state) {
        return Math.round((state + 0.5) * miles);
    }

    private static int draw(double[] probabilities, double u) {
        int outcome = 0;
        for (double left = u; outcome < probabilities.length - 1 && left >= probabilities[outcome]; outcome++) {
            left -= probabilities[outcome];
        }
        return outcome;
    }
}
