package dev.revealed.data.panel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.revealed.data.ChoiceData;
import dev.revealed.data.RustBusFiles;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.ProgressListener;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Panels that DuckDB answers with are those of the files it reads. */
class QueryTest {
    private static final RustBusFiles.Settings SETTINGS =
            RustBusFiles.Settings.of(Map.of("groups", "1-2", "bins", "90"));

    @TempDir
    Path folder;

    @BeforeAll
    static void needDriver() {
        assumeTrue(
                DriverManager.drivers()
                        .anyMatch(driver -> driver.getClass().getName().startsWith("org.duckdb.")),
                "DuckDB's driver is not in the local Maven repository; to fetch it, type: ./revealed bench panels --duckdb");
    }

    private Path csv() throws IOException {
        List<String> rows = new ArrayList<>(List.of("bus_id,group,period,mileage,decision"));
        for (int bus = 0; bus < 40; bus++) {
            int mileage = 2500;
            for (int t = 0; t < 5 + bus % 7; t++) {
                boolean replace = (bus + t) % 11 == 10;
                rows.add("b%02d,%d,%d,%d,%d".formatted(bus, 1 + bus % 2, t, mileage, replace ? 1 : 0));
                mileage = (replace ? 0 : mileage) + 5000 * ((bus * t) % 3);
            }
        }
        return Files.write(folder.resolve("panel.csv"), rows);
    }

    private static ChoiceData answered(Optional<Path> database, String query) {
        return PanelFiles.buses(new QueryPiece(database, query), SETTINGS, ProgressListener.NONE);
    }

    private static String refused(Optional<Path> database, String query) {
        BadInput refused = catchThrowableOfType(BadInput.class, () -> answered(database, query));
        assertThat(refused).as(query).isNotNull();
        return refused.problem();
    }

    @Test
    void rowsInAnyOrderAreThoseOfTheFile() throws IOException, SQLException {
        Path file = csv();
        ChoiceData read = RustBusFiles.read(file, SETTINGS, ProgressListener.NONE);
        String all = "SELECT * FROM '%s'".formatted(file);
        Path database = folder.resolve("buses.duckdb");
        try (Connection connection = DriverManager.getConnection("jdbc:duckdb:" + database);
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE buses AS " + all);
        }
        for (ChoiceData found : List.of(
                answered(Optional.empty(), all + " ORDER BY bus_id, period"),
                answered(Optional.empty(), all + " ORDER BY period, bus_id"),
                answered(Optional.of(database), "SELECT * FROM buses ORDER BY bus_id DESC, period DESC"),
                answered(
                        Optional.empty(),
                        "SELECT bus_id, \"group\"::VARCHAR AS \"group\", period::DOUBLE AS period, mileage::DECIMAL(9, 1) AS mileage,"
                                + " decision::BOOLEAN::TINYINT AS decision, 7 AS other FROM '%s'".formatted(file)))) {
            assertThat(found.panel().size()).isEqualTo(40);
            assertThat(found.panel().decisions()).isEqualTo(read.panel().decisions());
            assertThat(found.panel().moves(found.model().law()))
                    .isDeepEqualTo(read.panel().moves(read.model().law()));
            assertThat(found.panel().individuals().stream().map(one -> one.name()))
                    .containsExactlyInAnyOrderElementsOf(read.panel().individuals().stream()
                            .map(one -> one.name())
                            .toList());
        }
    }

    @Test
    void aQueryThatCannotBeAnsweredIsNamed() throws IOException {
        Path file = csv();
        assertThat(refused(Optional.empty(), "SELEC 1")).startsWith("DuckDB refuses the `query`: ");
        assertThat(refused(Optional.empty(), "SELECT bus_id, period, mileage FROM '%s'".formatted(file)))
                .startsWith("the answer to the `query` has no column '")
                .endsWith("' among bus_id,period,mileage");
        assertThat(refused(Optional.of(folder.resolve("no.duckdb")), "SELECT 1"))
                .isEqualTo(folder.resolve("no.duckdb") + ": there is no such database");
        assertThat(refused(Optional.of(file), "SELECT 1")).startsWith(file + ": DuckDB does not open it (");
        assertThat(refused(
                        Optional.empty(),
                        "SELECT * REPLACE (CASE WHEN bus_id = 'b00' AND period = 3 THEN NULL ELSE mileage END AS mileage)"
                                + " FROM '%s' ORDER BY bus_id, period".formatted(file)))
                .isEqualTo("the answer to the `query`, row 4: mileage is blank");
    }
}
