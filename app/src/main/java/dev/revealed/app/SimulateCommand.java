package dev.revealed.app;

import dev.revealed.app.view.Report;
import dev.revealed.app.view.Table;
import dev.revealed.app.view.Table.Column;
import dev.revealed.data.ProcessData;
import dev.revealed.data.ProcessFiles;
import dev.revealed.data.Trajectories;
import dev.revealed.mdp.Demonstrations;
import dev.revealed.mdp.InformationCost;
import dev.revealed.mdp.LinearReward;
import dev.revealed.mdp.Simulation;
import dev.revealed.mdp.SoftPolicy;
import dev.revealed.mdp.SoftProcess;
import dev.revealed.mdp.SoftSolver;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.numeric.RandomStream;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Draws trajectories of a soft-optimal agent, and writes them with their process in every format estimate reads. */
@Command(
        name = "simulate",
        description = "Draw trajectories of an agent with a known reward, and write them with their process.",
        footer = {
            "",
            "Example:",
            "  ./revealed simulate --model gridworld --out example",
            "  ./revealed estimate --mdp example/mdp.npz --trajectories example/trajectories.csv"
        })
final class SimulateCommand extends Verb {
    @Option(names = "--model", description = "Built-in process: ${COMPLETION-CANDIDATES} (default: gridworld).")
    private Models.Name model = Models.Name.GRIDWORLD;

    @Option(names = "--size", paramLabel = "N", description = "Side of the board, or number of states (default: 8).")
    private int size = 8;

    @Mixin
    private ProcessOptions files = new ProcessOptions();

    @Option(
            names = "--parameters",
            paramLabel = "NAME=VALUE",
            split = ",",
            description = "True reward for a process of your own, for example home=2,mud=-1.")
    private Map<String, Double> parameters = new LinkedHashMap<>();

    @Option(names = "--trajectories", paramLabel = "N", description = "How many (default: ${DEFAULT-VALUE}).")
    private int count = 200;

    @Option(names = "--length", paramLabel = "T", description = "Decisions in each (default: ${DEFAULT-VALUE}).")
    private int length = 30;

    @Option(names = "--states-only", description = "Leave the actions out.")
    private boolean statesOnly;

    /** What the document says of a simulation. */
    record Document(
            int states,
            int actions,
            double discount,
            int trajectories,
            int length,
            long seed,
            String dataHash,
            List<String> files) {}

    @Override
    Outcome outcome(ProgressListener listener) {
        if (count < 1 || length < 1) {
            throw new BadInput("%d trajectories of length %d".formatted(count, length), "Both must be at least 1.");
        }
        RandomStream stream = RandomStream.of(seed());
        Models.Model builtIn = files.given() ? null : Models.of(model, size, files.discount(0.9), stream);
        Models.Model made = builtIn != null && parameters.isEmpty()
                ? builtIn
                : own(builtIn == null ? files.read() : builtIn.data());
        ProcessData data = made.data();
        InformationCost cost = files.cost(data);
        double[] reward = data.trueReward().orElseThrow();
        SoftProcess process = new SoftProcess(data.mdp(), cost);
        SoftPolicy policy = SoftPolicy.start(process);
        new SoftSolver(process).solve(reward, policy, 1e-10).orThrow();
        Demonstrations drawn = new Simulation(data.mdp(), policy.logPolicy())
                .demonstrations(count, length, stream.named("trajectories"));
        Demonstrations kept = statesOnly ? drawn.statesOnly() : drawn;

        Table table = Table.of(Column.text("parameter"), Column.number("value", 6));
        StringBuilder truth = new StringBuilder("parameter,value\n");
        List<String> names = data.features().map(LinearReward::names).orElse(List.of());
        for (int j = 0; j < names.size() && j < made.theta().length; j++) {
            table = table.row(names.get(j), made.theta()[j]);
            truth.append(names.get(j)).append(',').append(made.theta()[j]).append('\n');
        }
        Outcome outcome = new Outcome(
                new Document(
                        data.mdp().states(),
                        data.mdp().actions(),
                        data.mdp().discount(),
                        count,
                        length,
                        seed(),
                        kept.hash(),
                        List.of(
                                "mdp.npz",
                                "kernel.csv",
                                "features.csv",
                                "start.csv",
                                "trajectories.csv",
                                "truth.csv",
                                "parameters.csv")),
                "Simulated %d trajectories of %d decisions on %d states.\nThe true reward:\n%s"
                        .formatted(count, length, data.mdp().states(), table.toText()),
                Report.titled("A simulation").table(table.titled("The true reward")),
                Map.of(),
                Map.of("parameters.csv", truth.toString()));
        return outcome.writing(folder -> {
            ProcessFiles.writeNpz(folder.file("mdp.npz"), data);
            ProcessFiles.writeCsv(folder.path(), data);
            Trajectories.write(folder.file("trajectories.csv"), kept);
        });
    }

    /** A process of the user's own, with the reward given on the command line or in its file. */
    private Models.Model own(ProcessData data) {
        if (parameters.isEmpty()) {
            if (data.trueReward().isEmpty()) {
                throw new BadInput(
                        "no true reward to simulate from",
                        "Give --parameters name=value,..., or a reward array in the NPZ file.");
            }
            return new Models.Model(data, new double[0]);
        }
        LinearReward reward = data.features()
                .orElseThrow(() -> new BadInput("--parameters without features", "Give --features too."));
        double[] theta = new double[reward.parameters()];
        parameters.forEach((name, value) -> {
            int j = reward.names().indexOf(name);
            if (j < 0) {
                throw new BadInput(
                        "--parameters names %s, which is no feature".formatted(name),
                        "The features are " + String.join(", ", reward.names()) + ".");
            }
            theta[j] = BadInput.finite("parameter " + name, value);
        });
        double[] rows = new double[data.mdp().rows()];
        reward.values(theta, rows);
        return new Models.Model(
                new ProcessData(
                        data.mdp(), data.startGiven(), data.features(), data.reference(), java.util.Optional.of(rows)),
                theta);
    }
}
