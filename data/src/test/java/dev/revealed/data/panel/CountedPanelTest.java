package dev.revealed.data.panel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assertions.withinPercentage;

import dev.revealed.data.ChoiceData;
import dev.revealed.data.RustBusFiles;
import dev.revealed.data.TableRows;
import dev.revealed.mdp.choice.KeptIndividuals;
import dev.revealed.mdp.choice.Panel;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.ProgressListener;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CountedPanelTest {
    private static final RustBusFiles.Settings SETTINGS =
            RustBusFiles.Settings.of(Map.of("groups", "1-2", "bins", "90"));

    @TempDir
    Path folder;

    /** Rows of buses that are driven and repaired at random: id, group, period, mileage, decision. */
    private static List<String> rows(int buses, int seed) {
        Random random = new Random(seed);
        List<String> rows = new ArrayList<>();
        for (int bus = 0; bus < buses; bus++) {
            int mileage = 2500;
            int months = 1 + random.nextInt(30);
            for (int t = 0; t < months; t++) {
                boolean replace = random.nextInt(10) == 0;
                rows.add("bus%d,%d,%d,%d,%d".formatted(bus, 1 + bus % 2, t, mileage, replace ? 1 : 0));
                mileage = replace ? 5000 * random.nextInt(3) : mileage + 5000 * random.nextInt(3);
            }
        }
        return rows;
    }

    private Path csv(String name, List<String> rows) throws IOException {
        Path file = folder.resolve(name);
        List<String> all = new ArrayList<>(List.of("bus_id,group,period,mileage,decision"));
        all.addAll(rows);
        Files.write(file, all);
        return file;
    }

    private static ChoiceData counted(List<Path> files) {
        return CountedPanel.read(TableFiles.pieces(files), new BusCoding(SETTINGS), ProgressListener.NONE);
    }

    private static void assertSame(ChoiceData found, ChoiceData rows) {
        Panel expected = rows.panel();
        Panel panel = found.panel();
        assertThat(found.model().parameters()).isEqualTo(rows.model().parameters());
        assertThat(panel.size()).isEqualTo(expected.size());
        assertThat(panel.decisions()).isEqualTo(expected.decisions());
        assertThat(panel.moves(found.model().law()))
                .isDeepEqualTo(expected.moves(rows.model().law()));
        for (int i = 0; i < panel.size(); i++) {
            Panel.Individual one = panel.individuals().get(i);
            Panel.Individual other = expected.individuals().get(i);
            assertThat(one.name()).isEqualTo(other.name());
            assertThat(one.choices().states()).isEqualTo(other.choices().states());
            assertThat(one.choices().actions()).isEqualTo(other.choices().actions());
            assertThat(one.cells()).isDeepEqualTo(other.cells());
            assertThat(one.outcomes()).isDeepEqualTo(other.outcomes());
        }
    }

    @Test
    void countsWhatTheRowsInMemoryHave() throws IOException {
        Path file = csv("panel.csv", rows(50, 1));
        assertSame(counted(List.of(file)), RustBusFiles.read(file, SETTINGS, ProgressListener.NONE));
    }

    @Test
    void bringsScatteredRowsTogether() throws IOException {
        List<String> rows = rows(50, 2);
        Collections.shuffle(rows, new Random(3));
        Path file = csv("panel.csv", rows);
        assertSame(counted(List.of(file)), RustBusFiles.read(file, SETTINGS, ProgressListener.NONE));
    }

    /** Files of rows that are too large for memory are cut again, down to single individuals. */
    @Test
    void scatteredRowsAreCutUntilTheyFitIntoMemory() throws IOException {
        List<String> rows = rows(50, 2);
        Collections.shuffle(rows, new Random(3));
        List<TablePiece> pieces = TableFiles.pieces(List.of(csv("panel.csv", rows)));
        long[] expected = new PanelPass(pieces, new BusCoding(SETTINGS), ProgressListener.NONE)
                .count()
                .toArray();
        for (Regrouping.Limits limits : List.of(new Regrouping.Limits(100, 2), new Regrouping.Limits(1000, 3))) {
            assertThat(new PanelPass(pieces, new BusCoding(SETTINGS), ProgressListener.NONE, limits)
                            .count()
                            .toArray())
                    .isEqualTo(expected);
        }
    }

    /** A bus without its third month is wrong; nobody need bring all others together to see it. */
    @Test
    void aWrongIndividualIsNamedByThePassThatReadsIt() throws IOException {
        List<String> rows = new ArrayList<>();
        for (int bus = 0; bus < 30; bus++) {
            for (int t = 0; t < 5; t++) {
                if ((bus != 7 && bus != 20) || t != 2) {
                    rows.add("%d,%d,%d,%d,0".formatted(100 + bus, 1 + bus % 2, t, 2500 + 5000 * t));
                }
            }
        }
        Path file = csv("panel.csv", rows);
        Regrouping.Limits none = new Regrouping.Limits(-1, 0); // which would fail
        BadInput wrong = catchThrowableOfType(
                BadInput.class,
                () -> new PanelPass(
                                TableFiles.pieces(List.of(file)), new BusCoding(SETTINGS), ProgressListener.NONE, none)
                        .count());
        BadInput inMemory =
                catchThrowableOfType(BadInput.class, () -> RustBusFiles.read(file, SETTINGS, ProgressListener.NONE));
        assertThat(wrong.problem()).isEqualTo(inMemory.problem()).contains("107");
    }

    /** A key is only a hash of a text. */
    @Test
    void individualsOfTheSameHashStayApart() throws IOException {
        List<String> rows = rows(50, 2);
        List<TablePiece> pieces = TableFiles.pieces(List.of(csv("panel.csv", rows)));
        List<TablePiece> colliding =
                pieces.stream().<TablePiece>map(Colliding::new).toList();
        assertThat(new PanelPass(colliding, new BusCoding(SETTINGS), ProgressListener.NONE)
                        .count()
                        .toArray())
                .isEqualTo(new PanelPass(pieces, new BusCoding(SETTINGS), ProgressListener.NONE)
                        .count()
                        .toArray());
    }

    /** A piece in which every third bus has the same key. */
    private record Colliding(TablePiece piece) implements TablePiece {
        @Override
        public TableRows open(List<String> required, List<String> optional, String hint) {
            TableRows rows = piece.open(required, optional, hint);
            return (TableRows) Proxy.newProxyInstance(
                    TableRows.class.getClassLoader(),
                    new Class<?>[] {TableRows.class},
                    (proxy, method, arguments) ->
                            method.getName().equals("key") && rows.text(0).matches("bus\\d*[369]")
                                    ? (Object) (-5L)
                                    : method.invoke(rows, arguments));
        }

        @Override
        public String name() {
            return piece.name();
        }

        @Override
        public String unit() {
            return piece.unit();
        }

        @Override
        public long rows() {
            return piece.rows();
        }

        @Override
        public long bytes() {
            return piece.bytes();
        }
    }

    @Test
    void weightsThatAddUpToTooMuchAreRefused() {
        PanelCounts counts = new PanelCounts(true);
        double weight = 1.5e9; // whose square is below 2^62
        counts.add(PanelCounts.NONE, 1, weight);
        counts.add(PanelCounts.NONE, 1, weight);
        assertThat(catchThrowableOfType(BadInput.class, () -> counts.add(PanelCounts.NONE, 1, weight))
                        .problem())
                .isEqualTo("the weights, or their squares, add up to more than 4.6e+18");
    }

    /** Those that were read before anybody stood apart must not be there twice. */
    @Test
    void individualsAreThereOnceWhereOnlyTheLastFileIsScattered() throws IOException {
        List<String> rows = rows(50, 8);
        Path whole = csv("whole.csv", rows);
        List<String> second = new ArrayList<>(rows.subList(rows.size() / 2, rows.size()));
        Collections.shuffle(second, new Random(9));
        Path first = csv("first.csv", rows.subList(0, rows.size() / 2));
        ChoiceData found = counted(List.of(first, csv("second.csv", second)));
        ChoiceData expected = RustBusFiles.read(whole, SETTINGS, ProgressListener.NONE);
        int[] seen = new int[1];
        long[] steps = new long[1];
        ((KeptIndividuals) found.panel().individuals()).forEachPath((individual, weight, path, length) -> {
            seen[0]++;
            steps[0] += length;
        });
        assertThat(seen[0]).isEqualTo(expected.panel().size());
        assertThat(steps[0])
                .isEqualTo(expected.panel().individuals().stream()
                        .mapToLong(one -> one.choices().states().length)
                        .sum());
    }

    @Test
    void filesThatCutIndividualsAreOneTable() throws IOException {
        List<String> rows = rows(50, 4);
        Path whole = csv("whole.csv", rows);
        ChoiceData expected = RustBusFiles.read(whole, SETTINGS, ProgressListener.NONE);
        for (int each : new int[] {1, 7, 200}) {
            List<Path> parts = new ArrayList<>();
            for (int from = 0; from < rows.size(); from += each) {
                parts.add(csv(
                        "%d-%05d.csv".formatted(each, from), rows.subList(from, Math.min(rows.size(), from + each))));
            }
            assertSame(counted(parts), expected);
        }
    }

    @Test
    void countsDoNotDependOnHowTheyArePutTogether() {
        Random random = new Random(5);
        List<PanelCounts> parts = new ArrayList<>();
        for (int p = 0; p < 4; p++) {
            PanelCounts counts = new PanelCounts(true);
            for (int i = 0; i < 1000; i++) {
                double weight = random.nextDouble() * Math.pow(10, random.nextInt(6) - 2);
                counts.addIndividual(random.nextInt(100), 1, 0, weight);
                counts.add(random.nextInt(30) - 1, random.nextInt(30), weight);
            }
            parts.add(counts);
        }
        PanelCounts forth = new PanelCounts(true);
        parts.forEach(forth::merge);
        PanelCounts back = new PanelCounts(true);
        back.merge(copy(parts.get(3)).merge(parts.get(2)));
        back.merge(PanelCounts.of(copy(parts.get(1)).merge(parts.get(0)).toArray()));
        assertThat(back.toArray()).isEqualTo(forth.toArray());
        long all = 0;
        for (int i = 0; i < forth.size(); i++) {
            all += forth.times(i);
        }
        assertThat(all).isEqualTo(4000);
    }

    /** Sampling weights are often shares: so small that their squares need many digits. */
    @Test
    void squaresOfSmallWeightsKeepTheirDigits() {
        PanelCounts counts = new PanelCounts(true);
        int n = 1000;
        double weight = 1e-8 / 3;
        for (int i = 0; i < n; i++) {
            counts.addIndividual(i, 1, 0, weight);
            counts.add(PanelCounts.NONE, 1, weight);
        }
        PanelCounts travelled = copy(counts);
        assertThat(travelled.totalWeight()).isCloseTo(n * weight, withinPercentage(1e-10));
        assertThat(travelled.weight(0)).isCloseTo(n * weight, withinPercentage(1e-10));
        assertThat(travelled.squares(0)).isCloseTo(n * weight * weight, withinPercentage(1e-10));
    }

    private static PanelCounts copy(PanelCounts counts) {
        return PanelCounts.of(counts.toArray());
    }

    @Test
    void drawnIndividualsCountAsOftenAsTheyWereDrawn() throws IOException {
        Path file = csv("panel.csv", rows(40, 6));
        ChoiceData found = counted(List.of(file));
        ChoiceData rows = RustBusFiles.read(file, SETTINGS, ProgressListener.NONE);
        int[] draw =
                new Random(7).ints(rows.panel().size(), 0, rows.panel().size()).toArray();
        Panel drawn = found.panel().drawn(draw);
        Panel expected = rows.panel().drawn(draw);
        assertThat(drawn.moves(found.model().law()))
                .isDeepEqualTo(expected.moves(rows.model().law()));
        assertThat(drawn.decisions()).isEqualTo(expected.decisions());
        for (int i = 0; i < drawn.size(); i++) {
            assertThat(drawn.individuals().get(i).name())
                    .isEqualTo(expected.individuals().get(i).name());
        }
    }
}
