package dev.revealed.data;

import static dev.revealed.data.Fixtures.KERNEL;
import static dev.revealed.data.Fixtures.file;
import static dev.revealed.data.Fixtures.numpy;
import static dev.revealed.data.Fixtures.refused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.revealed.data.npz.NpyArray;
import dev.revealed.data.npz.Npz;
import dev.revealed.mdp.Kernel;
import dev.revealed.mdp.LinearReward;
import dev.revealed.mdp.Mdp;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ProcessFilesTest {
    private static final OptionalDouble DISCOUNT = OptionalDouble.of(0.9);
    private static final String FEATURES = """
            state,action,feature,value
            2,0,goal,1
            2,1,goal,1
            0,1,effort,1
            1,1,effort,0.5
            """;

    @TempDir
    private Path folder;

    private ProcessData kernel(String content) throws IOException {
        return ProcessFiles.read(
                file(folder, "kernel.csv", content), Optional.empty(), Optional.empty(), Optional.empty(), DISCOUNT);
    }

    private ProcessData features(String content) throws IOException {
        return ProcessFiles.read(
                file(folder, "kernel.csv", KERNEL),
                Optional.of(file(folder, "features.csv", content)),
                Optional.empty(),
                Optional.empty(),
                DISCOUNT);
    }

    private ProcessData start(String content) throws IOException {
        return ProcessFiles.read(
                file(folder, "kernel.csv", KERNEL),
                Optional.empty(),
                Optional.of(file(folder, "start.csv", content)),
                Optional.empty(),
                DISCOUNT);
    }

    private ProcessData reference(String content) throws IOException {
        return ProcessFiles.read(
                file(folder, "kernel.csv", KERNEL),
                Optional.empty(),
                Optional.empty(),
                Optional.of(file(folder, "reference.csv", content)),
                DISCOUNT);
    }

    private static ProcessData npz(Path file) {
        return ProcessFiles.read(file, Optional.empty(), Optional.empty(), Optional.empty(), OptionalDouble.empty());
    }

    private static double[] values(ProcessData data, double... theta) {
        double[] rows = new double[data.mdp().rows()];
        data.features().orElseThrow().values(theta, rows);
        return rows;
    }

    private static void assertSame(ProcessData one, ProcessData other) {
        Kernel kernel = one.mdp().kernel();
        assertThat(other.mdp().kernel().rowStart()).containsExactly(kernel.rowStart());
        assertThat(other.mdp().kernel().successor()).containsExactly(kernel.successor());
        assertThat(other.mdp().kernel().probability()).containsExactly(kernel.probability());
        assertThat(other.mdp().discount()).isEqualTo(one.mdp().discount());
        assertThat(other.mdp().start()).containsExactly(one.mdp().start());
        assertThat(other.startGiven()).isEqualTo(one.startGiven());
        assertThat(other.features().map(LinearReward::names))
                .isEqualTo(one.features().map(LinearReward::names));
        assertThat(other.features().map(LinearReward::stateOnly))
                .isEqualTo(one.features().map(LinearReward::stateOnly));
        assertThat(values(other, 2, -1)).containsExactly(values(one, 2, -1));
        assertThat(other.reference().isPresent()).isEqualTo(one.reference().isPresent());
        one.reference()
                .ifPresent(r -> assertThat(other.reference().orElseThrow()).containsExactly(r));
    }

    @Test
    void csvAndNumpyFilesOfTheSameProcessAgree() throws IOException {
        ProcessData numpy = npz(numpy("process.npz"));
        ProcessData csv = ProcessFiles.read(
                file(folder, "kernel.csv", KERNEL),
                Optional.of(file(folder, "features.csv", FEATURES)),
                Optional.of(file(folder, "start.csv", "state,probability\n0,1\n")),
                Optional.of(file(
                        folder,
                        "reference.csv",
                        "state,action,probability\n0,0,.5\n0,1,.5\n1,0,.5\n1,1,.5\n2,0,.5\n2,1,.5\n")),
                DISCOUNT);
        assertSame(numpy, csv);
        assertThat(numpy.startGiven()).isTrue();
        assertThat(numpy.features().orElseThrow().names()).containsExactly("goal", "effort");
        assertThat(values(numpy, 2, -1)).containsExactly(0, -1, 0, -0.5, 2, 2);
        assertThat(numpy.trueReward().orElseThrow()).containsExactly(0, 0, 0, 0, 1, 1);
    }

    @Test
    void writesWhatItReads() {
        ProcessData numpy = npz(numpy("process.npz"));
        Path file = folder.resolve("made/mdp.npz");
        ProcessFiles.writeNpz(file, numpy);
        assertSame(numpy, npz(file));
        assertThat(npz(file).trueReward().orElseThrow()).containsExactly(0, 0, 0, 0, 1, 1);

        assertThat(ProcessFiles.writeCsv(folder.resolve("made"), numpy))
                .map(path -> String.valueOf(path.getFileName()))
                .containsExactly("kernel.csv", "features.csv", "start.csv", "reference.csv", "truth.csv");
        assertSame(
                numpy,
                ProcessFiles.read(
                        folder.resolve("made/kernel.csv"),
                        Optional.of(folder.resolve("made/features.csv")),
                        Optional.of(folder.resolve("made/start.csv")),
                        Optional.of(folder.resolve("made/reference.csv")),
                        DISCOUNT));
        assertThat(folder.resolve("made/truth.csv")).content().startsWith("state,action,reward\n0,0,0.0\n");
    }

    @Test
    void keepsProbabilitiesToTheLastBitAndNamesToTheLastLetter() {
        double third = 1.0 / 3;
        Kernel kernel = Kernel.of(2, 2, (s, a, row) -> {
            row.add(0, third);
            row.add(1, 1 - third);
        });
        List<String> names = List.of("speed, \"km/h\"", "größe", "never");
        LinearReward reward = LinearReward.ofStates(2, names, new double[][] {{Math.PI, 0, 0}, {1e-300, -1e22, 0}});
        ProcessData data = new ProcessData(
                Mdp.uniformStart(kernel, 0.5), false, Optional.of(reward), Optional.empty(), Optional.empty());
        ProcessFiles.writeCsv(folder, data);
        ProcessData read = ProcessFiles.read(
                folder.resolve("kernel.csv"),
                Optional.of(folder.resolve("features.csv")),
                Optional.empty(),
                Optional.empty(),
                OptionalDouble.of(0.5));
        ProcessFiles.writeNpz(folder.resolve("mdp.npz"), read);
        for (ProcessData back : List.of(read, npz(folder.resolve("mdp.npz")))) {
            assertThat(back.mdp().kernel().probability()).containsExactly(kernel.probability());
            LinearReward features = back.features().orElseThrow();
            assertThat(features.names()).isEqualTo(names);
            assertThat(features.stateOnly()).isTrue();
            assertThat(back.startGiven()).isFalse();
            double[] rows = new double[4];
            for (int j = 0; j < 3; j++) {
                double[] expected = new double[4];
                reward.derivative(new double[3], j, expected);
                features.derivative(new double[3], j, rows);
                assertThat(rows).containsExactly(expected);
            }
        }
    }

    @Test
    void columnsMayStandInAnyOrderAndSpreadsheetsMayAddTheirMark() throws IOException {
        ProcessData data = kernel("\uFEFFnext , probability,action,\"state\"\r\n0,1e0,0.0, 0 \r\n\r\n");
        assertThat(data.mdp().kernel().probability()).containsExactly(1);
    }

    @Test
    void theArgumentGoesBeforeTheFile() throws IOException {
        ProcessData data = ProcessFiles.read(
                numpy("process.npz"),
                Optional.of(file(folder, "features.csv", "state,feature,value\n1,middle,3\n")),
                Optional.of(file(folder, "start.csv", "state,probability\n1,0.5\n2,0.5\n")),
                Optional.empty(),
                OptionalDouble.of(0.25));
        assertThat(data.mdp().discount()).isEqualTo(0.25);
        assertThat(data.mdp().start()).containsExactly(0, 0.5, 0.5);
        assertThat(data.features().orElseThrow().names()).containsExactly("middle");
    }

    @Test
    void refusesAnUnknownDiscount() throws IOException {
        Path file = file(folder, "kernel.csv", KERNEL);
        refused(() -> npz(file), "kernel.csv", "discount", "`discount` 0.95");
        refused(
                () -> ProcessFiles.read(
                        file, Optional.empty(), Optional.empty(), Optional.empty(), OptionalDouble.of(1.5)),
                "discount",
                "1.5");
    }

    static Stream<Arguments> badKernels() {
        return Stream.of(
                Arguments.of("", new String[] {"kernel.csv", "empty", "state,action,next,probability"}),
                Arguments.of("state,action,next,probability\n", new String[] {"kernel.csv", "no transitions"}),
                Arguments.of(
                        "state,action,next,prob\n0,0,0,1\n",
                        new String[] {"kernel.csv, line 1", "'probability'", "Rename 'prob'?"}),
                Arguments.of(
                        "state;action;next;probability\n0;0;0;1\n",
                        new String[] {"kernel.csv, line 1", "'state'", "not semicolons"}),
                Arguments.of(
                        KERNEL.replace("probability\n", "probability,Stat\n"),
                        new String[] {"kernel.csv, line 1", "'Stat'", "Did you mean 'state'?"}),
                Arguments.of(
                        "state,action,next,probability,state\n0,0,0,1,0\n",
                        new String[] {"kernel.csv, line 1", "'state'", "twice"}),
                Arguments.of(
                        KERNEL.replace("1,0,0,1\n", "1,0,0\n"), new String[] {"kernel.csv, line 6", "3 cells", "4"}),
                Arguments.of(
                        KERNEL.replace("1,0,0,1\n", "1,0,0,1,\n"), new String[] {"kernel.csv, line 6", "5 cells", "4"}),
                Arguments.of(
                        KERNEL.replace("0,0,0,0.9", "0,0,0,often"),
                        new String[] {"kernel.csv, line 2", "probability", "'often'"}),
                Arguments.of(
                        KERNEL.replace("0,0,0,0.9", "0,0,0,0x1p0"),
                        new String[] {"kernel.csv, line 2", "probability", "'0x1p0'"}),
                Arguments.of(
                        KERNEL.replace("0,0,0,0.9", "zero,0,0,0.9"),
                        new String[] {"kernel.csv, line 2", "state", "'zero'"}),
                Arguments.of(
                        KERNEL.replace("0,0,0,0.9", "0,1.5,0,0.9"),
                        new String[] {"kernel.csv, line 2", "action", "'1.5'"}),
                Arguments.of(
                        KERNEL.replace("0,0,0,0.9", "0,0,-1,0.9"), new String[] {"kernel.csv, line 2", "next", "'-1'"}),
                Arguments.of(
                        KERNEL.replace("0,0,0,0.9", "0,0,99999999999,0.9"),
                        new String[] {"kernel.csv, line 2", "next", "'99999999999'"}),
                Arguments.of(
                        KERNEL.replace("0,0,0,0.9", "0,0, ,0.9"), new String[] {"kernel.csv, line 2", "next", "blank"}),
                Arguments.of(
                        KERNEL.replace("0,0,0,0.9", "0,0,0,-0.1"),
                        new String[] {"kernel.csv, line 2", "probability", "-0.1"}),
                Arguments.of(
                        KERNEL.replace("0,0,0,0.9", "0,0,0,1.1"),
                        new String[] {"kernel.csv, line 2", "probability", "1.1"}),
                Arguments.of(
                        KERNEL.replace("0,0,0,0.9", "0,0,0,NaN"),
                        new String[] {"kernel.csv, line 2", "probability", "'NaN'", "finite"}),
                Arguments.of(
                        KERNEL.replace("0,0,0,0.9", "0,0,0,1e999"),
                        new String[] {"kernel.csv, line 2", "probability", "'1e999'"}),
                Arguments.of(
                        KERNEL.replace("1,1,2,0.5\n", "1,1,2,0.25\n"),
                        new String[] {"kernel.csv", "state 1, action 1", "0.75", "lines 7, 8"}),
                Arguments.of(
                        KERNEL.replace("0.5", "0.499999"),
                        new String[] {"kernel.csv", "state 1, action 1", "0.999998", "lines 7, 8", "all their digits"}),
                Arguments.of(
                        KERNEL.replace("2,1,2,1\n", ""),
                        new String[] {"kernel.csv", "state 2, action 1", "no transitions", "3 states", "2 actions"}),
                Arguments.of(
                        KERNEL.replace("1,1,2,0.5\n", "1,1,2000000000,0.5\n"),
                        new String[] {"kernel.csv", "state 3, action 0", "2000000001 states", "line 7"}),
                Arguments.of(KERNEL + "\"0,0,0,1\n", new String[] {"kernel.csv", "quote"}));
    }

    @ParameterizedTest
    @MethodSource("badKernels")
    void refusesBadKernels(String content, String[] message) {
        refused(() -> kernel(content), message);
    }

    @Test
    void refusesWhatIsNotText() throws IOException {
        Path zip = Files.copy(numpy("process.npz"), folder.resolve("mdp.csv"));
        Path latin = Files.write(
                folder.resolve("latin.csv"),
                "state,action,next,probability,größe\n".getBytes(StandardCharsets.ISO_8859_1));
        Path nul = Files.writeString(folder.resolve("nul.csv"), KERNEL + "0,0,0,\0\n");
        for (Path file : List.of(zip, latin, nul)) {
            refused(
                    () -> ProcessFiles.read(file, Optional.empty(), Optional.empty(), Optional.empty(), DISCOUNT),
                    file.toString(),
                    "not UTF-8 text",
                    ".npz");
        }
        refused(() -> npz(folder.resolve("absent.csv")), "absent.csv", "no such file");
        refused(() -> npz(folder), folder.toString(), "folder");
    }

    @Test
    void refusesBadFeatures() {
        refused(() -> features("state,feature,value\n"), "features.csv", "no features");
        refused(() -> features("state,feature,value\n9,goal,1\n"), "features.csv, line 2", "state is 9", "0..2");
        refused(
                () -> features("state,action,feature,value\n0,2,goal,1\n"),
                "features.csv, line 2",
                "action is 2",
                "0..1");
        refused(() -> features("state,feature,value\n0,goal,\n"), "features.csv, line 2", "value is blank");
        refused(() -> features("state,feature,value\n0,goal,inf\n"), "features.csv, line 2", "value is 'inf'");
        refused(() -> features("state,feature,value\n0, ,1\n"), "features.csv, line 2", "feature is blank");
        refused(
                () -> features("state,feature,value\n0,goal,1\n1,goal,1\n0,goal,2\n"),
                "features.csv, line 4",
                "'goal'",
                "state 0",
                "line 2");
        refused(
                () -> features("state,acton,feature,value\n0,0,goal,1\n"),
                "features.csv, line 1",
                "'acton'",
                "Did you mean 'action'?");
    }

    @Test
    void refusesBadStartsAndReferences() {
        refused(() -> start("state,probability\n0,0.5\n"), "start.csv", "sums to 0.5");
        refused(() -> start("state,probability\n3,1\n"), "start.csv, line 2", "state is 3", "0..2");
        refused(() -> start("state,probability\n0,0.5\n0,0.5\n"), "start.csv, line 3", "state 0", "again");
        refused(() -> start("state,probability\n0,-1\n"), "start.csv, line 2", "probability is -1");
        refused(() -> reference("state,action,probability\n0,0,1\n"), "reference.csv", "state 1", "0.0");
        refused(() -> reference("state,action,probability\n0,5,1\n"), "reference.csv, line 2", "action is 5", "0..1");
    }

    @Test
    void refusesBadArrays() {
        refusedWith("kernel_next", NpyArray.of(0), "kernel_state has 2", "kernel_next has 1");
        refusedWith("kernel_next", NpyArray.of(0.0, 1.0), "array kernel_next", "integers");
        refusedWith("kernel_probability", NpyArray.of(1, -0.5), "entry 1", "probability is -0.5");
        refusedWith("kernel_probability", NpyArray.of(Double.NaN, 1), "entry 0", "probability is NaN");
        refusedWith("kernel_probability", NpyArray.of(1, 0.5), "state 1, action 0", "0.5", "entry 1");
        refusedWith("feature_acton", NpyArray.of(0), "'feature_acton'", "Did you mean 'feature_action'?");
        refusedWith("start", NpyArray.of(1.0), "array start", "[1]", "[2]");
        refusedWith("start", NpyArray.of(0.5, 0.25), "start distribution sums to 0.75");
        refusedWith("reference", NpyArray.of(1.0, 1.0), "array reference", "[2]", "[2, 1]");
        refusedWith("reward", NpyArray.of(1, Double.NaN), "array reward", "entry 1", "NaN");
        refusedWith("discount", NpyArray.of(0.5, 0.5), "array discount", "2 values");
        refusedWith("discount", NpyArray.scalar(1), "array discount", "no state ends the process");
        refusedWith("feature_index", NpyArray.of(0), "'feature_state'");
    }

    private void refusedWith(String name, NpyArray array, String... message) {
        Map<String, NpyArray> arrays = new LinkedHashMap<>();
        arrays.put("kernel_state", NpyArray.of(0, 1));
        arrays.put("kernel_action", NpyArray.of(0, 0));
        arrays.put("kernel_next", NpyArray.of(1, 0));
        arrays.put("kernel_probability", NpyArray.of(1.0, 1.0));
        arrays.put("discount", NpyArray.scalar(0.9));
        Path file = folder.resolve("bad.npz");
        Npz.write(file, arrays);
        assertThat(npz(file).mdp().states()).isEqualTo(2);
        arrays.put(name, array);
        Npz.write(file, arrays);
        refused(
                () -> npz(file),
                Stream.concat(Stream.of("bad.npz"), Stream.of(message)).toArray(String[]::new));
    }

    @Test
    void writesAllOrNothing() throws IOException {
        Path inTheWay = Files.createDirectories(folder.resolve("mdp.npz"));
        refused(() -> ProcessFiles.writeNpz(inTheWay, npz(numpy("process.npz"))), "mdp.npz", "cannot be written");
        try (Stream<Path> left = Files.list(folder)) {
            assertThat(left).containsExactly(inTheWay);
        }
        Path notAFolder = file(folder, "file", "");
        refused(() -> ProcessFiles.writeCsv(notAFolder, npz(numpy("process.npz"))), "file", "cannot be written");
    }
}
