package dev.revealed.app.estimate;

import dev.revealed.app.BaseCommand;
import dev.revealed.app.Outcome;
import dev.revealed.app.view.HeatMap;
import dev.revealed.app.view.Panels;
import dev.revealed.app.view.TerminalHeatMap;
import dev.revealed.data.Trajectories;
import dev.revealed.estimate.Estimate;
import dev.revealed.estimate.MlIrl;
import dev.revealed.estimate.Problem;
import dev.revealed.mdp.Demonstrations;
import dev.revealed.mdp.LinearReward;
import dev.revealed.mdp.Trajectory;
import dev.revealed.mdp.model.GridWorld;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Vec;
import dev.revealed.runs.Json;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.zip.GZIPInputStream;
import picocli.CommandLine.Command;

/** The main job on embedded data, for a first look. */
@Command(
        name = "demo",
        description =
                "Recover a reward from embedded walks on a small board, and an owner's costs from embedded buses: a"
                        + " first look in seconds.",
        footer = {"", "Example:", "  ./revealed demo"})
public final class DemoCommand extends BaseCommand {
    private static final int SIZE = 8;
    private static final double DISCOUNT = 0.9;

    @Override
    protected Outcome outcome(ProgressListener listener) {
        Models.Model model = Models.of(Models.Name.GRIDWORLD, SIZE, DISCOUNT, RandomStream.of(seed()));
        LinearReward reward = model.data().features().orElseThrow();
        Problem problem = Problem.of(model.data().mdp(), reward, walks(model));
        double[][] visits = visits(problem.demonstrations());
        say("""
                Revealed recovers why someone acts as they do.

                Observed: %d walks of %d steps on a board of %d x %d. The fuller a cell, the more often it was visited (square roots):
                """.formatted(
                        problem.demonstrations().size(),
                        problem.demonstrations().trajectories().getFirst().length(),
                        SIZE,
                        SIZE));
        say(TerminalHeatMap.of(roots(visits)).render(colour()));

        Estimate estimate = MlIrl.preconditioned().tracing(30).fit(problem, RandomStream.of(seed()), listener);
        double[][] recovered = board(reward, estimate.theta());
        double[][] truth = board(reward, model.theta());
        say("Recovered by ML-IRL, the single loop of Zeng, Hong and Garcia. The reward of each cell:\n");
        say(TerminalHeatMap.of(recovered).diverging().render(colour()));

        Outcome fit = EstimateView.of(estimate, problem, seed());
        say(fit.text()
                + "\nThe walks were made with home = 2, mud = -1.5, shade = 0.5; 95 % intervals contain the truth 19 times in"
                + " 20.\n");

        double reach = Math.max(Vec.maxAbs(estimate.theta()), Vec.maxAbs(model.theta()));
        BusDemo buses = new BusDemo(seed(), listener);
        Outcome both = fit.picture(
                        "demo",
                        Panels.row(
                                "Observed visits, recovered reward, true reward",
                                map("Visits", visits).counts(),
                                map("Recovered reward", recovered)
                                        .diverging(reach)
                                        .annotated(2),
                                map("True reward", truth).diverging(reach).annotated(2)),
                        "Left: how often each cell was visited. Middle and right: rewards.")
                .map(Board.of(model.data().mdp().kernel())
                        .orElseThrow()
                        .map(problem, estimate.theta())
                        .with(
                                "true reward",
                                Arrays.stream(truth)
                                        .flatMapToDouble(Arrays::stream)
                                        .toArray()))
                .report(page -> page.heading("For economists")
                        .table(buses.table())
                        .table(buses.demand()
                                .titled("Replacements of a bus in the long run, by what an engine costs")));
        both = buses.pictures().addTo(both, "buses-");
        return new Outcome(
                document(fit, buses),
                buses.text() + """

                        Next: ./revealed simulate --model gridworld --out example, then ./revealed estimate --help
                          or: ./revealed simulate --model rust-bus --out buses
                              ./revealed estimate --model rust-bus --data buses/panel.csv --out fit
                              ./revealed counterfactual --from fit --set RC=5
                        All of it in the browser: ./revealed studio
                        """,
                both.report(),
                both.pictures(),
                both.file("buses.csv", buses.table().toCsv()).files());
    }

    /** That of the walks, as of any fit, with those of the buses in it. */
    private Map<?, ?> document(Outcome walks, BusDemo buses) {
        Map<Object, Object> document = new LinkedHashMap<>();
        Map<?, ?> own = Json.read(Json.line(walks.document()), Map.class);
        own.forEach(document::put);
        document.put("buses", buses.documents());
        return document;
    }

    /** Small, so that labels stay legible where three maps share the width of a page. */
    private static HeatMap map(String title, double[][] values) {
        return HeatMap.of(title, values).size(320, 310);
    }

    private static Demonstrations walks(Models.Model model) {
        return embedded(
                "demo-walks.csv", walks -> Trajectories.read(walks, model.data().mdp()));
    }

    /** Reads an embedded file, which is packed, by a reader of files. */
    static <T> T embedded(String name, Function<Path, T> reader) {
        String packed = name + ".gz";
        try (InputStream in =
                new GZIPInputStream(Objects.requireNonNull(DemoCommand.class.getResourceAsStream(packed), packed))) {
            Path copy = Files.createTempFile("revealed-demo-", ".csv");
            try {
                Files.copy(in, copy, StandardCopyOption.REPLACE_EXISTING);
                return reader.apply(copy);
            } finally {
                Files.deleteIfExists(copy);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static double[][] visits(Demonstrations walks) {
        double[][] visits = new double[SIZE][SIZE];
        for (Trajectory walk : walks.trajectories()) {
            for (int state : walk.states()) {
                visits[state / SIZE][state % SIZE]++;
            }
        }
        return visits;
    }

    /** The walker is home so often that plain counts would show nothing else. */
    private static double[][] roots(double[][] counts) {
        return Arrays.stream(counts)
                .map(row -> Arrays.stream(row).map(Math::sqrt).toArray())
                .toArray(double[][]::new);
    }

    private static double[][] board(LinearReward reward, double[] theta) {
        double[] rows = new double[SIZE * SIZE * GridWorld.ACTIONS];
        reward.values(theta, rows);
        double[][] board = new double[SIZE][SIZE];
        for (int i = 0; i < SIZE; i++) {
            for (int j = 0; j < SIZE; j++) {
                board[i][j] = rows[(i * SIZE + j) * GridWorld.ACTIONS];
            }
        }
        return board;
    }
}
