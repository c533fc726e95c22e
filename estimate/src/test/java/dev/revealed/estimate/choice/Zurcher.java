package dev.revealed.estimate.choice;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.revealed.mdp.Trajectory;
import dev.revealed.mdp.choice.Panel;
import dev.revealed.mdp.model.RustBus;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Rust's buses, groups 1 to 4, from the folder beside the repository that holds data of others. */
public final class Zurcher {
    private Zurcher() {}

    /** Skips the test where the file is absent. */
    public static ChoiceProblem problem(int bins, double discount, RustBus.Cost cost) {
        int largest = bins == 90 ? 2 : 5;
        return new ChoiceProblem(RustBus.of(bins, largest, discount, cost), panel(bins));
    }

    private record Reading(int state, int decision, int increment) {}

    private static Panel panel(int bins) {
        Map<String, List<Reading>> buses = new LinkedHashMap<>();
        try {
            List<String> lines = Files.readAllLines(file());
            List<String> header = List.of(lines.getFirst().split(",", -1));
            for (String line : lines.subList(1, lines.size())) {
                String[] fields = line.split(",", -1);
                String increment = fields[header.indexOf("increment" + bins)];
                buses.computeIfAbsent(fields[header.indexOf("bus_id")], bus -> new ArrayList<>())
                        .add(new Reading(
                                Integer.parseInt(fields[header.indexOf("state" + bins)]),
                                Integer.parseInt(fields[header.indexOf("decision")]),
                                increment.isEmpty() ? -1 : Integer.parseInt(increment)));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        List<Panel.Individual> individuals = new ArrayList<>();
        buses.forEach((bus, readings) -> individuals.add(individual(bus, readings)));
        return new Panel(individuals);
    }

    private static Panel.Individual individual(String bus, List<Reading> readings) {
        int n = readings.size() - 1;
        int[] states = new int[n];
        int[] actions = new int[n];
        int[][] cells = new int[1][n];
        int[][] outcomes = new int[1][n];
        for (int t = 0; t < n; t++) {
            Reading before = readings.get(t);
            Reading now = readings.get(t + 1);
            states[t] = now.state;
            actions[t] = now.decision;
            cells[0][t] = before.decision == RustBus.REPLACE ? 0 : before.state;
            outcomes[0][t] = now.increment;
        }
        return new Panel.Individual(bus, new Trajectory(states, actions), cells, outcomes);
    }

    private static Path file() {
        String name = "shared/data/rust_bus_groups_1_to_4.csv";
        for (Path folder = Path.of("").toAbsolutePath(); folder != null; folder = folder.getParent()) {
            if (Files.exists(folder.resolve(name))) {
                return folder.resolve(name);
            }
        }
        assumeTrue(false, "SKIPPED: there is no " + name + " beside the repository");
        throw new AssertionError();
    }
}
