package dev.revealed.data.model;

import static dev.revealed.data.Fixtures.refused;
import static dev.revealed.data.Fixtures.shared;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.revealed.data.ChoiceData;
import dev.revealed.data.Panels;
import dev.revealed.data.RustBusFiles;
import dev.revealed.mdp.choice.ChoiceModel;
import dev.revealed.mdp.choice.Panel;
import dev.revealed.mdp.model.RustBus;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.numeric.RandomStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The models of the folder examples. */
class ExampleModelsTest {
    private static final Path BUS = Path.of("../examples/bus.yaml"); // tests run in the module's folder
    private static final Path ENTRY = Path.of("../examples/entry.yaml");

    @TempDir
    private Path folder;

    private static double[] uniform(ChoiceModel model) {
        double[] start = new double[model.states()];
        Arrays.fill(start, 1.0 / start.length);
        return start;
    }

    /** Log-likelihood of the choices. */
    private static double logLikelihood(ChoiceModel model, Panel panel, double[] theta, double[] phi) {
        double[] logPolicy = model.solve(theta, phi).logPolicy();
        double sum = 0;
        for (Panel.Individual individual : panel.individuals()) {
            int[] actions = individual.choices().actions();
            for (int t = 0; actions != null && t < actions.length; t++) {
                sum += logPolicy[
                        individual.choices().states()[t] * model.actions().size() + actions[t]];
            }
        }
        return sum;
    }

    private static double[] firstStage(ChoiceModel model, Panel panel) {
        double[][][] moves = panel.moves(model.law());
        double[] phi = new double[model.law().parameters()];
        for (int v = 0; v < moves.length; v++) {
            double[] own = model.law().parts().get(v).family().fit(moves[v]);
            System.arraycopy(own, 0, phi, model.law().first(v), own.length);
        }
        return phi;
    }

    @Test
    void theBusIsTheBuiltInOne() {
        ChoiceModel bus = ModelFile.read(BUS, Map.of("discount", "0.99")).model();
        ChoiceModel builtIn = RustBus.of(90, 2, 0.99, RustBus.Cost.LINEAR);
        double[] theta = {10, 3};
        double[] phi = {0.35, 0.6};
        assertThat(bus.utility().names()).isEqualTo(builtIn.utility().names());
        assertThat(bus.law().names()).isEqualTo(builtIn.law().names());
        Panel panel = builtIn.simulate(theta, phi, uniform(builtIn), 50, 40, RandomStream.of(1));
        assertThat(logLikelihood(bus, panel, theta, phi))
                .isCloseTo(logLikelihood(builtIn, panel, theta, phi), within(1e-9));
        assertThat(panel.moves(bus.law())).isDeepEqualTo(panel.moves(builtIn.law()));
        assertThat(bus.law().kernel(phi).probability())
                .containsExactly(builtIn.law().kernel(phi).probability());
    }

    /** Rust's own data: the maximal log-likelihood of the choices is -300.250 (his Table VIII, groups 1-4). */
    @Test
    void theBusReadsRustsData() {
        Path rust = shared("data/rust_bus_groups_1_to_4.csv");
        ChoiceData builtIn = RustBusFiles.read(rust, RustBusFiles.Settings.standard(), ProgressListener.NONE);
        ChoiceData bus = ModelFile.read(BUS, Map.of()).panel(rust, ProgressListener.NONE);
        double[] theta = {9.7557, 2.6276};
        double[] phi = firstStage(builtIn.model(), builtIn.panel());
        assertThat(bus.panel().decisions()).isEqualTo(8156);
        assertThat(logLikelihood(bus.model(), bus.panel(), theta, phi))
                .isCloseTo(-300.250, within(5e-4))
                .isCloseTo(logLikelihood(builtIn.model(), builtIn.panel(), theta, phi), within(1e-8));
    }

    @Test
    void theBusComesBackAsWritten() {
        ModelFile file = ModelFile.read(BUS, Map.of("bins", "30", "discount", "0.9"));
        ChoiceModel model = file.model();
        assertThat(model.states()).isEqualTo(30);
        Panel panel = model.simulate(
                new double[] {4, 200}, new double[] {0.3, 0.5}, uniform(model), 20, 15, RandomStream.of(2));
        file.write(folder.resolve("bus.csv"), panel);
        Panel again =
                file.panel(folder.resolve("bus.csv"), ProgressListener.NONE).panel();
        assertThat(again.moves(model.law())).isDeepEqualTo(panel.moves(model.law()));
        assertThat(again.decisions()).isEqualTo(panel.decisions() - 20); // the first of each is skipped
    }

    @Test
    void entryComesBackAsWrittenAndIsEstimated() throws IOException {
        ModelFile file = ModelFile.read(ENTRY, Map.of());
        ChoiceModel model = file.model();
        assertThat(model.states()).isEqualTo(9 * 4 * 2);
        assertThat(model.utility().names()).containsExactly("fixed", "size", "rivalry", "entry");
        assertThat(model.law().names()).hasSize(3 + 4 * 3).startsWith("mu", "rho", "sigma", "P(rivals=0|rivals=0)");
        double[] phi = new double[15];
        Arrays.fill(phi, 0.25);
        phi[0] = 0.1;
        phi[1] = 0.8;
        phi[2] = 0.5;
        double[] theta = {0.5, 1, 0.8, 2};
        Panel panel = model.simulate(theta, phi, uniform(model), 400, 25, RandomStream.of(3));
        file.write(folder.resolve("firms.csv"), panel);
        assertThat(Files.readAllLines(folder.resolve("firms.csv")))
                .startsWith("firm,year,action,log_size,rivals,active");
        ChoiceData again = file.panel(folder.resolve("firms.csv"), ProgressListener.NONE);
        assertThat(again.panel().moves(model.law())).isDeepEqualTo(panel.moves(model.law()));
        assertThat(again.panel().choices().hash()).isEqualTo(panel.choices().hash());
        assertThat(again.warnings()).isEmpty();
        double[] fitted = firstStage(model, again.panel());
        assertThat(fitted).containsExactly(phi, within(0.03)); // 10,000 moves: about 0.005 of standard error
        // the truth explains the choices better than anything a standard error or more away in any direction
        double best = logLikelihood(model, panel, theta, phi);
        for (int j = 0; j < theta.length; j++) {
            for (double step : List.of(-0.5, 0.5)) {
                double[] other = theta.clone();
                other[j] += step;
                assertThat(logLikelihood(model, panel, other, phi)).isLessThan(best);
            }
        }
    }

    @Test
    void standardColumnsComeBackAsWritten() {
        ChoiceModel model = ModelFile.read(ENTRY, Map.of()).model();
        double[] phi = new double[15];
        Arrays.fill(phi, 0.25);
        Panel panel = model.simulate(new double[4], phi, uniform(model), 3, 4, RandomStream.of(4));
        Panels.write(folder.resolve("panel.csv"), model, panel);
        Panel again = Panels.read(folder.resolve("panel.csv"), model, ProgressListener.NONE);
        assertThat(again.choices().hash()).isEqualTo(panel.choices().hash());
        assertThat(again.moves(model.law())).isDeepEqualTo(panel.moves(model.law()));
        refused(
                () -> ModelFile.read(ENTRY, Map.of()).panel(folder.resolve("panel.csv"), ProgressListener.NONE),
                "panel.csv, line 1",
                "no column 'firm'",
                "under data: in entry.yaml");
    }

    @Test
    void warnsOfCellsNeverVisited() {
        ModelFile file = ModelFile.read(ENTRY, Map.of());
        double[] phi = new double[15];
        Arrays.fill(phi, 0.25);
        Panel panel = file.model().simulate(new double[4], phi, uniform(file.model()), 1, 1, RandomStream.of(5));
        assertThat(new ChoiceData(file.model(), panel).warnings())
                .singleElement()
                .asString()
                .contains("rivals", "3 of 4");
    }
}
