package dev.revealed.data;

import static dev.revealed.data.Fixtures.file;
import static dev.revealed.data.Fixtures.refused;
import static dev.revealed.data.Fixtures.shared;
import static org.assertj.core.api.Assertions.assertThat;

import dev.revealed.data.RustBusFiles.Settings;
import dev.revealed.mdp.choice.Panel;
import dev.revealed.mdp.choice.Shifts;
import dev.revealed.mdp.model.RustBus;
import dev.revealed.numeric.ProgressListener;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class RustBusFilesTest {
    private static final String RUST = "data/rust_bus_groups_1_to_4.csv";
    private static final String HEADER = "bus_id,group,period,mileage,decision\n";
    private static final String FULL = "bus_id,group,period,year,month,odometer,mileage,state90,decision,increment90\n";

    @TempDir
    private Path folder;

    private ChoiceData read(String content) throws IOException {
        return RustBusFiles.read(
                file(folder, "bus.csv", content), Settings.of(Map.of("groups", "1")), ProgressListener.NONE);
    }

    /** How often each number of bins was moved, where the end of the grid hides nothing. */
    private static String counts(ChoiceData data) {
        Shifts shifts = (Shifts) data.model().law().parts().getFirst().family();
        double[] sum = new double[shifts.outcomes(0)];
        for (double[] cell : data.panel().moves(data.model().law())[0]) {
            for (int o = 0; o < cell.length; o++) {
                sum[o] += cell[o];
            }
        }
        return String.join(
                "/", Arrays.stream(sum).mapToObj(n -> Long.toString((long) n)).toList());
    }

    /** Buses, decisions, replacements and moves as the README beside the data counts them (Rust 1987, Tables V, VI, X). */
    @ParameterizedTest
    @CsvSource({
        "1,   90,  15,  360,  0, 71/284/5",
        "2,   90,   4,  192,  0, 75/115/2",
        "3,   90,  48, 3312, 27, 1017/2261/34",
        "4,   90,  37, 4292, 33, 1682/2555/55",
        "1-3, 90,  67, 3864, 27, 1163/2660/41",
        "1-4, 90, 104, 8156, 60, 2845/5215/96",
        "1-3, 175, 67, 3864, 27, 362/1729/1723/49/1",
        "4,   175, 37, 4292, 33, 511/2473/1231/68/6/3",
        "1-4, 175, 104, 8156, 60, 873/4202/2954/117/7/3",
    })
    void countsWhatRustCounted(String groups, String bins, int buses, int decisions, int replacements, String moves) {
        ChoiceData data = RustBusFiles.read(
                shared(RUST), Settings.of(Map.of("groups", groups, "bins", bins)), ProgressListener.NONE);
        assertThat(data.panel().size()).isEqualTo(buses);
        assertThat(data.panel().decisions()).isEqualTo(decisions);
        assertThat(data.panel().individuals().stream()
                        .flatMapToInt(bus -> Arrays.stream(actions(bus)))
                        .sum())
                .isEqualTo(replacements);
        assertThat(counts(data)).isEqualTo(moves);
        assertThat(data.model().states()).isEqualTo(Integer.parseInt(bins));
    }

    private static int[] actions(Panel.Individual individual) {
        int[] actions = individual.choices().actions();
        return actions == null ? new int[0] : actions;
    }

    @Test
    void readsARowAtATimeInAnyOrderAndSaysHowFarItIs() throws IOException {
        List<String> lines = new ArrayList<>(Files.readAllLines(shared(RUST)));
        String header = lines.removeFirst();
        Collections.shuffle(lines, new Random(1));
        Path shuffled = file(folder, "shuffled.csv", header + "\n" + String.join("\n", lines));
        List<Long> heard = new ArrayList<>();
        ChoiceData data = RustBusFiles.read(shuffled, Settings.standard(), (stage, done, total) -> {
            assertThat(stage).isEqualTo("reading shuffled.csv");
            assertThat(total)
                    .isEqualTo(Files.exists(shuffled) ? shuffled.toFile().length() : 0);
            heard.add(done);
        });
        assertThat(counts(data)).isEqualTo("2845/5215/96");
        assertThat(heard.getLast()).isEqualTo(Files.size(shuffled));
    }

    /** Bins of 5,000 miles, closed on the right; the first reading only starts the bus. */
    @Test
    void readsATinyFile() throws IOException {
        ChoiceData data = read("""
                mileage,decision,colour,bus_id,group,period
                5000,0,red,A,1,0
                5000.5,0,red,A,1,1
                12000,1,red,A,1,2
                0,0,,A,1,3
                5000,0,red,A,1,4

                449000,0,blue,B,1,0
                450000,1,blue,B,1,1
                6000,0,blue,B,1,2
                70,0,blue,single,1,0
                99,0,,elsewhere,7,0
                """);
        assertThat(data.model().name()).isEqualTo("rust-bus");
        assertThat(data.model().discount()).isEqualTo(0.9999);
        assertThat(data.panel().individuals())
                .extracting(Panel.Individual::name)
                .containsExactly("A", "B");
        Panel.Individual a = data.panel().individuals().getFirst();
        assertThat(a.choices().states()).containsExactly(1, 2, 0, 0);
        assertThat(a.choices().actions()).containsExactly(0, 1, 0, 0);
        assertThat(a.cells()[0]).containsExactly(0, 1, 0, 0);
        assertThat(a.outcomes()[0]).containsExactly(1, 1, 0, 0);
        Panel.Individual b = data.panel().individuals().getLast();
        assertThat(b.choices().states()).containsExactly(89, 1);
        assertThat(b.cells()[0]).containsExactly(89, 0);
        assertThat(b.outcomes()[0]).containsExactly(0, 2);
    }

    @Test
    void takesSettings() {
        Settings settings = Settings.of(Map.of("groups", "1-2,4", "bins", "175", "discount", "0.99", "cost", "sqrt"));
        assertThat(settings.groups()).containsExactly(1, 2, 4);
        assertThat(settings).extracting(Settings::bins).isEqualTo(175);
        assertThat(settings.discount()).isEqualTo(0.99);
        assertThat(settings.cost()).isEqualTo(RustBus.Cost.SQRT);
        assertThat(Settings.standard().groups()).containsExactly(1, 2, 3, 4);
        refused(() -> Settings.of(Map.of("bin", "9")), "'bin'", "Did you mean 'bins'?");
        refused(() -> Settings.of(Map.of("cost", "linaer")), "'linaer'", "Did you mean 'linear'?", "hyperbolic");
        refused(() -> Settings.of(Map.of("bins", "many")), "bins is 'many'");
        refused(() -> Settings.of(Map.of("bins", "1")), "bins is 1");
        refused(() -> Settings.of(Map.of("bins", "90.5")), "bins is '90.5'");
        refused(() -> Settings.of(Map.of("discount", "1")), "discount is 1.0");
        refused(() -> Settings.of(Map.of("discount", "nine")), "discount is 'nine'");
        for (String groups : List.of("", "4-1", "a", "1-2-3", "1,,2", "-3")) {
            refused(() -> Settings.of(Map.of("groups", groups)), "groups is '" + groups + "'", "1-4");
        }
    }

    static Stream<Arguments> bad() {
        String start = HEADER + "A,1,0,100,0\n";
        String full = FULL + "A,1,0,1980,1,9000,100,0,0,\n";
        return Stream.of(
                bad("", "bus.csv: the file is empty", "bus_id,group"),
                bad(HEADER, "bus.csv: there are no rows"),
                bad("bus,group,period,mileage,decision\nA,1,0,1,0\n", "line 1", "'bus_id'", "Rename 'bus'?"),
                bad("A,1,0,100,0\nA,1,1,200,0\n", "line 1", "'bus_id'", "must name the columns"),
                bad("bus_id;group;period;mileage;decision\n", "line 1", "not semicolons"),
                bad("bus_id,group,period,mileage,decision,group\n", "line 1", "'group' occurs twice"),
                bad(start + "A,1,1,many,0\n", "line 3", "mileage is 'many'", "finite number"),
                bad(start + "A,1,1,NaN,0\n", "line 3", "mileage is 'NaN'", "finite number"),
                bad(start + "A,1,1,Infinity,0\n", "line 3", "mileage is 'Infinity'"),
                bad(start + "A,1,1,1e999,0\n", "line 3", "mileage is '1e999'"),
                bad(start + "A,1,1,,0\n", "line 3", "mileage is blank"),
                bad(start + "A,1,1,-5,0\n", "line 3", "mileage is -5", "0..450000"),
                bad(start + "A,1,1,450001,0\n", "line 3", "mileage is 450001", "0..450000"),
                bad(start + "A,1,1,99,0\n", "line 3", "mileage is 99", "down from 100 (line 2)", "decision 1"),
                bad(start + "A,1,1,60100,0\n", "line 3", "mileage is 60100", "up from 100 (line 2)", "30000"),
                bad(HEADER + "A,1,0,9,1\nA,1,1,60100,0\n", "line 3", "mileage is 60100", "after the replacement"),
                bad(start + "A,1,1,200\n", "line 3", "4 cells where the header has 5"),
                bad(start + "A,1,1,200,0,1\n", "line 3", "6 cells where the header has 5"),
                bad(start + "A,1,0,200,0\n", "line 3", "period is 0", "bus A already has (line 2)"),
                bad(start + "A,1,2,200,0\n", "line 3", "period is 2", "bus A has no period 1", "line 2"),
                bad(
                        start + "A,1,4,200,0\nA,1,3,200,0\nA,1,1,200,0\n",
                        "line 4",
                        "period is 3",
                        "no period 2",
                        "line 5"),
                bad(HEADER + "A,1,1,200,0\nA,1,2,200,0\n", "line 2", "period is 1", "no period 0"),
                bad(start + "A,1,-1,200,0\n", "line 3", "period is '-1'"),
                bad(start + "A,1,1.5,200,0\n", "line 3", "period is '1.5'"),
                bad(start + "A,1,1,200,2\n", "line 3", "decision is 2", "0 for keep or 1 for replace"),
                bad(start + "A,1,1,200,keep\n", "line 3", "decision is 'keep'"),
                bad(start + "A,one,1,200,0\n", "line 3", "group is 'one'"),
                bad(start + "A,2,1,200,0\n", "line 3", "group is 2", "group 1 before"),
                bad(start + ",1,1,200,0\n", "line 3", "bus_id is blank"),
                bad(start, "no bus has a reading after period 0"),
                bad(HEADER + "A,3,0,1,0\nB,2,0,1,0\n", "bus.csv: there is no group 1", "`set` groups=2,3"),
                bad(start + "A,1,1,\"200,0\n", "malformed CSV"),
                bad(start + "A,1,1,200,0\0\n", "not UTF-8 text"),
                bad(full + "A,1,1,x,2,9100,200,0,0,0\n", "line 3", "year is 'x'"),
                bad(full + "A,1,1,1980,13,9100,200,0,0,0\n", "line 3", "month is 13"),
                bad(full + "A,1,1,1980,2,-1,200,0,0,0\n", "line 3", "odometer is -1"),
                bad(full + "A,1,1,1980,2,,200,0,0,0\n", "line 3", "odometer is blank"),
                bad(full + "A,1,1,1980,2,9100,200,0.5,0,0\n", "line 3", "state90 is '0.5'"),
                bad(full + "A,1,1,1980,2,9100,200,1,0,0\n", "line 3", "state90 is 1", "200 is in bin 0", "5000"),
                bad(full + "A,1,1,1980,2,9100,200,0,0,1\n", "line 3", "increment90 is 1", "by 0 bins"),
                bad(full + "A,1,1,1980,2,9100,200,0,0,\n", "line 3", "increment90 is blank"),
                bad(FULL + "A,1,0,1980,1,9000,100,0,0,0\n", "line 2", "increment90", "period 0"));
    }

    private static Arguments bad(String content, String... message) {
        return Arguments.of(content, message);
    }

    @ParameterizedTest
    @MethodSource("bad")
    void refuses(String content, String[] message) {
        refused(
                () -> read(content),
                Stream.concat(Stream.of("bus.csv"), Stream.of(message)).toArray(String[]::new));
    }

    @Test
    void refusesWhatIsNoTextFile() throws IOException {
        Path noise = Files.write(folder.resolve("noise.csv"), new byte[] {(byte) 0xff, (byte) 0xfe, 1, 2});
        Settings settings = Settings.standard();
        refused(() -> RustBusFiles.read(noise, settings, ProgressListener.NONE), "noise.csv", "not UTF-8");
        refused(() -> RustBusFiles.read(folder, settings, ProgressListener.NONE), "this is a folder");
        refused(
                () -> RustBusFiles.read(folder.resolve("absent.csv"), settings, ProgressListener.NONE),
                "absent.csv",
                "no such file");
    }

    /** A file made with bins closed on the left contradicts the bins at one reading of Rust's, on an edge. */
    @Test
    void refusesBinsClosedOnTheLeft() throws IOException {
        refused(
                () -> read(FULL + "A,1,0,1980,1,9000,69000,13,0,\nA,1,1,1980,2,9000,70000,14,0,1\n"),
                "line 3",
                "state90 is 14",
                "70000 is in bin 13",
                "closed on the right");
    }
}
