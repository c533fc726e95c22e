package dev.revealed.data;

import static dev.revealed.data.Fixtures.file;
import static dev.revealed.data.Fixtures.refused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.revealed.data.model.ModelFile;
import dev.revealed.mdp.choice.Panel;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.numeric.RandomStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class PanelsTest {
    private static final String MODEL = """
            discount: 0.9
            states:
              stock: 0..3
              price: 0.1..0.3 by 0.1
            actions: [wait, sell]
            parameters: [a]
            utility: {wait: 0, sell: a * price}
            available: {sell: stock > 0}
            transitions:
              stock: {wait: "min(stock + 1, 3)", sell: stock - 1}
              price: {shift: [-1, 0, 1], probabilities: [down, same]}
            """;
    private static final String HEADER = "individual,period,action,stock,price\n";

    @TempDir
    private Path folder;

    private ChoiceData data(String data, String content) throws IOException {
        Path yaml = file(folder, "shop.yaml", MODEL + data);
        return ModelFile.read(yaml, Map.of()).panel(file(folder, "panel.csv", content), ProgressListener.NONE);
    }

    private Panel read(String data, String content) throws IOException {
        return data(data, content).panel();
    }

    private Panel read(String content) throws IOException {
        return read("", content);
    }

    @Test
    void readsRowsInAnyOrderByNameAndByNumber() throws IOException {
        Panel panel = read("""
                price,note,individual,period,action,stock
                0.2,x,ann,1991,sell,1
                0.30000000000000004,x,ann,1990,wait,0
                0.2,,bob,7,0,2
                0.10,x,ann,1992,,0
                0.1,x,bob,8,1,3
                """);
        assertThat(panel.individuals()).extracting(Panel.Individual::name).containsExactly("ann", "bob");
        Panel.Individual ann = panel.individuals().getFirst();
        assertThat(ann.choices().states()).containsExactly(2, 3 + 1, 0); // stock is slow, price fast
        assertThat(ann.choices().actions()).containsExactly(0, 1);
        assertThat(ann.choices().hasFinalState()).isTrue();
        assertThat(ann.cells()[1]).containsExactly(-1, 2, 1);
        assertThat(ann.outcomes()[1][1]).isZero(); // down from the top, where same and up are one
        assertThat(ann.outcomes()[1][2]).isZero();
        Panel.Individual bob = panel.individuals().getLast();
        assertThat(bob.choices().states()).containsExactly(2 * 3 + 1, 3 * 3);
        assertThat(bob.choices().actions()).containsExactly(0, 1);
        assertThat(bob.choices().hasFinalState()).isFalse();
        assertThat(panel.decisions()).isEqualTo(4);
    }

    @Test
    void columnsThatAreNotUsedAreNamedAndWeightsWarnedOf() throws IOException {
        ChoiceData plain = data("", HEADER + "a,1,wait,1,0.1\n");
        assertThat(plain.notes()).isEmpty();
        assertThat(plain.warnings()).isEmpty();
        ChoiceData other = data("", "Weight,route,individual,period,action,stock,price\n3,x,a,1,wait,1,0.1\n");
        assertThat(other.notes()).containsExactly("Columns of the panel that the model does not use: Weight, route.");
        assertThat(other.warnings())
                .singleElement()
                .asString()
                .startsWith("The column 'Weight' is not used: every row");
        ChoiceData used =
                data("data: {columns: {stock: weight}}\n", "individual,period,action,weight,price\na,1,wait,1,0.1\n");
        assertThat(used.notes()).isEmpty();
        assertThat(used.warnings()).isEmpty();
    }

    private static final String GAPS = HEADER.replace("\n", ",w,town\n") + """
            a,1,wait,1,0.1,2,x
            a,2,sell,2,0.2,2,x
            a,5,wait,1,0.2,2,x
            a,6,,2,0.3,2,x
            a,7,sell,3,0.2,2,x
            a,8,,2,0.1,2,x
            b,1,wait,0,0.1,4,x
            """;

    @Test
    void gapsAndMissingActionsCutWhatIsKnownOfMoves() throws IOException {
        ChoiceData data = data("data: {gaps: allowed, missing: dropped, weight: w, cluster: town}\n", GAPS);
        Panel.Individual a = data.panel().individuals().getFirst();
        assertThat(a.choices().actions()).containsExactly(0, 1, 0, 1);
        assertThat(a.choices().hasFinalState()).isTrue();
        assertThat(a.cells()[1]).containsExactly(-1, 0, -1, -1, 1); // after the gap, and after the unknown action
        assertThat(a.weight()).isEqualTo(2 / 3.0); // as a multiple of the mean
        assertThat(a.cluster()).isEqualTo("x");
        assertThat(data.panel().weights()).isEqualTo(Panel.Weights.SAMPLING);
        assertThat(data.notes())
                .containsExactly(
                        "Individuals have 1 gaps; decisions after a gap count, and the moves across it do not.",
                        "1 rows without an action were dropped, with the moves from and to them.",
                        "The column 'w' holds sampling weights, divided by their mean.");
        assertThat(read("data: {gaps: allowed, missing: dropped, weight: {column: w, kind: frequency}}\n", GAPS)
                        .individuals()
                        .getLast()
                        .weight())
                .isEqualTo(4);
    }

    /** The stock before and after the unknown action is known; what came of the last row's is not. */
    @Test
    void missingActionsAreKeptBetweenTheirStates() throws IOException {
        String model = "data: {gaps: allowed, missing: integrated}\n";
        ChoiceData data = data(model, GAPS.replace("b,1,wait", "b,1,"));
        Panel.Individual a = data.panel().individuals().getFirst();
        assertThat(data.panel().size()).isEqualTo(1);
        assertThat(a.choices().actions()).containsExactly(0, 1, 0, 1);
        assertThat(a.unseen()).hasDimensions(1, 6);
        assertThat(a.unseen()[0]).startsWith(2 * 3 + 2, 3 * 3 + 1);
        double prices = Arrays.stream(data.panel().moves(data.model().law())[1])
                .flatMapToDouble(Arrays::stream)
                .sum();
        assertThat(prices).isEqualTo(3); // to periods 2, 6 and 8: the action before them is known, whatever came after
        assertThat(data.notes())
                .contains(
                        "1 actions are missing and summed over: each counts by how likely it is and leads to the next state."
                                + " This is right if being missing does not depend on the action.",
                        "1 rows without an action do not count: the next state is missing too, or every action is.");
        refused(() -> read("data: {missing: ignored}\n", GAPS), "refused, dropped or integrated");
        refused(() -> read("data: {missing: integrated, aggregate: [price]}\n", GAPS), "integrated out");
    }

    /** A simulated panel can be read by its own model: prices are the same for all, and every column is there. */
    @Test
    void simulatedPanelsAreReadByTheirModel() throws IOException {
        Path yaml = file(
                folder, "shop.yaml", MODEL + "data: {aggregate: [price], cluster: town, covariates: [size, age]}\n");
        ModelFile model = ModelFile.read(yaml, Map.of());
        double[] start = new double[12];
        Arrays.fill(start, 1 / 12.0);
        Panel drawn = model.model()
                .simulate(new double[] {1}, new double[] {0.3, 0.4}, start, 20, 10, new int[] {1}, RandomStream.of(1));
        Path csv = folder.resolve("drawn.csv");
        model.write(csv, drawn);
        Panel read = model.panel(csv, ProgressListener.NONE).panel();
        assertThat(read.size()).isEqualTo(20);
        assertThat(read.individuals().getLast().cluster()).isEqualTo("20");
        assertThat(read.individuals().getLast().covariates()).containsExactly(0, 0);
        assertThat(read.choices().hash()).isEqualTo(drawn.choices().hash());
        assertThat(read.common()).hasSize(10); // each move of the price counts once
    }

    @Test
    void movesOfAggregateVariablesCountOnce() throws IOException {
        String rows = HEADER + """
                a,1,wait,1,0.1
                a,2,wait,2,0.2
                b,1,wait,0,0.1
                b,2,wait,1,0.2
                b,3,wait,2,0.2
                """;
        Panel panel = read("data: {aggregate: [price]}\n", rows);
        assertThat(panel.individuals().getFirst().cells()[1]).containsExactly(-1, Panel.COMMON);
        assertThat(panel.individuals().getLast().cells()[1]).containsExactly(-1, Panel.COMMON, Panel.COMMON);
        assertThat(panel.common().stream().map(period -> period.cells()[1])).containsExactly(0, 1);
        assertThat(panel.hasGaps()).isFalse();
        refused(
                () -> read("data: {aggregate: [price]}\n", rows.replace("b,2,wait,1,0.2", "b,2,wait,1,0.1")),
                "line 5",
                "price is 0.1 in period 2, and 0.2 on line 3");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "data: {weight: w} | w is -1 | Weights are positive",
                "data: {weight: {column: w, kind: frequency}} | w is 0.5, no whole number | kind: sampling",
                "data: {weight: {column: w, kind: other}} | here is 'other' | Give sampling or frequency",
                "data: {cluster: w} | w of individual a differs from that on line 2 | repeat the same",
                "data: {aggregate: [prize]} | 'prize' is not a state variable | They are stock, price"
            })
    void refusesWeightsAndClustersThatAreNone(String data, String problem, String remedy) {
        String rows = HEADER.replace("\n", ",w\n") + "a,1,wait,1,0.1,%s\na,2,wait,2,0.1,%s\n";
        String first = problem.contains("0.5") ? "0.5" : "-1";
        String second = problem.contains("differs") ? "3" : first;
        refused(() -> read(data + "\n", rows.formatted(first, second)), problem, remedy);
    }

    @ParameterizedTest
    @CsvSource({
        "w, true",
        "WEIGHTS, true",
        "sample_weight, true",
        "weight2, true",
        "pweight, true",
        "wgt, true",
        "smpwgt, true",
        "asecwt, true",
        "WTFINL, true",
        "wages, false",
        "wtp, false",
        "birthweight, false",
        "bwt, false",
        "overweight, false",
        "growth, false",
        "weighted, false"
    })
    void weightsGoByManyNames(String name, boolean warned) throws IOException {
        ChoiceData data = data("", HEADER.replace("\n", "," + name + "\n") + "a,1,wait,1,0.1,3\n");
        assertThat(data.notes()).hasSize(1);
        assertThat(data.warnings()).hasSize(warned ? 1 : 0);
    }

    /** The grid of the price is 0.1, 0.2, 0.3: beyond 0.35 the nearest value is far. */
    @Test
    void valuesFarFromTheirNearestAreWarnedOf() throws IOException {
        String nearest = "data: {columns: {price: {column: quote, nearest: true}}}\n";
        String header = "individual,period,action,stock,quote\n";
        assertThat(data(nearest, header + "a,1,wait,1,0.35\na,2,wait,2,0.26\nb,1,wait,1,0.05\n")
                        .warnings())
                .isEmpty();
        assertThat(data(nearest, header + "a,1,wait,1,0.36\na,2,wait,2,99\nb,1,wait,1,-5\nb,2,wait,2,0.1\n")
                        .warnings())
                .singleElement()
                .asString()
                .contains("panel.csv: in 3 rows quote is", "0.1, 0.2, 0.3", "farthest is 99 on line 3, taken for 0.3");
    }

    @Test
    void readsColumnsByOtherNamesAndActionsByCodes() throws IOException {
        String data = "data: {individual: id, period: week, action: {column: choice, codes: [W, 9]},"
                + " columns: {price: {column: quote, nearest: true}, stock: {bins: [0.5, 10, 20]}}, skip: 1}\n";
        Panel panel = read(data, "id,week,choice,quote,stock\na,3,9,-5,10.5\na,2,W,0.14,10\na,1,W,0.16,0.5\n");
        Panel.Individual a = panel.individuals().getFirst();
        // the first decision does not count, but the move after it does
        assertThat(a.choices().states()).containsExactly(1 * 3, 2 * 3);
        assertThat(a.choices().actions()).containsExactly(0, 1);
        assertThat(a.cells()[1]).containsExactly(1, 0);
        refused(() -> read(data, "id,week,choice,quote,stock\na,1,W,1,1\n"), "no id has a decision that counts", "1");
        refused(() -> read(data, "id,week,choice,quote,stock\na,1,0,1,1\n"), "choice is '0'", "W, 9");
    }

    @ParameterizedTest
    @CsvSource({"-1, -1", "0, 0", "5, 0", "5.001, 1", "10, 1", "15, 2", "20, 3", "20.001, -1"})
    void binsAreClosedOnTheRight(double value, int place) {
        Grid grid = new Grid(new double[] {1, 2, 3, 4});
        PanelColumns.Binned bounded = new PanelColumns.Binned("x", grid, new double[] {0, 5, 10, 15, 20});
        PanelColumns.Binned open = new PanelColumns.Binned("x", grid, new double[] {5, 10, 15});
        assertThat(bounded.place(value)).isEqualTo(place);
        assertThat(open.place(value)).isEqualTo(value < 0 ? 0 : value > 20 ? 3 : place);
        for (int i = 0; i < 4; i++) {
            assertThat(bounded.place(bounded.value(i))).isEqualTo(i);
            assertThat(open.place(open.value(i))).isEqualTo(i);
        }
    }

    @Test
    void saysHowFarItIs() throws IOException {
        List<Long> heard = new ArrayList<>();
        Path csv = file(folder, "panel.csv", HEADER + "a,0,wait,0,0.1\n");
        Path yaml = file(folder, "shop.yaml", MODEL);
        ModelFile.read(yaml, Map.of()).panel(csv, (stage, done, total) -> {
            assertThat(stage).isEqualTo("reading panel.csv");
            assertThat(total).isEqualTo(52);
            heard.add(done);
        });
        assertThat(heard).containsExactly(52L);
        assertThat(Files.size(csv)).isEqualTo(52);
    }

    static Stream<Arguments> bad() {
        String start = HEADER + "a,0,wait,1,0.1\n";
        return Stream.of(
                bad("", "the file is empty"),
                bad(HEADER, "no rows below the header"),
                bad("individual,period,action,stock,prices\n", "line 1", "'price'", "Rename 'prices'?", "shop.yaml"),
                bad("a,0,wait,1,0.1\n", "line 1", "must name the columns"),
                bad(start + "a,1,wait,2,high\n", "line 3", "price is 'high'", "finite number"),
                bad(start + "a,1,wait,2,NaN\n", "line 3", "price is 'NaN'"),
                bad(start + "a,1,wait,2,inf\n", "line 3", "price is 'inf'"),
                bad(start + "a,1,wait,,0.1\n", "line 3", "stock is blank"),
                bad(start + "a,1,wait,4,0.1\n", "line 3", "stock is 4", "0, 1, 2, 3"),
                bad(start + "a,1,wait,2,0.15\n", "line 3", "price is 0.15", "nearest"),
                bad(start + "a,1,wait\n", "line 3", "3 cells"),
                bad(start + "a,1,buy,2,0.1\n", "line 3", "action is 'buy'", "wait, sell"),
                bad(start + "a,1,sel,2,0.1\n", "line 3", "action is 'sel'", "Did you mean 'sell'?"),
                bad(start + "a,1,2,2,0.1\n", "line 3", "action is '2'", "numbers from 0"),
                bad(start + "a,1,-1,2,0.1\n", "line 3", "action is '-1'"),
                bad(start + "b,1,sell,0,0.1\n", "line 3", "action is sell", "rules out at stock=0.0"),
                bad(start + "a,1,,2,0.1\na,2,wait,2,0.1\n", "line 3", "action is blank", "individual a"),
                bad(start + "a,0,wait,1,0.1\n", "line 3", "period is 0", "already has (line 2)"),
                bad(start + "a,2,wait,1,0.1\n", "line 3", "period is 2", "no period 1"),
                bad(start + "a,1st,wait,1,0.1\n", "line 3", "period is '1st'"),
                bad(start + ",1,wait,1,0.1\n", "line 3", "individual is blank"),
                bad(
                        start + "a,1,wait,1,0.1\n",
                        "line 3",
                        "stock is 1",
                        "rules out after stock=1.0",
                        "action wait (line 2)"),
                bad(start + "a,1,wait,2,0.3\n", "line 3", "price is 0.3", "rules out", "line 2"),
                bad(HEADER + "a,0,,1,0.1\n", "no individual has a decision that counts"));
    }

    private static Arguments bad(String content, String... message) {
        return Arguments.of(content, message);
    }

    @ParameterizedTest
    @MethodSource("bad")
    void refuses(String content, String[] message) {
        refused(
                () -> read(content),
                Stream.concat(Stream.of("panel.csv"), Stream.of(message)).toArray(String[]::new));
    }

    /** A light that turns from green to red and stays red. */
    @Test
    void aMoveOfProbabilityZeroInAGivenMatrixIsRefused() throws IOException {
        Path yaml = file(folder, "light.yaml", """
                discount: 0.9
                states: {light: [0, 1]}
                actions: [wait, go]
                parameters: [red]
                utility: {wait: 0, go: red * light}
                transitions: {light: {matrix: [[0.5, 0.5], [0, 1]]}}
                """);
        String header = "individual,period,action,light\n";
        Path good = file(folder, "good.csv", header + "a,0,go,0\na,1,go,1\na,2,wait,1\n");
        assertThat(ModelFile.read(yaml, Map.of())
                        .panel(good, ProgressListener.NONE)
                        .panel()
                        .decisions())
                .isEqualTo(3);
        Path back = file(folder, "back.csv", header + "a,0,go,0\na,1,go,1\na,2,wait,0\n");
        refused(
                () -> ModelFile.read(yaml, Map.of()).panel(back, ProgressListener.NONE),
                "back.csv, line 4: light is 0, which the model rules out after light=1.0 with action go (line 3)");
    }
}
