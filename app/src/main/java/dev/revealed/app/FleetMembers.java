package dev.revealed.app;

import dev.revealed.numeric.BadInput;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/** The runs that a command asks for with --seeds or --runs: each as the command line that would make it alone. */
final class FleetMembers {
    /** What is said of all runs together, and so not handed on to each. */
    private static final Set<String> OF_ALL = TrainCommand.ofCommandAnd("--seeds", "--runs", "--help");

    /** What is not for a line of a file of runs. */
    private static final Set<String> NOT_OF_ONE = TrainCommand.ofCommandAnd("--runs", "--device", "--help", "-h");

    private final Path folder;
    private final String verb;
    private final Map<String, String>
            common; // options for all runs, by name, with what stands after; flags have nothing

    private FleetMembers(Path folder, TrainCommand command) {
        this.folder = folder;
        verb = command.name();
        common = options(command);
    }

    static List<Fleet.Member> ofSeeds(TrainCommand command, String seeds, Path folder) {
        FleetMembers members = new FleetMembers(folder, command);
        return Seeds.parse(seeds).stream()
                .map(seed -> members.member("seed-" + seed, Map.of("--seed", Long.toString(seed))))
                .toList();
    }

    static List<Fleet.Member> ofFile(TrainCommand command, Path file, Path folder) {
        return new FleetMembers(folder, command).of(RunsFile.read(file));
    }

    /** As they were begun. */
    static List<Fleet.Member> remembered(Map<String, List<String>> commands, Path folder) {
        return commands.entrySet().stream()
                .map(each -> member(each.getKey(), each.getValue(), folder))
                .toList();
    }

    private List<Fleet.Member> of(RunsFile file) {
        record Placed(String place, Map<String, String> options) {}
        List<Placed> runs = new ArrayList<>();
        for (RunsFile.Line line : file.lines()) {
            String place = file.place(line);
            try {
                for (Map<String, String> options : runs(line)) {
                    runs.add(new Placed(place, options));
                }
            } catch (BadInput e) {
                throw e.in(place);
            }
        }
        int digits = Math.max(2, Integer.toString(runs.size()).length());
        List<Fleet.Member> members = new ArrayList<>();
        Map<String, String> places = new HashMap<>();
        for (Placed run : runs) {
            Fleet.Member member;
            try {
                member = member(members.size() + 1, digits, run.options);
            } catch (BadInput e) {
                throw e.in(run.place);
            }
            String same = places.put(FleetView.kind(member) + member.plan().seed(), run.place);
            if (same != null) {
                throw new BadInput(
                        "%s: the same run as %s".formatted(run.place, same), "Drop one, or give it another --seed.");
            }
            members.add(member);
        }
        return members;
    }

    /** The options of the runs on a line: one, or one per seed. */
    private List<Map<String, String>> runs(RunsFile.Line line) {
        for (String word : line.words()) {
            String name = word.replaceFirst("=.*", "");
            if (NOT_OF_ONE.contains(name)) {
                throw new BadInput(name + " is not for one run", "Give it on the command line, for all of them.");
            }
        }
        List<String> words = new ArrayList<>(List.of(verb));
        words.addAll(line.words());
        TrainCommand command = parse(words);
        Map<String, String> options = options(command);
        String seeds = command.seeds();
        if (seeds == null) {
            return List.of(options);
        }
        if (options.containsKey("--seed")) {
            throw new BadInput("--seed and --seeds are both given", "Leave one out.");
        }
        return Seeds.parse(seeds).stream()
                .map(seed -> {
                    Map<String, String> one = new LinkedHashMap<>(options);
                    one.put("--seed", Long.toString(seed));
                    return one;
                })
                .toList();
    }

    /** A run by its number; its name tells the task and the seed too, which only the parsed command knows. */
    private Fleet.Member member(int number, int digits, Map<String, String> own) {
        TrainingPlan plan = parse(words(own)).plan();
        String name = "%0" + digits + "d-%s-seed-%d";
        return member(name.formatted(number, plan.physics().task(), plan.seed()), own);
    }

    private Fleet.Member member(String name, Map<String, String> own) {
        List<String> words = words(own);
        words.add("--out");
        words.add(folder.resolve(name).toString());
        return member(name, words, folder);
    }

    private static Fleet.Member member(String name, List<String> words, Path folder) {
        TrainCommand command = parse(words);
        return new Fleet.Member(name, folder.resolve(name), List.copyOf(words), command.plan(), command.resolved());
    }

    private List<String> words(Map<String, String> own) {
        Map<String, String> options = new LinkedHashMap<>(common);
        options.putAll(own);
        List<String> words = new ArrayList<>(List.of(verb));
        options.forEach((name, value) -> {
            words.add(name);
            if (!value.isEmpty()) {
                words.add(value);
            }
        });
        return words;
    }

    /** What was typed, without what is said of all runs together. */
    private static Map<String, String> options(TrainCommand command) {
        Map<String, String> options = new LinkedHashMap<>(command.typed());
        for (OptionSpec option : command.matched()) {
            if (option.getValue() instanceof Boolean flag) {
                if (flag) {
                    options.put(option.longestName(), "");
                } else {
                    options.remove(option.longestName());
                }
            }
        }
        options.keySet().removeAll(OF_ALL);
        return options;
    }

    private static TrainCommand parse(List<String> words) {
        CommandLine line = Main.commandLine();
        String help = "For what there is: ./revealed %s --help".formatted(words.getFirst());
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
