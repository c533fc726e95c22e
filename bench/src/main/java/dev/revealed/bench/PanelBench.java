package dev.revealed.bench;

import com.sun.management.OperatingSystemMXBean;
import dev.revealed.data.ChoiceData;
import dev.revealed.data.RustBusFiles;
import dev.revealed.data.panel.BusCoding;
import dev.revealed.data.panel.BusSimulation;
import dev.revealed.data.panel.CountedPanel;
import dev.revealed.data.panel.TableFiles;
import dev.revealed.data.panel.TablePiece;
import dev.revealed.mdp.choice.ChoiceModel;
import dev.revealed.mdp.choice.ObservationCounts;
import dev.revealed.mdp.choice.Panel;
import dev.revealed.mdp.choice.TransitionLaw;
import dev.revealed.mdp.model.RustBus;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.numeric.RandomStream;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Counting the rows of a panel: a Parquet file of simulated buses, compared with DuckDB on the same file where its driver is
 * on the class path; and panels that are drawn while they are read, of growing size.
 *
 * @param periods decisions of each bus
 */
public record PanelBench(int periods) {
    /** What panels that are drawn while they are read are called. */
    public static final String GROWTH = "draw and count";

    private static final int REPETITIONS = 3;
    private static final RustBusFiles.Settings SETTINGS = RustBusFiles.Settings.of(Map.of());

    /** Rust's estimates for groups 1-4 (1987, Table IX). */
    private static final double[] THETA = {9.7558, 2.6275};

    private static final double[] LAW = {0.3489, 0.6394};

    /**
     * One pass.
     *
     * @param seconds the best of several
     * @param cpuSeconds of all threads; NaN where that was not measured
     * @param ratio rows per second over those of DuckDB; NaN where that was not measured
     * @param heapMegabytes most heap in use during the pass
     */
    public record Row(
            String work,
            long rows,
            double seconds,
            double cpuSeconds,
            double rowsPerSecond,
            double ratio,
            double heapMegabytes) {
        private static Row of(String work, long rows, double seconds, double cpuSeconds, double heap) {
            return new Row(work, rows, seconds, cpuSeconds, rows / seconds, Double.NaN, heap);
        }

        private Row beside(double rival) {
            return new Row(work, rows, seconds, cpuSeconds, rowsPerSecond, rival / seconds, heapMegabytes);
        }
    }

    /** What was measured. */
    public record Result(int threads, List<Row> rows) {}

    /**
     * Measures.
     *
     * @param file a Parquet file of buses
     * @param growth numbers of rows of panels that are drawn while they are read
     * @param duckdb whether to measure DuckDB as well
     */
    public Result run(Path file, List<Long> growth, boolean duckdb, int threads, ProgressListener listener) {
        List<Row> rows = new ArrayList<>();
        long inFile = TableFiles.pieces(List.of(file)).stream()
                .mapToLong(TablePiece::rows)
                .sum();
        double ours = Double.POSITIVE_INFINITY;
        double theirs = Double.POSITIVE_INFINITY;
        double heap = 0;
        Map<Move, Long> counted = Map.of();
        Map<Move, Long> answered = Map.of();
        for (int k = 0; k < REPETITIONS; k++) {
            Heap.reset();
            long begin = System.nanoTime();
            ChoiceData data = count(TableFiles.pieces(List.of(file)), listener);
            ours = Math.min(ours, since(begin));
            heap = Math.max(heap, Heap.megabytes());
            if (duckdb) {
                counted = moves(data.panel());
                begin = System.nanoTime();
                List<long[]> groups = duckdb(file, threads);
                theirs = Math.min(theirs, since(begin));
                answered = moves(groups, data.model().law().parts().getFirst());
            }
        }
        Row own = Row.of("count a Parquet file", inFile, ours, Double.NaN, heap);
        rows.add(duckdb ? own.beside(theirs) : own);
        if (duckdb) {
            rows.add(Row.of("the same by DuckDB", inFile, theirs, Double.NaN, Double.NaN)
                    .beside(theirs));
            BadInput.when(
                    counted.isEmpty() || !counted.equals(answered),
                    "DuckDB counts other moves than we do (%d and %d different ones)"
                            .formatted(answered.size(), counted.size()),
                    "One of us is wrong: please report it.");
        }
        if (!growth.isEmpty()) {
            count(drawn(growth.getFirst()), listener); // so that the compilers have done their work
        }
        for (long size : growth) {
            Heap.reset();
            long begin = System.nanoTime();
            double cpu = cpuSeconds();
            List<TablePiece> pieces = drawn(size);
            count(pieces, listener);
            long all = pieces.stream().mapToLong(TablePiece::rows).sum();
            rows.add(Row.of(GROWTH, all, since(begin), cpuSeconds() - cpu, Heap.megabytes()));
        }
        return new Result(threads, rows);
    }

    private List<TablePiece> drawn(long rows) {
        return DrawnBuses.pieces(buses(), rows, periods, RandomStream.of(1).named("panel"));
    }

    private static ChoiceData count(List<TablePiece> pieces, ProgressListener listener) {
        return CountedPanel.read(pieces, new BusCoding(SETTINGS), listener);
    }

    private static BusSimulation buses() {
        ChoiceModel model = RustBus.of(SETTINGS.bins(), LAW.length, SETTINGS.discount(), SETTINGS.cost());
        return new BusSimulation(model, THETA, LAW);
    }

    /** Writes a panel of about so many rows. */
    public void write(Path file, long rows, ProgressListener listener) {
        int individuals = Math.toIntExact(Math.max(1, rows / (periods + 1)));
        try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file), 1 << 16)) {
            buses().writeParquet(
                            out,
                            List.copyOf(SETTINGS.groups()),
                            individuals,
                            periods,
                            RandomStream.of(1).named("panel"),
                            listener);
        } catch (IOException e) {
            throw new BadInput(
                    "%s: cannot be written (%s)".formatted(file, BadInput.reason(e)), "Choose another folder.");
        }
    }

    /** CPU time of this program so far. */
    private static double cpuSeconds() {
        return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime() / 1e9;
    }

    private static double since(long begin) {
        return (System.nanoTime() - begin) / 1e9;
    }

    /** A choice, and the move that led to it. */
    private record Move(int row, int cell, int outcome) {}

    private static Map<Move, Long> moves(Panel panel) {
        ObservationCounts counts = panel.counts().orElseThrow();
        Map<Move, Long> moves = new HashMap<>();
        for (int i = 0; i < counts.size(); i++) {
            Move move = new Move(counts.row()[i], counts.cell()[i][0], counts.outcome()[i][0]);
            moves.merge(move, Math.round(counts.count()[i]), Long::sum);
        }
        return moves;
    }

    /** What DuckDB's groups mean to the model. Places count bins from 1, and states from 0. */
    private static Map<Move, Long> moves(List<long[]> groups, TransitionLaw.Part part) {
        Map<Move, Long> moves = new HashMap<>();
        for (long[] group : groups) {
            int state = (int) Math.max(0, group[0] - 1);
            int last = (int) Math.max(0, group[2] - 1);
            int cell = part.cell().of(last, (int) group[3]);
            long moved = group[3] == RustBus.REPLACE ? group[0] : state - last;
            int outcome = (int) Math.min(moved, part.family().outcomes(cell) - 1);
            moves.merge(new Move(2 * state + (int) group[1], cell, outcome), group[4], Long::sum);
        }
        return moves;
    }

    /** DuckDB's counts of the same pairs of rows: place, decision, those of the row before, and how often. */
    private static List<long[]> duckdb(Path file, int threads) {
        String query = """
                SELECT place, decision, lastPlace, lastDecision, count(*)
                FROM (SELECT ceil(mileage * %d / %.0f) AS place, decision,
                             lag(ceil(mileage * %d / %.0f)) OVER w AS lastPlace, lag(decision) OVER w AS lastDecision
                      FROM '%s' WINDOW w AS (PARTITION BY bus_id ORDER BY period))
                WHERE lastPlace IS NOT NULL
                GROUP BY ALL""".formatted(SETTINGS.bins(), RustBus.MILES, SETTINGS.bins(), RustBus.MILES, file);
        try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
                Statement statement = connection.createStatement()) {
            statement.execute("SET threads = " + threads);
            List<long[]> groups = new ArrayList<>();
            try (ResultSet answer = statement.executeQuery(query)) {
                while (answer.next()) {
                    long[] group = new long[5];
                    for (int c = 0; c < group.length; c++) {
                        group[c] = answer.getLong(c + 1);
                    }
                    groups.add(group);
                }
            }
            return groups;
        } catch (SQLException e) {
            throw new BadInput(
                    "DuckDB does not answer (%s)".formatted(e.getMessage()),
                    "Add org.duckdb:duckdb_jdbc to the class path; the launcher does so for the option duckdb.");
        }
    }

    /** The most heap that was in use. */
    private static final class Heap {
        private static List<MemoryPoolMXBean> pools() {
            return ManagementFactory.getMemoryPoolMXBeans().stream()
                    .filter(pool -> pool.getType() == MemoryType.HEAP)
                    .toList();
        }

        static void reset() {
            System.gc();
            pools().forEach(MemoryPoolMXBean::resetPeakUsage);
        }

        static double megabytes() {
            return pools().stream()
                            .mapToLong(pool -> pool.getPeakUsage().getUsed())
                            .sum()
                    / 1e6;
        }
    }
}
