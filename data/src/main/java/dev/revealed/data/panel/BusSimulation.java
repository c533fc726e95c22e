package dev.revealed.data.panel;

import dev.revealed.data.RustBusFiles;
import dev.revealed.data.parquet.ParquetWriter;
import dev.revealed.mdp.choice.ChoiceModel;
import dev.revealed.mdp.choice.Shifts;
import dev.revealed.mdp.model.RustBus;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.Parallel;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.numeric.RandomStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;

/**
 * Buses that are driven and repaired by Rust's model, as monthly readings of their mileage. As in his data, a month in
 * which a new engine was driven j bins ends in bin max(1, j): new engines start from no mileage, not from the first bin.
 */
public final class BusSimulation {
    /** Row groups that are in memory at the same time. */
    private static final int AT_ONCE = 8;

    private final ChoiceModel model;
    private final double[] phi;
    private final double[] policy;
    private final double miles;

    public BusSimulation(ChoiceModel model, double[] theta, double[] phi) {
        this.model = model;
        this.phi = phi;
        miles = RustBus.MILES / model.states();
        if (miles * model.law().parameters() > RustBusFiles.MOST_MILES) {
            throw new BadInput(
                    "with %d bins, %d bins in a month are more than %.0f miles"
                            .formatted(model.states(), model.law().parameters(), RustBusFiles.MOST_MILES),
                    "Use more bins, or fewer transition probabilities.");
        }
        policy = model.solve(theta, phi).policy();
    }

    /** A bus per individual, each in one of the groups in turn, with a first reading that only gives its start. */
    public void write(OutputStream out, List<Integer> groups, int individuals, int periods, RandomStream stream)
            throws IOException {
        out.write("bus_id,group,period,mileage,decision\n".getBytes(StandardCharsets.US_ASCII));
        for (int bus = 0; bus < individuals; bus++) {
            String name = (bus + 1) + "," + groups.get(bus % groups.size());
            out.write(bus(name, periods, stream.at(bus)).getBytes(StandardCharsets.US_ASCII));
        }
    }

    /** The columns of readings in a Parquet file. */
    private static final List<ParquetWriter.Column> COLUMNS = Stream.of(
                    "bus_id", "group", "period", "mileage", "decision")
            .map(name -> new ParquetWriter.Column(name, ParquetWriter.Kind.WHOLE, false))
            .toList();

    /** The same readings as a Parquet file: row groups are drawn by several threads and written in order. */
    public void writeParquet(
            OutputStream out,
            List<Integer> groups,
            int individuals,
            int periods,
            RandomStream stream,
            ProgressListener listener)
            throws IOException {
        ParquetWriter writer = new ParquetWriter(out, COLUMNS);
        int each = Math.max(1, ParquetWriter.GROUP / (periods + 1)); // buses of a row group
        int all = Math.ceilDiv(individuals, each);
        ParquetWriter.Group[] drawn = new ParquetWriter.Group[Math.min(all, AT_ONCE)];
        for (int from = 0; from < all; from += drawn.length) {
            int first = from;
            Parallel.tasks(Math.min(drawn.length, all - from), k -> {
                int bus = (first + k) * each;
                drawn[k] = group(groups, bus, Math.min(individuals, bus + each), periods, stream);
            });
            for (int k = 0; k < drawn.length && from + k < all; k++) {
                writer.write(drawn[k]);
            }
            listener.progress("drawing row groups", Math.min(all, from + drawn.length), all);
        }
        writer.end();
    }

    private ParquetWriter.Group group(List<Integer> groups, int from, int to, int periods, RandomStream stream) {
        int rows = (to - from) * (periods + 1);
        long[][] columns = new long[COLUMNS.size()][rows];
        int[] row = {0};
        for (int bus = from; bus < to; bus++) {
            long name = bus + 1L;
            long group = groups.get(bus % groups.size());
            bus(periods, stream.at(bus), (t, mileage, replace) -> {
                int i = row[0]++;
                columns[0][i] = name;
                columns[1][i] = group;
                columns[2][i] = t;
                columns[3][i] = mileage;
                columns[4][i] = replace ? 1 : 0;
            });
        }
        return ParquetWriter.encode(
                COLUMNS, Stream.of(columns).map(ParquetWriter.Values::of).toList(), rows);
    }

    /** Takes a month's reading. */
    @FunctionalInterface
    public interface Reading {
        void take(int period, long mileage, boolean replace);
    }

    private String bus(String name, int periods, RandomStream stream) {
        StringBuilder rows = new StringBuilder();
        bus(
                periods,
                stream,
                (t, mileage, replace) -> rows.append(name + "," + t + "," + mileage + "," + (replace ? 1 : 0) + "\n"));
        return rows.toString();
    }

    /** One bus, month by month, with a first reading that only gives its start. */
    public void bus(int periods, RandomStream stream, Reading reading) {
        Shifts shifts = (Shifts) model.law().parts().getFirst().family();
        int state = 0;
        long mileage = middle(0);
        double[] probabilities = new double[shifts.outcomes(0)];
        for (int t = 0; t <= periods; t++) {
            boolean replace = stream.nextDouble() < policy[2 * state + RustBus.REPLACE];
            reading.take(t, mileage, replace);
            int from = replace ? 0 : state;
            int outcomes = shifts.outcomes(from);
            shifts.at(phi, from, probabilities);
            int to = shifts.destination(from, draw(probabilities, outcomes, stream.nextDouble()));
            state = replace ? Math.max(0, to - 1) : to;
            mileage = replace && to == 0 ? 0 : middle(state);
        }
    }

    private long middle(int state) {
        return Math.round((state + 0.5) * miles);
    }

    private static int draw(double[] probabilities, int outcomes, double u) {
        int outcome = 0;
        for (double left = u; outcome < outcomes - 1 && left >= probabilities[outcome]; outcome++) {
            left -= probabilities[outcome];
        }
        return outcome;
    }
}
