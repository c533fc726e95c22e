package dev.revealed.app.estimate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import dev.revealed.data.ChoiceData;
import dev.revealed.data.RustBusFiles;
import dev.revealed.data.model.ModelFile;
import dev.revealed.data.panel.BusSimulation;
import dev.revealed.data.panel.PanelFiles;
import dev.revealed.estimate.Estimate;
import dev.revealed.estimate.choice.ChoiceProblem;
import dev.revealed.estimate.choice.PanelMethod;
import dev.revealed.estimate.choice.inference.ChoiceEstimate;
import dev.revealed.estimate.choice.inference.ChoiceEstimator;
import dev.revealed.estimate.choice.inference.StandardErrors;
import dev.revealed.estimate.choice.twostep.TdCcp;
import dev.revealed.estimate.choice.types.TypesEstimator;
import dev.revealed.mdp.model.RustBus;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.task.TaskList;
import dev.revealed.numeric.task.TaskRunner;
import dev.revealed.runs.Json;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Estimates from counted rows are those from rows in memory. */
class CountedPanelEstimateTest {
    private static final RustBusFiles.Settings SETTINGS = RustBusFiles.Settings.of(Map.of("discount", "0.95"));

    @TempDir
    static Path folder;

    private static ChoiceData rows;
    private static ChoiceData counted;

    @BeforeAll
    static void readBoth() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        new BusSimulation(RustBus.of(90, 2, 0.95, SETTINGS.cost()), new double[] {7, 60}, new double[] {0.35, 0.6})
                .write(out, List.of(1, 2, 3, 4), 60, 80, RandomStream.of(1));
        Path file = folder.resolve("panel.csv");
        Files.write(file, out.toByteArray());
        rows = RustBusFiles.read(file, SETTINGS, ProgressListener.NONE);
        counted = PanelFiles.buses(split("buses", file, 1777), SETTINGS, ProgressListener.NONE);
        assertThat(counted.panel().counts()).isPresent();
        assertThat(rows.panel().counts()).isEmpty();
    }

    /** A folder with the same rows in two files. */
    private static Path split(String name, Path file, int lines) throws IOException {
        List<String> all = Files.readAllLines(file);
        Path parts = Files.createDirectories(folder.resolve(name));
        List<String> second = new ArrayList<>(List.of(all.getFirst()));
        second.addAll(all.subList(lines, all.size()));
        Files.write(parts.resolve("1.csv"), all.subList(0, lines));
        Files.write(parts.resolve("2.csv"), second);
        return parts;
    }

    private static void assertSame(Estimate found, Estimate expected) {
        assertThat(found.theta()).isEqualTo(expected.theta());
        assertThat(found.covariance()).isDeepEqualTo(expected.covariance());
        assertThat(found.logLikelihood()).isEqualTo(expected.logLikelihood());
        assertThat(found.converged()).isTrue();
        assertThat(found.warnings()).isEqualTo(expected.warnings());
    }

    private static Estimate estimate(ChoiceData data, String method, StandardErrors kind) {
        return new ChoiceEstimator(Methods.of(method, Map.of()), kind, ChoiceEstimator.Replications.inMemory(12))
                .fit(new ChoiceProblem(data.model(), data.panel()), 3)
                .estimate();
    }

    @ParameterizedTest
    @EnumSource(StandardErrors.class)
    void allStandardErrorsAreTheSameToTheLastBit(StandardErrors kind) {
        assertSame(estimate(counted, "nfxp", kind), estimate(rows, "nfxp", kind));
    }

    @ParameterizedTest
    @ValueSource(strings = {"ml-irl", "ccp", "npl", "mpec"})
    void otherMethodsAreTheSameToTheLastBit(String method) {
        assertSame(estimate(counted, method, StandardErrors.OPG), estimate(rows, method, StandardErrors.OPG));
    }

    /** What was counted is enough: nobody opens the files again. */
    @ParameterizedTest
    @ValueSource(strings = {"nfxp", "ml-irl", "mpec"})
    void onePassIsEnough(String method) throws IOException {
        Path parts = split("once-" + method, folder.resolve("panel.csv"), 1777);
        ChoiceData once = PanelFiles.buses(parts, SETTINGS, ProgressListener.NONE);
        Files.delete(parts.resolve("1.csv"));
        Files.delete(parts.resolve("2.csv"));
        assertSame(estimate(once, method, StandardErrors.OPG), estimate(rows, method, StandardErrors.OPG));
    }

    /** In files of so many rows, which other machines read: individuals begin in one file and end in the next. */
    private static ChoiceData spread(OtherMachines machines, int each) throws IOException {
        List<String> all = Files.readAllLines(folder.resolve("panel.csv"));
        Path parts = folder.resolve("spread-" + each);
        if (!Files.exists(parts)) {
            Files.createDirectory(parts);
            for (int from = 1; from < all.size(); from += each) {
                List<String> some = new ArrayList<>(List.of(all.getFirst()));
                some.addAll(all.subList(from, Math.min(all.size(), from + each)));
                Files.write(parts.resolve("%05d.csv".formatted(from)), some);
            }
        }
        return PanelFiles.buses(parts, SETTINGS, machines, ProgressListener.NONE);
    }

    private static void assertClose(double[] found, double[] expected) {
        assertThat(found).hasSameSizeAs(expected);
        for (int j = 0; j < expected.length; j++) {
            assertThat(found[j]).isCloseTo(expected[j], within(1e-10 * (1 + Math.abs(expected[j]))));
        }
    }

    /** Members of a type are counted together where rows are counted, one by one where they are in memory. */
    @ParameterizedTest
    @CsvSource({"FULL, false, 1777", "FULL, true, 61", "NPL, true, 500", "CCP, false, 61"})
    void typesAreTheSameWhoeverHoldsTheIndividuals(TypesEstimator.Form form, boolean initial, int each)
            throws IOException {
        TypesEstimator types =
                TypesEstimator.of(2, "RC").by(form).initial(initial).starts(2).limitedTo(4);
        OtherMachines machines = new OtherMachines();
        ChoiceEstimate expected = types.fit(problem(rows), 1);
        for (ChoiceData data : List.of(counted, spread(machines, each))) {
            ChoiceEstimate found = types.fit(problem(data), 1);
            assertClose(found.estimate().theta(), expected.estimate().theta());
            assertThat(found.estimate().choiceLogLikelihood().orElseThrow())
                    .isCloseTo(expected.estimate().choiceLogLikelihood().orElseThrow(), within(1e-8));
            double[][] posterior = found.types().orElseThrow();
            assertThat(posterior).hasDimensions(60, 2);
            for (int i = 0; i < 60; i++) {
                assertClose(posterior[i], expected.types().orElseThrow()[i]);
            }
        }
        assertThat(machines.lists).startsWith("rows", "types", "types").doesNotContain("scores");
    }

    /** With a basis that is given: comparisons of bases deal out individuals in memory by their paths. */
    @ParameterizedTest
    @CsvSource({"1, 1777", "1, 61", "4, 61", "4, 500"})
    void temporalDifferencesAreTheSameWhoeverHoldsTheIndividuals(int folds, int each) throws IOException {
        PanelMethod method =
                TdCcp.semiGradient().basis(TdCcp.Basis.POLYNOMIALS).degree(2).folds(folds);
        OtherMachines machines = new OtherMachines();
        ChoiceEstimate expected = new ChoiceEstimator(method).fit(problem(rows), 1);
        assertThat(expected.estimate().converged()).isTrue();
        for (ChoiceData data : List.of(counted, spread(machines, each))) {
            ChoiceEstimate found = new ChoiceEstimator(method).fit(problem(data), 1);
            assertClose(found.estimate().theta(), expected.estimate().theta());
            double[][] covariance = found.estimate().covariance();
            for (int j = 0; j < covariance.length; j++) {
                double own = expected.estimate().covariance()[j][j];
                assertThat(covariance[j][j]).isCloseTo(own, within(1e-8 * own));
            }
            assertThat(found.fit().score().orElseThrow().statistic().orElseThrow())
                    .isCloseTo(expected.fit().score().orElseThrow().statistic().orElseThrow(), withinPercentage(1e-5));
            assertThat(found.estimate().warnings())
                    .isEqualTo(expected.estimate().warnings());
        }
        assertThat(machines.lists).startsWith("rows", "moves", "moves");
    }

    /** The basis is chosen by individuals that are dealt out by number, the same here and elsewhere. */
    @Test
    void theSameBasisIsChosenElsewhere() throws IOException {
        ChoiceEstimate found =
                new ChoiceEstimator(TdCcp.semiGradient()).fit(problem(spread(new OtherMachines(), 61)), 1);
        ChoiceEstimate expected = new ChoiceEstimator(TdCcp.semiGradient()).fit(problem(counted), 1);
        assertThat(found.fit().basis()).isEqualTo(expected.fit().basis());
        assertClose(found.estimate().theta(), expected.estimate().theta());
    }

    private static ChoiceProblem problem(ChoiceData data) {
        return new ChoiceProblem(data.model(), data.panel());
    }

    /** Weights, clusters, gaps and rows without an action, in a model of one's own. */
    @ParameterizedTest
    @ValueSource(strings = {"frequency", "sampling"})
    void weightsClustersAndGapsCountAlike(String kind) throws IOException {
        ModelFile model = ModelFile.parse("firm.yaml", """
                model: firm
                discount: 0.9
                states:
                  demand: 0..2
                  active: [0, 1]
                actions: [out, in]
                parameters: [fixed, size, entry]
                utility:
                  out: 0
                  in: -fixed + size * demand - entry * (1 - active)
                transitions:
                  demand: {counted: [demand]}
                  active: action
                data:
                  individual: firm
                  weight: {column: w, kind: %s}
                  cluster: region
                  gaps: allowed
                  missing: dropped
                """.formatted(kind), Map.of());
        Path file = folder.resolve(kind + ".csv");
        Files.write(file, firms(kind.equals("frequency")), StandardCharsets.UTF_8);
        ChoiceData whole = model.panel(file, ProgressListener.NONE);
        ChoiceData parts = model.panel(split(kind, file, 700), ProgressListener.NONE);
        assertThat(parts.panel().counts()).isPresent();
        assertThat(parts.notes()).isEqualTo(whole.notes());
        assertThat(parts.panel().hasGaps()).isEqualTo(whole.panel().hasGaps()).isTrue();
        OtherMachines machines = new OtherMachines();
        ChoiceData spread = model.panel(folder.resolve(kind), machines, ProgressListener.NONE);
        Estimate found = estimate(parts, "nfxp", StandardErrors.CLUSTER);
        Estimate summedElsewhere = estimate(spread, "nfxp", StandardErrors.CLUSTER);
        assertThat(machines.lists).containsExactly("rows", "scores");
        assertThat(summedElsewhere.theta()).isEqualTo(found.theta());
        assertThat(summedElsewhere.warnings()).isEqualTo(found.warnings());
        for (int j = 0; j < found.theta().length; j++) {
            double variance = found.covariance()[j][j];
            assertThat(summedElsewhere.covariance()[j][j]).isCloseTo(variance, within(1e-10 * variance));
        }
        Estimate expected = estimate(whole, "nfxp", StandardErrors.CLUSTER);
        if (kind.equals("frequency")) {
            assertSame(found, expected);
        }
        for (int j = 0; j < expected.theta().length; j++) {
            double size = Math.abs(expected.theta()[j]);
            assertThat(found.theta()[j]).isCloseTo(expected.theta()[j], within(1e-10 * (1 + size)));
            double variance = expected.covariance()[j][j]; // from differences of gradients, which magnify rounding
            assertThat(found.covariance()[j][j]).isCloseTo(variance, within(1e-7 * variance));
        }
    }

    /** Does tasks in another order, and hands results over as JSON, as machines of a cluster do. */
    private static final class OtherMachines implements TaskRunner {
        private final List<String> lists = new ArrayList<>();

        @Override
        public <R> List<R> run(TaskList<R> tasks, ProgressListener listener) {
            synchronized (lists) {
                lists.add(tasks.name());
            }
            List<R> found = new ArrayList<>();
            for (int i = tasks.count() - 1; i >= 0; i--) {
                found.addFirst(Json.whole(Json.line(tasks.task().apply(i)), tasks.type()));
            }
            return found;
        }
    }

    private static List<String> firms(boolean whole) {
        Random random = new Random(5);
        List<String> rows = new ArrayList<>(List.of("firm,period,action,demand,active,w,region"));
        for (int firm = 0; firm < 120; firm++) {
            String more =
                    "%s,r%d".formatted(whole ? 1 + random.nextInt(3) : "" + (0.1 + random.nextDouble()), firm % 15);
            int demand = random.nextInt(3);
            int active = 0;
            for (int t = 0; t < 15; t++) {
                int in = random.nextDouble() < 0.2 + 0.2 * demand + 0.3 * active ? 1 : 0;
                boolean missing = random.nextInt(20) == 0;
                if (random.nextInt(15) > 0) {
                    rows.add("f%d,%d,%s,%d,%d,%s"
                            .formatted(firm, t, missing ? "" : in == 1 ? "in" : "out", demand, active, more));
                }
                active = in;
                demand = random.nextInt(3) > 0 ? demand : random.nextInt(3);
            }
        }
        return rows;
    }
}
