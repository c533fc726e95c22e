package dev.revealed.app.train;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.revealed.app.Main;
import dev.revealed.app.MujocoHere;
import dev.revealed.app.Repository;
import dev.revealed.studies.ImitationAim;
import dev.revealed.studies.ImitationTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The files of runs that are published with their results. */
class PublishedRunsTest {
    /** What the command of the rivals' page says for all trials. */
    private static final Map<String, String> IN_COMMON = Map.of(
            "trajectories", "1",
            "iterations", "400",
            "update-ratio", "2",
            "evaluate-every", "20",
            "episodes", "3",
            "checkpoint-every", "100");

    /** The files by which the rows of the table are made: every line is a command, and together they are all aims. */
    @Test
    void filesOfRunsAskForEveryAim() throws IOException {
        Path root = Repository.root();
        List<ImitationTable.Key> keys = new ArrayList<>();
        List<String> reused = new ArrayList<>();
        List<Path> files;
        try (var all = Files.list(root.resolve("results/table1/runs"))) {
            files = all.sorted().toList();
        }
        for (Path file : files) {
            for (List<String> line : RunsFile.read(file).values()) {
                var parsed = Main.commandLine();
                boolean fresh = file.endsWith("fresh.txt");
                List<String> words = new ArrayList<>(List.of(fresh ? "expert" : "imitate"));
                words.addAll(line);
                parsed.parseArgs(words.toArray(String[]::new));
                TrainCommand command = (TrainCommand)
                        parsed.getParseResult().subcommand().commandSpec().userObject();
                Map<String, String> typed = command.typedOptions();
                if (fresh) {
                    reused.add(typed.getOrDefault("task", ""));
                    continue;
                }
                String demos =
                        Path.of(typed.getOrDefault("demos", "")).getFileName().toString();
                boolean state = "state".equals(typed.get("reward"));
                Map<String, String> options = typed.keySet().stream()
                        .filter(name -> List.of("iterations", "simulators").contains(name))
                        .collect(Collectors.toMap(name -> name, name -> ""));
                int seeds = Seeds.parse(typed.getOrDefault("seeds", "1")).size();
                IntStream.range(0, seeds)
                        .forEach(seed -> keys.add(new ImitationTable.Key(
                                typed.getOrDefault("task", ""),
                                demos,
                                Integer.parseInt(typed.getOrDefault("trajectories", "0")),
                                "bc".equals(typed.get("method"))
                                        ? ImitationTable.Method.BC
                                        : state ? ImitationTable.Method.ML_IRL_S : ImitationTable.Method.ML_IRL_SA,
                                typed.getOrDefault("preset", "revealed"),
                                options)));
            }
        }
        assertThat(reused).contains("hopper", "halfcheetah");
        assertThat(ImitationAim.ALL)
                .allSatisfy(aim -> assertThat(keys)
                        .as(aim.toString())
                        .filteredOn(aim::concerns)
                        .hasSizeGreaterThanOrEqualTo(aim.seeds()));
    }

    /** Trials of every rival: at least twenty runs of 400,000 steps, on the seeds that settings may be chosen by. */
    @Test
    void trialsOfRivalsAreTwentyOnTheChoosingSeeds() throws IOException {
        for (String method : List.of("gail", "sqil", "airl", "f-irl", "iq-learn")) {
            Path file = Repository.root().resolve("results/rivals/trials/%s.txt".formatted(method));
            int runs = 0;
            for (List<String> line : RunsFile.read(file).values()) {
                var parsed = Main.commandLine();
                List<String> words = new ArrayList<>(List.of("imitate"));
                words.addAll(line);
                parsed.parseArgs(words.toArray(String[]::new));
                TrainCommand command = (TrainCommand)
                        parsed.getParseResult().subcommand().commandSpec().userObject();
                Map<String, String> typed = command.typedOptions();
                List<Long> seeds = Seeds.parse(typed.getOrDefault("seeds", typed.getOrDefault("seed", "")));
                assertThat(typed).containsEntry("method", method);
                assertThat(seeds).isNotEmpty().isSubsetOf(1L, 2L, 3L);
                runs += seeds.size();
            }
            assertThat(runs).as(method).isGreaterThanOrEqualTo(20);
        }
    }

    /** Each line is a run that today's settings accept, of the length that the page says. */
    @Test
    void trialsOfRivalsAreAcceptedToday() throws IOException {
        MujocoHere.assume();
        Path root = Repository.root();
        String page = Files.readString(root.resolve("results/rivals/README.md"));
        IN_COMMON.forEach((name, value) -> assertThat(page).contains("--%s %s ".formatted(name, value)));
        for (String method : List.of("gail", "sqil", "airl", "f-irl", "iq-learn")) {
            Path file = root.resolve("results/rivals/trials/%s.txt".formatted(method));
            for (List<String> line : RunsFile.read(file).values()) {
                var parsed = Main.commandLine();
                List<String> words = new ArrayList<>(List.of("imitate"));
                words.addAll(line);
                parsed.parseArgs(words.toArray(String[]::new));
                TrainCommand command = (TrainCommand)
                        parsed.getParseResult().subcommand().commandSpec().userObject();
                Map<String, String> typed = new TreeMap<>(IN_COMMON);
                typed.putAll(command.typedOptions());
                typed.remove("seeds");
                Path demos = root.resolve(typed.getOrDefault("demos", ""));
                assumeThat(demos).as("demonstrations").exists();
                typed.put("demos", demos.toString());
                assertThat(command.resolve(command.resolution(typed)).plan().steps())
                        .as(line.toString())
                        .isEqualTo(400_000);
            }
        }
    }
}
