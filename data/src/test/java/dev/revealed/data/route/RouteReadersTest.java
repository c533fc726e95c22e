package dev.revealed.data.route;

import static dev.revealed.data.Fixtures.refused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.revealed.data.Fixtures;
import dev.revealed.data.route.PairTable.Definition;
import dev.revealed.mdp.route.Demand;
import dev.revealed.mdp.route.Destination;
import dev.revealed.mdp.route.Trips;
import dev.revealed.mdp.route.Trips.Trip;
import dev.revealed.numeric.ProgressListener;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Networks and trips as other cities have them. Truth: small files by hand. */
class RouteReadersTest {
    /** A square: east, north, west, south; a detour from the first corner over the middle. */
    private static final String LINKS = """
            edge_id,u,v,minutes,kind
            e,A,B,1,main
            n,B,C,2,main
            w,C,D,1,side
            s,D,A,2,side
            x,B,A,1,main
            """;

    private static final String NODES = "node,x,y\nA,500000,0\nB,500100,0\nC,500100,100\nD,500000,100\n";

    private final Set<String> notes = new LinkedHashSet<>();

    @TempDir
    private Path folder = Path.of("");

    private Path file(String name, String text) throws IOException {
        return Fixtures.file(folder, name, text);
    }

    private static PairReader reader(String... roles) {
        return new PairReader(new RouteColumns(roles(roles)), ProgressListener.NONE);
    }

    private static Map<String, String> roles(String... roles) {
        Map<String, String> named = new TreeMap<>();
        for (int i = 0; i < roles.length; i += 2) {
            named.put(roles[i], roles[i + 1]);
        }
        return named;
    }

    private PairTable square() throws IOException {
        return reader().read(file("links.csv", LINKS), Optional.empty(), Optional.of(file("nodes.csv", NODES)));
    }

    private TripReader trips(PairTable table, String... roles) {
        return new TripReader(table.network(), new RouteColumns(roles(roles)), ProgressListener.NONE);
    }

    private double at(PairTable table, double[] values, String from, String to) {
        return values[table.network().pair(table.link(from, "a test"), table.link(to, "a test"))];
    }

    @Test
    void pairsFollowFromNodesAndTurnsFromCoordinates() throws IOException {
        PairTable table = square();
        assertThat(table.network().names()).containsExactly("e", "n", "w", "s", "x");
        assertThat(table.network().pairs()).isEqualTo(6); // e-n e-x n-w w-s s-e x-e
        double[] angle = table.values("angle", notes);
        assertThat(at(table, angle, "e", "n")).isCloseTo(-Math.PI / 2, within(1e-12)); // to the left
        assertThat(Math.abs(at(table, angle, "e", "x"))).isCloseTo(Math.PI, within(1e-12));
        assertThat(at(table, table.values("uturn", notes), "e", "x")).isEqualTo(1);
        assertThat(at(table, table.values("length", notes), "s", "e")).isEqualTo(100);
        assertThat(at(table, table.values("minutes", notes), "e", "n")).isEqualTo(2); // of the entered link
        assertThat(at(table, table.values("from_minutes", notes), "e", "n")).isEqualTo(1);
        assertThat(at(table, table.values("kind == 'side' and minutes > 1", notes), "w", "s"))
                .isEqualTo(1);
        assertThat(at(table, table.values("kind == 'side' and minutes > 1", notes), "n", "w"))
                .isEqualTo(0);
    }

    @Test
    void linesOfGeoJsonAreANetwork() throws IOException {
        String feature = """
                {"type": "Feature", "geometry": {"type": "LineString", "coordinates": [%s]},
                 "properties": {"name": "%s", "lanes": %d, "oneway": true}}""";
        String text = "{\"type\": \"FeatureCollection\", \"features\": [%s, %s]}"
                .formatted(
                        feature.formatted("[18.0, 59.0], [18.01, 59.0]", "a", 2),
                        feature.formatted("[18.0100000001, 59.0], [18.01, 59.01]", "b", 1)
                                .replace("\"oneway\"", "\"speed\": \"50\", \"oneway\""));
        PairTable table = reader("link", "name").read(file("roads.geojson", text), Optional.empty(), Optional.empty());
        assertThat(table.network().pairs()).isEqualTo(1);
        assertThat(table.values("angle", notes)[0]).isCloseTo(-Math.PI / 2, within(1e-6));
        assertThat(table.values("length", notes)[0]).isCloseTo(1113.2, within(0.1)); // metres
        assertThat(table.values("lanes + oneway", notes)).containsExactly(2);
        assertThat(table.values("speed", notes)).containsExactly(50); // a number in quotes; the other has none
        assertThat(notes).singleElement().asString().contains("speed is blank in 1 row (first in feature 1)");
        refused(
                () -> reader().read(file("bad.geojson", "{\"features\": ["), Optional.empty(), Optional.empty()),
                "bad.geojson",
                "not JSON");
    }

    @Test
    void columnsMayHaveOtherNames() throws IOException {
        Path pairs = file("pairs.csv", "k,a,cost (SEK)\n1,2,3\n2,1,4\n");
        refused(
                () -> reader().read(pairs, Optional.empty(), Optional.empty()),
                "no column for 'from' among k, a",
                "`column` from=NAME");
        PairTable table = reader("from", "k", "to", "a").read(pairs, Optional.empty(), Optional.empty());
        assertThat(table.values("cost__SEK_", notes)).containsExactly(3, 4);
        refused(() -> reader("from", "k", "to", "b").read(pairs, Optional.empty(), Optional.empty()), "no column 'b'");
        refused(() -> reader("form", "k"), "the role 'form'", "Did you mean 'from'?");
        for (String separator : List.of(";", "\t")) {
            Path other = file("other.csv", "from,to,cost\n1,2,3\n2,1,4\n".replace(",", separator));
            assertThat(reader().read(other, Optional.empty(), Optional.empty()).values("cost", notes))
                    .containsExactly(3, 4);
        }
    }

    /** Links with nodes are not pairs of links, whatever their columns are called. */
    @Test
    void columnsAreAskedForByWhatTheFileIs() throws IOException {
        Optional<Path> nodes = Optional.of(file("nodes.csv", NODES));
        Path simulator = file("links.csv", LINKS.replace("edge_id,u,v", "id,from,to"));
        refused(
                () -> reader().read(simulator, Optional.empty(), nodes),
                "`nodes` needs links with nodes; ",
                "links.csv was read as pairs of links (columns from, to)",
                "`column` from-node=from `column` to-node=to");
        assertThat(reader("from-node", "from", "to-node", "to")
                        .read(simulator, Optional.empty(), nodes)
                        .network()
                        .pairs())
                .isEqualTo(6);
        Path german = file("strassen.csv", LINKS.replace("edge_id,u,v", "strasse,von,nach"));
        refused(
                () -> reader().read(german, Optional.empty(), nodes),
                "strassen.csv: no column for 'link', 'from-node', 'to-node' among strasse, von, nach",
                "`column` link=NAME `column` from-node=NAME `column` to-node=NAME");
        refused(
                () -> reader("link", "strasse").read(german, Optional.empty(), Optional.empty()),
                "no column for 'from-node', 'to-node'");
        refused(
                () -> reader().read(german, Optional.empty(), Optional.empty()),
                "a pair of links: `column` from=NAME `column` to=NAME",
                "a link with its nodes: `column` link=NAME");
    }

    @Test
    void linkAttributesJoinPairs() throws IOException {
        Path pairs = file("pairs.csv", "from,to\nb,a\na,b\n");
        Path links = file(
                "links.csv", "link,length,geometry\na,5,\"LINESTRING (0 0, 1 0)\"\nb,7,\"LINESTRING (1 0, 1 1)\"\n");
        PairTable table = reader().read(pairs, Optional.of(links), Optional.empty());
        double[] length = table.values("length", notes);
        assertThat(at(table, length, "a", "b")).isEqualTo(7); // the column, not the line
        assertThat(at(table, table.values("angle", notes), "a", "b")).isCloseTo(-Math.PI / 2, within(1e-9));
        Path less = file("less.csv", "link,length\na,5\n");
        refused(
                () -> reader().read(pairs, Optional.of(less), Optional.empty()),
                "pairs.csv, line 2: link 'b' is not in",
                "less.csv");
    }

    @Test
    void flawsAreToldWhereAColumnIsUsed() throws IOException {
        Path pairs = file("pairs.csv", "from,to,good,bad,hole,word\na,b,1,NaN,,x\nb,a,2,3,4,y\n");
        PairTable table = reader().read(pairs, Optional.empty(), Optional.empty());
        assertThat(table.values("good", notes)).containsExactly(1, 2);
        assertThat(notes).isEmpty();
        refused(() -> table.values("bad * 2", notes), "pairs.csv, line 2", "bad is 'NaN'", "finite number");
        assertThat(table.values("hole", notes)).containsExactly(0, 4);
        assertThat(notes).containsExactly("pairs.csv: hole is blank in 1 row (first in line 2) and was read as 0.");
        refused(() -> table.values("word", notes), "column 'word' holds words", "word == 'x'");
        refused(() -> table.values("word == 'z'", notes), "no cell reads 'z'", "x, y");
        refused(() -> table.values("log(good - 1)", notes), "for the pair from link 'a' to link 'b'");
        refused(() -> table.features(List.of(), notes), "the columns good, bad, hole, word", "`feature` good");
        refused(
                () -> table.features(List.of(Definition.parse("feature", "goods")), notes),
                "feature 'goods'",
                "Did you mean 'good'?");
        refused(() -> Definition.parse("feature", "3=x"), "feature is '3=x'");
        Path commas = file("commas.csv", "from;to;fahrzeit\na;b;0,9624\nb;a;1\n");
        PairTable german = reader().read(commas, Optional.empty(), Optional.empty());
        refused(
                () -> german.values("fahrzeit", notes),
                "commas.csv, line 2: fahrzeit is '0,9624', with a decimal comma: write 0.9624");
        Path twice = file("twice.csv", "from,to\na,b\nb,a\na,b\n");
        refused(
                () -> reader().read(twice, Optional.empty(), Optional.empty()),
                "lines 2 and 4",
                "from 'a' to 'b' occurs twice");
    }

    @Test
    void tripsHaveTheirLinksInACellOrInRows() throws IOException {
        PairTable table = square();
        for (String cell : List.of("e n w", "e_n_w", "e;n;w", "\"[e, n, w]\"", "e-n-w", "e|n|w")) {
            TripReader.Read read = trips(table)
                    .trips(file("trips.csv", "path,driver\n%s,kim\n".formatted(cell)), Optional.of("driver"), false);
            Trip trip = read.trips().list().getFirst();
            assertThat(trip.links()).as(cell).containsExactly(0, 1, 2);
            assertThat(trip.name()).isEqualTo("1");
            assertThat(read.trips().destinations().getFirst()).isEqualTo(new Destination.OnLink("w", 2));
            assertThat(read.clusters()).containsExactly("kim");
        }
        String rows = "trip,seq,link\nt,2,n\nt,1,e\nu,1,w\nu,2,s\n";
        List<Trip> list = trips(table)
                .trips(file("rows.csv", rows), Optional.empty(), false)
                .trips()
                .list();
        assertThat(list.get(0).links()).containsExactly(0, 1);
        assertThat(list.get(1).links()).containsExactly(2, 3);
        refused(
                () -> trips(table).trips(file("t.csv", "trip,roads\n1,e\n"), Optional.empty(), false),
                "no column for 'links'",
                "links=NAME",
                "trip-link=NAME");
    }

    /** A name of one file need not be that of the others, and a file of today need not have the names of the estimate. */
    @Test
    void aGivenNameHoldsWhereAFileHasIt() throws IOException {
        PairTable table = square();
        RouteColumns estimated = new RouteColumns(Map.of("trip-link", "road", "destination", "goal"));
        RouteColumns today = new RouteColumns(Map.of("links", "way")).orElse(estimated);
        Path before = file("before.csv", "trip,road,goal\nt,e,n\nt,n,n\n");
        Path now = file("now.csv", "trip,way,dest\nt,e n,n\n");
        for (Path one : List.of(before, now)) {
            Trips read = new TripReader(table.network(), today, ProgressListener.NONE)
                    .trips(one, Optional.empty(), false)
                    .trips();
            assertThat(read.list().getFirst().links()).containsExactly(0, 1);
        }
        today.check(List.of(before, now));
        refused(
                () -> new RouteColumns(Map.of("links", "wey")).check(List.of(before, now)),
                "`column` is links=wey, and no file has a column 'wey'",
                "now.csv has trip, way, dest",
                "Did you mean 'way'?");
    }

    /** Places and links may both be destinations. */
    @Test
    void tripsEndAtPlacesAndOnLinks() throws IOException {
        PairTable table = square();
        Path places = file("places.csv", "destination,last_link\nhome,w\nhome,n\n");
        TripReader reader = trips(table).places(places);
        Path file = file("trips.csv", "trip,links,destination\n1,e n,home\n2,e n,w\n3,e n w,\n");
        List<Trip> list = reader.trips(file, Optional.empty(), false).trips().list();
        assertThat(list.get(0).destination()).isZero();
        assertThat(list.get(1).links()).containsExactly(0, 1, 2); // the last step was not written
        assertThat(list.get(1).destination())
                .isEqualTo(list.get(2).destination())
                .isEqualTo(1);
    }

    @Test
    void allImpossibleTripsAreNamed() throws IOException {
        PairTable table = square();
        Path file = file("trips.csv", "trip,links\n10,e n\n11,e w\n12,n w\n13,s x\n");
        refused(
                () -> trips(table).trips(file, Optional.empty(), false),
                "trips.csv, line 3",
                "link 'e' to link 'w'",
                "2 of 4 trips are impossible: 11, 13",
                "`drop-impossible`");
        TripReader.Read read = trips(table).trips(file, Optional.empty(), true);
        assertThat(read.trips().size()).isEqualTo(2);
        assertThat(read.left()).containsExactly("11", "13");
        Path unknown = file("unknown.csv", "trip,links\n1,e n q\n");
        refused(
                () -> trips(table).trips(unknown, Optional.empty(), false),
                "unknown.csv, line 2",
                "links names link 'q', which the network does not have");
        Path both = file("both.csv", "trip,links,destination\n1,e n,\n2,e q n,\n3,e w,\n4,q,\n5,e n,q\n");
        refused(() -> trips(table).trips(both, Optional.empty(), false), "both.csv, line 3", "4 of 5", "2, 3, 4, 5");
        assertThat(trips(table).trips(both, Optional.empty(), true).left()).containsExactly("2", "3", "4", "5");
        Path rows = file("rows.csv", "trip,link\n1,e\n1,n\n2,e\n2,q\n2,n\n");
        refused(() -> trips(table).trips(rows, Optional.empty(), false), "rows.csv, line 5", "link names link 'q'");
        assertThat(trips(table).trips(rows, Optional.empty(), true).left()).containsExactly("2");
    }

    @Test
    void unreachablePairsOfADemandAreNamedByLine() throws IOException {
        PairTable table = reader().read(file("pairs.csv", "from,to\na,b\nb,c\n"), Optional.empty(), Optional.empty());
        Path file = file("demand.csv", "origin,destination,trips\na,c,2\nc,a,1\na,c,3.5\nb,a,1\n");
        refused(() -> trips(table).demand(file), "'a' cannot be reached from link 'c'", "2 lines: 3, 5");
        Path good = file("good.csv", "o,d,volume\na,c,2\na,c,3.5\nb,c,0\n");
        Demand demand = trips(table).demand(good);
        assertThat(demand.flows()).hasSize(1);
        assertThat(demand.total()).isEqualTo(5.5);
        assertThat(demand.paths().list().getFirst().links()).containsExactly(0, 1, 2);
        refused(
                () -> trips(table).demand(file("neg.csv", "origin,destination,trips\na,c,-1\n")),
                "neg.csv, line 2",
                "trips is -1");
        refused(
                () -> trips(table).demand(file("part.csv", "origin,destination,volume\na,c,2\na,c,3.5\n"), true),
                "part.csv, line 3: volume is 3.5",
                "whole number");
        refused(
                () -> trips(table).demand(file("what.csv", "origin,destination\na,home\n")),
                "what.csv, line 2",
                "neither a destination nor a link");
    }

    @Test
    void scenariosChangeTheTable() throws IOException {
        PairTable table = square();
        PairTable closed = table.closed(Set.of(table.link("x", "a test")));
        assertThat(closed.network().pairs()).isEqualTo(table.network().pairs() - 2);
        assertThat(table.without("uturn", notes).network().pairs())
                .isEqualTo(table.network().pairs() - 2);
        PairTable slower = table.changed(1, "minutes", "minutes * 1.5", notes);
        assertThat(at(slower, slower.values("minutes", notes), "e", "n")).isEqualTo(3);
        assertThat(at(slower, slower.values("minutes", notes), "n", "w")).isEqualTo(1);
        PairTable more = plus(
                table, "from,to,kind,minutes\ne,short,quay,0.5\nshort,w,main,1\n", "minutes", "main=kind == 'main'");
        assertThat(more.network().links()).isEqualTo(6);
        assertThat(at(more, more.values("minutes", notes), "e", "short")).isEqualTo(0.5);
        double[] main = more.values("kind == 'main'", notes);
        assertThat(at(more, main, "e", "short")).isZero();
        assertThat(at(more, main, "short", "w")).isEqualTo(1);
        assertThat(at(more, more.values("kind == 'quay'", notes), "e", "short")).isEqualTo(1);
        refused(() -> plus(table, "from,to\ne,n\n"), "from 'e' to 'n' is in the network already");
    }

    private PairTable plus(PairTable table, String text, String... features) throws IOException {
        Path file = file("more.csv", text);
        return table.plus(
                reader().pairs(file),
                file,
                Arrays.stream(features)
                        .map(own -> Definition.parse("a test", own))
                        .toList(),
                notes);
    }

    /** A road without minutes would be one of no minutes. */
    @Test
    void addedPairsNeedTheColumnsOfFeatures() throws IOException {
        PairTable table = square();
        refused(
                () -> plus(table, "from,to,minuts\ne,short,1\n", "time=minutes / 60"),
                "more.csv: there is no column 'minutes', which feature 'time' needs, among minuts",
                "Did you mean 'minuts'?");
        PairTable words = plus(table, "from,to,minutes\ne,short,long\n", "minutes");
        refused(() -> words.values("minutes", notes), "more.csv: column 'minutes' holds words");
        PairTable blank = plus(table, "from,to,minutes\ne,short,\nshort,w,1\n", "minutes", "uturn");
        assertThat(blank.values("minutes + uturn", notes)).hasSize(8);
        assertThat(notes)
                .containsExactly(
                        "more.csv has no column 'uturn', which is 0 for the pairs that are added.",
                        "more.csv: minutes is blank in 1 row (first in line 2) and was read as 0.");
    }

    /** The remedy of a trip depends on why the network does not allow it. */
    @Test
    void impossibleTripsAreToldWhy() throws IOException {
        PairTable table = square();
        PairTable forward = table.without("uturn", notes);
        Path file = file("turns.csv", "trip,links\n1,e n\n2,e x\n");
        refused(
                () -> trips(forward).forbidding("uturn", forward.whole()).trips(file, Optional.empty(), false),
                "turns.csv, line 3: trip '2' goes from link 'e' to link 'x' (steps 1 and 2), which `forbid` uturn rules",
                "Forbid less");
        refused(
                () -> read(table, "trip,links,destination\n1,e n,s\n"),
                "line 2: trip '1' ends on link 'n' but names the destination 's', which cannot be entered from there");
        StringBuilder many = new StringBuilder("trip,links\nt0,e n\n");
        for (int i = 1; i <= 25; i++) {
            many.append("t%d,e w\n".formatted(i));
        }
        refused(
                () -> read(table, many.toString()),
                "25 of 26 trips are impossible: t1, t2",
                "t20, t21, t22, t23, t24, t25");
    }

    @Test
    void badTripsAndPlacesAreRefusedWithLineAndValue() throws IOException {
        PairTable table = square();
        refused(() -> read(table, "trip,links\n1,e n\n1,n w\n"), "line 3", "trip '1' stands in line 2 already");
        refused(() -> read(table, "trip,links\n1,e x e\n"), "line 2", "passes its destination");
        refused(() -> read(table, "trip,links\n1,\n"), "line 2", "links is blank");
        refused(() -> read(table, ""), "the file is empty", "Its first line must name the columns.");
        refused(() -> places(table, "destination,last_link\nhome,z\n"), "line 2", "link 'z'");
        refused(() -> places(table, "destination,last_link\ne,n\n"), "line 2", "has the name of a link");
        TripReader home = places(table, "destination,last_link\nhome,w\n");
        Path early = file("early.csv", "trip,links,destination\n1,e n,home\n");
        refused(() -> home.trips(early, Optional.empty(), false), "early.csv, line 2", "ends on link 'n'");
        Path typo = file("typo.csv", "trip,links,destination\n1,e n w,hom\n");
        refused(() -> home.trips(typo, Optional.empty(), false), "typo.csv, line 2", "'hom'", "home");
    }

    private void read(PairTable table, String text) throws IOException {
        trips(table).trips(file("trips.csv", text), Optional.empty(), false);
    }

    private TripReader places(PairTable table, String text) throws IOException {
        return trips(table).places(file("places.csv", text));
    }

    @Test
    void aFileThatIsNotGzipIsRefused() throws IOException {
        Path file = Files.writeString(folder.resolve("pairs.csv.gz"), "from,to\na,b\n");
        refused(() -> reader().pairs(file), "pairs.csv.gz: cannot be read");
    }

    /** Truth: the README of the Borlänge data. */
    @Test
    void borlangeIsAsItsReadmeSays() {
        Path pairs = Fixtures.shared("data/borlange/link_pairs.csv.gz");
        PairTable table = reader().pairs(pairs);
        assertThat(table.network().links()).isEqualTo(7288);
        assertThat(table.network().pairs()).isEqualTo(20_196);
        assertThat(Arrays.stream(table.values("travel_time", notes)).sum()).isCloseTo(5632.15758, within(1e-8));
        assertThat(notes).isEmpty();
        table.values("turn_angle", notes);
        assertThat(notes).singleElement().asString().contains("turn_angle is blank in 2 rows");
        Trips trips = trips(table)
                .places(pairs.resolveSibling("destinations.csv.gz"))
                .trips(pairs.resolveSibling("trips.csv.gz"), Optional.empty(), false)
                .trips();
        assertThat(trips.destinations()).hasSize(466);
        assertThat(trips.size()).isEqualTo(1832);
        assertThat(trips.steps()).isEqualTo(35_335);
    }
}
