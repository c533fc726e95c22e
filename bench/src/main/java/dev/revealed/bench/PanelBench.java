package dev.revealed.bench;

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
     * @param ratio rows per second over those of DuckDB; NaN where that was not measured
     * @param heapMegabytes most heap in use during the pass
     */
    public record Row(
            String work, long rows, double seconds, double rowsPerSecond, double ratio, double heapMegabytes) {
        private static Row of(String work, long rows, double seconds, double heap) {
            return new Row(work, rows, seconds, rows / seconds, Double.NaN, heap);
        }

        private Row beside(double rival) {
            return new Row(work, rows, seconds, rowsPerSecond, rival / seconds, heapMegabytes);
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
        long all = TableFiles.pieces(List.of(file)).stream()
                .mapToLong(TablePiece::rows)
                .sum();
        double ours = Double.POSITIVE_INFINITY;
        double theirs = Double.POSITIVE_INFINITY;
        double heap = 0;
        long counted = 0;
        long answered = 0;
        for (int k = 0; k < REPETITIONS; k++) {
            Heap.reset();
            long begin = System.nanoTime();
            ChoiceData data = CountedPanel.read(TableFiles.pieces(List.of(file)), new BusCoding(SETTINGS), listener);
            ours = Math.min(ours, since(begin));
            heap = Math.max(heap, Heap.megabytes());
            counted = moves(data.panel());
            if (duckdb) {
                begin = System.nanoTime();
                answered = duckdb(file, threads);
                theirs = Math.min(theirs, since(begin));
            }
        }
        Row own = Row.of("count a Parquet file", all, ours, heap);
        rows.add(duckdb ? own.beside(theirs) : own);
        if (duckdb) {
            rows.add(Row.of("the same by DuckDB", all, theirs, Double.NaN).beside(theirs));
            BadInput.when(
                    counted != answered,
                    "DuckDB counts %d moves and we count %d".formatted(answered, counted),
                    "One of us is wrong: please report it.");
        }
        BusSimulation buses = buses();
        for (long size : growth) {
            Heap.reset();
            long begin = System.nanoTime();
            List<TablePiece> pieces =
                    DrawnBuses.pieces(buses, size, periods, RandomStream.of(1).named("panel"));
            CountedPanel.read(pieces, new BusCoding(SETTINGS), listener);
            rows.add(Row.of(GROWTH, pieces.stream().mapToLong(TablePiece::rows).sum(), since(begin), Heap.megabytes()));
        }
        return new Result(threads, rows);
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

    private static double since(long begin) {
        return (System.nanoTime() - begin) / 1e9;
    }

    private static long moves(Panel panel) {
        ObservationCounts counts = panel.counts().orElseThrow();
        double sum = 0;
        for (double count : counts.count()) {
            sum += count;
        }
        return Math.round(sum);
    }

    /** DuckDB's counts of the same pairs of rows; returns their sum. */
    private static long duckdb(Path file, int threads) {
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
            long sum = 0;
            try (ResultSet answer = statement.executeQuery(query)) {
                while (answer.next()) {
                    sum += answer.getLong(5);
                }
            }
            return sum;
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
