package dev.revealed.data.panel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import dev.revealed.data.ChoiceData;
import dev.revealed.data.Csv;
import dev.revealed.data.RustBusFiles;
import dev.revealed.data.TableRows;
import dev.revealed.mdp.choice.KeptIndividuals;
import dev.revealed.mdp.choice.Panel;
import dev.revealed.numeric.ProgressListener;
import java.io.IOException;
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

    /** Tasks that each have some individuals count together what one pass counts. */
    @Test
    void tasksCountWhatOnePassCounts() throws IOException {
        List<String> rows = rows(40, 8);
        ChoiceData whole = counted(List.of(csv("whole.csv", rows)));
        BusCoding coding = new BusCoding(SETTINGS);
        PanelCounts sum = new PanelCounts(false);
        for (int task = 2; task >= 0; task--) {
            int own = task;
            List<String> some = rows.stream()
                    .filter(row ->
                            Math.floorMod(row.substring(0, row.indexOf(',')).hashCode(), 3) == own)
                    .toList();
            try (TableRows table = Csv.amongOthers(
                    csv("task%d.csv".formatted(task), some),
                    coding.required(),
                    coding.optional(),
                    "",
                    ProgressListener.NONE)) {
                sum.merge(PanelCounts.of(
                        new RowCounter(coding, row -> "task").count(table).toArray()));
            }
        }
        CountedPanel together = CountedPanel.of(coding, sum, false, false);
        assertThat(together.observations().individuals())
                .isEqualTo(whole.panel().size());
        assertThat(together.observations().decisions()).isEqualTo(whole.panel().decisions());
        assertThat(together.observations().choices(180))
                .isEqualTo(whole.panel().counts().orElseThrow().choices(180));
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
