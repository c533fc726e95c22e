package dev.revealed.app.train;

import dev.revealed.app.Main;
import dev.revealed.numeric.BadInput;
import dev.revealed.runs.Provenance;
import dev.revealed.runs.RunSpec;
import dev.revealed.train.RunBatch;
import dev.revealed.train.TrainingPlan;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Function;
import picocli.CommandLine;

/** The runs that a command asks for with --seeds, --runs or --forks. */
final class BatchMembers {
    /** In the spec of many runs: command and settings of each, by its name. */
    static final String RUNS = "runs";

    private static final String COMMAND = "command";
    private static final String SETTINGS = "settings";
    private static final String SEED = "seed";
    private static final String NUMBER = "fork-number";
    private static final String INTERVENE = "intervene";
    private static final String STREAMS = "fork-streams";

    private final TrainCommand command;
    private final Path folder;
    private final Map<String, String> common; // settings typed for all runs

    BatchMembers(TrainCommand command, Path folder) {
        this.command = command;
        this.folder = folder;
        common = command.typedSettings();
    }

    List<RunBatch.Member> ofSeeds(String seeds) {
        return Seeds.parse(seeds).stream()
                .map(seed -> member(Map.of(SEED, Long.toString(seed)), plan -> "seed-" + seed))
                .toList();
    }

    /** So many forks for each checkpoint, intervention and choice of streams that are typed, lists of which have commas. */
    List<RunBatch.Member> ofForks(int count) {
        String checkpoints = common.get(ForkPoint.FORK);
        BadInput.when(
                checkpoints == null, "--forks has no effect without --fork", "Name a checkpoint: --fork hopper@120.");
        BadInput.when(common.containsKey(NUMBER), "--forks and --fork-number are both given", "Leave one out.");
        List<RunBatch.Member> members = new ArrayList<>();
        for (String checkpoint : ForkPoint.each(String.valueOf(checkpoints))) {
            String point = ForkPoint.of(checkpoint, command.name()).text();
            String iteration = point.substring(point.lastIndexOf('@') + 1);
            for (String intervention : common.getOrDefault(INTERVENE, "none").split(",", -1)) {
                for (String streams : common.getOrDefault(STREAMS, "").split(",", -1)) {
                    Map<String, String> own = new TreeMap<>(Map.of(ForkPoint.FORK, point, INTERVENE, intervention));
                    if (!streams.isEmpty()) {
                        own.put(STREAMS, streams);
                    }
                    String arm =
                            "fork-%s-%s%s".formatted(iteration, intervention, streams.isEmpty() ? "" : "-" + streams);
                    for (int number = 1; number <= count; number++) {
                        own.put(NUMBER, Integer.toString(number));
                        String name = "%s-%d".formatted(arm, number);
                        members.add(member(own, plan -> name));
                    }
                }
            }
        }
        return members;
    }

    List<RunBatch.Member> ofFile(Path path) {
        record PlacedSettings(String place, Map<String, String> settings) {}
        List<PlacedSettings> runs = new ArrayList<>();
        RunsFile.read(path)
                .forEach((place, line) -> BadInput.placed(place, () -> runs(line))
                        .forEach(settings -> runs.add(new PlacedSettings(place, settings))));
        List<RunBatch.Member> members = new ArrayList<>();
        Map<String, String> places = new HashMap<>();
        for (PlacedSettings run : runs) {
            int number = members.size() + 1;
            Function<TrainingPlan, String> naming = plan ->
                    RunBatch.name(number, runs.size(), plan.environment().task(), Long.toString(plan.seed()));
            RunBatch.Member member = BadInput.placed(run.place, () -> member(run.settings, naming));
            Object forked = member.spec().settings().getOrDefault(NUMBER, "");
            String same = places.put(BatchView.kind(member) + member.plan().seed() + "#" + forked, run.place);
            if (same != null) {
                throw new BadInput(
                        "%s: the same run as %s".formatted(run.place, same), "Drop one, or give it another --seed.");
            }
            members.add(member);
        }
        return members;
    }

    /** The settings of the runs on a line: one, or one per seed. */
    private List<Map<String, String>> runs(List<String> line) {
        List<String> words = new ArrayList<>(List.of(command.name()));
        words.addAll(line);
        TrainCommand parsed = parse(words);
        parsed.refuseOptionsOfCommand();
        Map<String, String> settings = parsed.typedSettings();
        String seeds = parsed.seeds();
        if (seeds == null) {
            return List.of(settings);
        }
        if (settings.containsKey(SEED)) {
            throw new BadInput("--seed and --seeds are both given", "Leave one out.");
        }
        return Seeds.parse(seeds).stream()
                .map(seed -> {
                    Map<String, String> one = new TreeMap<>(settings);
                    one.put(SEED, Long.toString(seed));
                    return one;
                })
                .toList();
    }

    /** A run with the command that would make it alone. */
    private RunBatch.Member member(Map<String, String> own, Function<TrainingPlan, String> naming) {
        Map<String, String> typed = new LinkedHashMap<>(common);
        typed.putAll(own);
        TrainCommand.ResolvedRun run = command.resolve(command.resolution(typed));
        String name = naming.apply(run.plan());
        Path place = folder.resolve(name);
        List<String> words = new ArrayList<>(List.of(command.name()));
        typed.forEach((option, value) -> words.addAll(List.of("--" + option, value)));
        words.addAll(List.of("--out", place.toString()));
        return new RunBatch.Member(
                name, place, RunSpec.of(Provenance.of(run.plan().seed(), words), run.settings()), run.plan());
    }

    /** What the spec of many runs records of them. */
    static Map<String, Object> settings(List<RunBatch.Member> members) {
        Map<String, Object> runs = new LinkedHashMap<>();
        for (RunBatch.Member member : members) {
            RunSpec spec = member.spec();
            runs.put(member.name(), Map.of(COMMAND, spec.provenance().command(), SETTINGS, spec.settings()));
        }
        return Map.of(RUNS, runs);
    }

    /** The runs as they were started. */
    static List<RunBatch.Member> recorded(Resumption resumed, Map<?, ?> runs) {
        List<RunBatch.Member> members = new ArrayList<>();
        runs.forEach((name, value) -> {
            try {
                Map<?, ?> run = (Map<?, ?>) value;
                Map<String, Object> settings = new TreeMap<>();
                ((Map<?, ?>) Objects.requireNonNull(run.get(SETTINGS)))
                        .forEach((key, each) -> settings.put(String.valueOf(key), each));
                List<String> words = ((List<?>) Objects.requireNonNull(run.get(COMMAND)))
                        .stream().map(String::valueOf).toList();
                TrainCommand.ResolvedRun resolved = resumed.run(settings);
                members.add(new RunBatch.Member(
                        String.valueOf(name),
                        resumed.folder().resolve(String.valueOf(name)),
                        RunSpec.of(Provenance.of(resolved.plan().seed(), words), settings),
                        resolved.plan()));
            } catch (ClassCastException | NullPointerException e) {
                throw new BadInput(
                        "the spec in %s does not say which runs were started".formatted(resumed.folder()),
                        "Begin again in another folder.");
            } catch (BadInput e) {
                throw e.in(String.valueOf(name));
            }
        });
        return members;
    }

    private static TrainCommand parse(List<String> words) {
        CommandLine line = Main.commandLine();
        String help = "All options: ./revealed %s --help".formatted(words.getFirst());
        try {
            line.parseArgs(words.toArray(String[]::new));
        } catch (CommandLine.UnmatchedArgumentException e) {
            List<String> close = e.getSuggestions();
            throw new BadInput(
                    String.valueOf(e.getMessage()),
                    (close.isEmpty() ? "" : "Did you mean %s? ".formatted(String.join(" or ", close))) + help);
        } catch (CommandLine.ParameterException e) {
            throw new BadInput(Main.problem(e), help);
        }
        return (TrainCommand) line.getParseResult().subcommand().commandSpec().userObject();
    }
}
