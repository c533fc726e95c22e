package dev.revealed.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.revealed.mdp.route.Destination;
import dev.revealed.mdp.route.Network;
import dev.revealed.mdp.route.Trips;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.ProgressListener;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Truth: small files by hand, and the facts that the README of the Borlänge data states. */
class RouteFilesTest {
    private static final String PAIRS = """
            from,to,road,minutes
            a,b,E4,1.5
            b,c,E4,0.5
            b,a,E4,
            c,a,main,2
            """;

    @TempDir
    private Path folder = Path.of("");

    private Path file(String name, String text) throws IOException {
        return Fixtures.file(folder, name, text);
    }

    private NetworkData network() throws IOException {
        return RouteFiles.pairs(file("pairs.csv", PAIRS), List.of("minutes"), ProgressListener.NONE);
    }

    private Trips trips(String text, List<Destination> places) throws IOException {
        return RouteFiles.trips(file("trips.csv", text), network().network(), places, ProgressListener.NONE);
    }

    private List<Destination> places(String text) throws IOException {
        return RouteFiles.destinations(file("destinations.csv", text), network().network(), ProgressListener.NONE);
    }

    @Test
    void pairsAreSortedAndBlanksNoted() throws IOException {
        NetworkData data = network();
        Network network = data.network();
        assertThat(network.names()).containsExactly("a", "b", "c");
        assertThat(network.start()).containsExactly(0, 1, 3, 4);
        assertThat(network.to()).containsExactly(1, 0, 2, 0);
        assertThat(data.attribute("minutes")).containsExactly(1.5, 0, 0.5, 2);
        assertThat(data.notes())
                .containsExactly("pairs.csv: minutes is blank in 1 row (first in line 4) and was read as 0.");
        assertThatThrownBy(() -> data.attribute("minute")).hasMessageContaining("Did you mean 'minutes'?");
    }

    @Test
    void tripsEndOnLinksWithoutDestinations() throws IOException {
        Trips trips = trips("trip,links\n1,a b c\n2,b a\n3,a b c\n", List.of());
        assertThat(trips.destinations())
                .containsExactly(new Destination.OnLink("c", 2), new Destination.OnLink("a", 0));
        assertThat(trips.list().stream().mapToInt(Trips.Trip::destination)).containsExactly(0, 1, 0);
        Trips named = trips("trip,links,destination\n1,a b,c\n", List.of());
        assertThat(named.list().getFirst().links()).containsExactly(0, 1, 2);
    }

    @Test
    void tripsEndAtPlaces() throws IOException {
        List<Destination> places = places("destination,last_link\nstation,c\nstation,b\n");
        assertThat(places.getFirst().lastLinks()).containsExactly(1, 2);
        Trips trips = trips("trip,links,destination\n1,a b c,station\n", places);
        assertThat(trips.list().getFirst().links()).containsExactly(0, 1, 2);
        assertThat(trips.steps()).isEqualTo(2);
    }

    @Test
    void badFilesAreRefusedWithLineAndValue() throws IOException {
        Fixtures.refused(() -> pairs(PAIRS + "b,c,E4,7\n"), "lines 3 and 6", "from 'b' to 'c' occurs twice");
        Fixtures.refused(() -> pairs(PAIRS + "c,b,E4,NaN\n"), "line 6", "minutes is 'NaN'");
        Fixtures.refused(() -> pairs(PAIRS + "c,b,E4,inf\n"), "line 6", "minutes is 'inf'");
        Fixtures.refused(() -> pairs("from,to,minute\na,b,1\n"), "there is no column 'minutes'", "Rename 'minute'?");
        Fixtures.refused(
                () -> trips("trip,links\n1,a b\n2,a c\n", List.of()), "line 3", "'a' to link 'c'", "do not touch");
        Fixtures.refused(() -> trips("trip,links\n1,a x\n", List.of()), "line 2", "link 'x'");
        Fixtures.refused(
                () -> trips("trip,links\n1,a b\n1,b c\n", List.of()), "line 3", "trip '1' stands in line 2 already");
        Fixtures.refused(() -> trips("trip,links\n1,b a b\n", List.of()), "line 2", "passes its destination");
        Fixtures.refused(() -> trips("trip,links\n1,\n", List.of()), "line 2", "links is blank");
        List<Destination> station = places("destination,last_link\nstation,c\n");
        Fixtures.refused(() -> trips("trip,links,destination\n1,a b,station\n", station), "line 2", "ends on link 'b'");
        Fixtures.refused(
                () -> trips("trip,links,destination\n1,a b c,statio\n", station), "line 2", "'statio'", "station");
        Fixtures.refused(() -> places("destination,last_link\nstation,z\n"), "line 2", "link 'z'");
        Fixtures.refused(() -> places("destination,last_link\na,b\n"), "line 2", "has the name of a link");
    }

    @Test
    void aFileThatIsNotGzipIsRefused() throws IOException {
        Path file = Files.write(folder.resolve("pairs.csv.gz"), PAIRS.getBytes(StandardCharsets.UTF_8));
        assertThatThrownBy(() -> RouteFiles.pairs(file, List.of(), ProgressListener.NONE))
                .isInstanceOf(BadInput.class)
                .hasMessageContaining("pairs.csv.gz: cannot be read");
    }

    @Test
    void borlangeIsAsItsReadmeSays() {
        Path pairs = Fixtures.shared("data/borlange/link_pairs.csv.gz");
        NetworkData data = RouteFiles.pairs(pairs, List.of("travel_time", "turn_angle"), ProgressListener.NONE);
        Network network = data.network();
        assertThat(network.links()).isEqualTo(7288);
        assertThat(network.pairs()).isEqualTo(20_196);
        assertThat(Arrays.stream(data.attribute("travel_time")).sum()).isCloseTo(5632.15758, within(1e-8));
        assertThat(data.notes()).hasSize(1).first().asString().contains("turn_angle is blank in 2 rows");
        List<Destination> places =
                RouteFiles.destinations(pairs.resolveSibling("destinations.csv.gz"), network, ProgressListener.NONE);
        Trips trips = RouteFiles.trips(pairs.resolveSibling("trips.csv.gz"), network, places, ProgressListener.NONE);
        assertThat(places).hasSize(466);
        assertThat(trips.size()).isEqualTo(1832);
        assertThat(trips.steps()).isEqualTo(35_335);
    }

    private NetworkData pairs(String text) throws IOException {
        return RouteFiles.pairs(file("pairs.csv", text), List.of("minutes"), ProgressListener.NONE);
    }
}
