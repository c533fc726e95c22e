package dev.revealed.data.panel;

import dev.revealed.data.TableRows;
import dev.revealed.numeric.BadInput;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.Properties;

/**
 * The answer of DuckDB to a query, as one table. Its driver, {@code org.duckdb:duckdb_jdbc}, must be on the class path.
 *
 * @param database a database file; without one the query names files itself
 * @param query in SQL
 */
public record QueryPiece(Optional<Path> database, String query) implements TablePiece {
    private static final String URL = "jdbc:duckdb:";

    @Override
    public TableRows open(List<String> required, List<String> optional, String hint) {
        Connection connection = connect();
        try {
            return new QueryRows(connection, query, required, optional, hint);
        } catch (SQLException e) {
            throw bad(connection, e);
        } catch (BadInput e) {
            close(connection);
            throw e;
        }
    }

    private Connection connect() {
        database.filter(file -> !Files.isRegularFile(file)).ifPresent(file -> {
            throw new BadInput(file + ": there is no such database", "Check the name and the folder.");
        });
        Properties settings = new Properties();
        settings.setProperty("jdbc_stream_results", "true"); // else all rows are held in memory
        database.ifPresent(
                file -> settings.setProperty("duckdb.read_only", "true")); // several programs may then read it
        try {
            return DriverManager.getConnection(
                    URL + database.map(Path::toString).orElse(""), settings);
        } catch (SQLException e) {
            boolean driver = String.valueOf(e.getMessage()).startsWith("No suitable driver");
            throw new BadInput(
                    driver
                            ? "DuckDB's driver is not on the class path"
                            : "%s: DuckDB does not open it (%s)"
                                    .formatted(database.map(Path::toString).orElse("memory"), first(e)),
                    driver
                            ? "Add org.duckdb:duckdb_jdbc to it; the launcher fetches it when a `query` is given."
                            : "Name a DuckDB database that no other program is writing to.");
        }
    }

    private static BadInput bad(Connection connection, SQLException e) {
        close(connection);
        return new BadInput("DuckDB refuses the `query`: " + first(e), "Correct it.");
    }

    /** The first line of a message, which says it all. */
    static String first(SQLException e) {
        return String.valueOf(e.getMessage()).lines().findFirst().orElse("");
    }

    private static void close(Connection connection) {
        try {
            connection.close();
        } catch (SQLException e) {
            // nothing is lost: it was only read
        }
    }

    @Override
    public String name() {
        return database.map(Path::toString).orElse("the query");
    }

    @Override
    public String unit() {
        return "row";
    }

    @Override
    public long rows() {
        return 0;
    }

    @Override
    public long bytes() {
        return 1L << 30; // not known
    }
}
