package dev.revealed.studies;

import dev.revealed.imitate.BehaviourCloning;
import dev.revealed.imitate.Details;
import dev.revealed.imitate.ImitationMethod;
import dev.revealed.imitate.MlIrl;
import dev.revealed.imitate.Preset;
import dev.revealed.imitate.rivals.Airl;
import dev.revealed.imitate.rivals.FIrl;
import dev.revealed.imitate.rivals.Gail;
import dev.revealed.imitate.rivals.IqLearn;
import dev.revealed.imitate.rivals.OfflineIqLearn;
import dev.revealed.imitate.rivals.Sqil;
import dev.revealed.imitate.world.OfflineMlIrl;
import dev.revealed.settings.Item;
import dev.revealed.studies.ImitationTable.Method;
import dev.revealed.studies.tables.RecordedExpert;
import dev.revealed.studies.tables.Stage;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The runs that the protocol of table 1 asks for, and which of them are made: what {@code reproduce table1 --plan} shows.
 *
 * @param cells of the main table, then of the one with one trajectory
 * @param runs that are missing
 * @param machineSeconds that these take where {@code atOnce} of them train at a time; NaN where some cell is unknown
 */
public record Table1Plan(List<Cell> cells, int atOnce, int runs, double machineSeconds) {
    private static final String PRESET = "revealed";
    private static final String HUMANOID = "humanoid";
    private static final String HUMANOID_FOLDER = "out/humanoid-demos";
    private static final String HUMANOID_DEMOS = HUMANOID_FOLDER + "/demonstrations.npz";

    /** Whose demonstrations those are. */
    private static final RecordedExpert HUMANOID_EXPERT = new RecordedExpert(
            "results/gpu/humanoid", HUMANOID, Path.of(HUMANOID_FOLDER), Path.of("out/humanoid-expert"));

    private static final int BLOCK = 1000; // steps of an iteration with that preset
    private static final List<Long> SEEDS = List.of(201L, 202L, 203L, 204L, 205L);
    private static final List<Method> METHODS =
            List.of(Method.BC, Method.GAIL, Method.IQ_LEARN, Method.F_IRL, Method.ML_IRL_S, Method.ML_IRL_SA);

    /** Tasks of the paper's table that AIRL is run on, which the paper leaves out as weak. */
    private static final Set<String> OF_AIRL = Set.of("hopper", "halfcheetah");

    /** Settings that may be typed for a run of the table: they say what it is, how long and where. */
    private static final Set<String> TYPED = Set.of(
            "task",
            "demos",
            "trajectories",
            "reward",
            "preset",
            "method",
            "seed",
            "iterations",
            "simulators",
            "device",
            "evaluate-every",
            "checkpoint-every",
            "threads");

    /** A task of the paper's table, with its demonstrations and how many iterations a run has. */
    private record Task(String name, String demos, int iterations) {
        static final List<Task> ALL = List.of(
                new Task("hopper", "../shared/demos/hopper.npz", 300),
                new Task("halfcheetah", "../shared/demos/halfcheetah.npz", 300),
                new Task("walker2d", "../shared/demos/walker2d.npz", 1000),
                new Task("ant", "../shared/demos/ant.npz", 1000),
                new Task(HUMANOID, HUMANOID_DEMOS, 1000));
    }

    /**
     * A method on a task.
     *
     * @param seeds of all its runs, and {@code missing} of those that are not made yet
     * @param secondsOfARun judged by finished runs; NaN where there are none to judge by
     * @param settings of the missing runs, by name; empty where none is missing
     */
    public record Cell(
            String task,
            int trajectories,
            Method method,
            List<Long> seeds,
            List<Long> missing,
            long steps,
            double secondsOfARun,
            Map<String, String> settings) {}

    /**
     * @param made runs that exist, of any settings
     * @param gpu whether missing runs are to train on a GPU, and are judged by those that did
     * @param atOnce how many of them train at a time
     */
    public static Table1Plan of(List<GatheredRun> made, boolean gpu, int atOnce) {
        List<GatheredRun> imitations = made.stream()
                .filter(run -> run.result().details().imitation().isPresent())
                .toList();
        List<Cell> cells = new ArrayList<>();
        for (int trajectories : new int[] {5, 1}) {
            for (Task task : Task.ALL) {
                boolean second = trajectories == 1;
                if (second && !task.name.equals("hopper") && !task.name.equals("walker2d")) {
                    continue;
                }
                List<Method> methods = new ArrayList<>(METHODS);
                if (!second && OF_AIRL.contains(task.name)) {
                    methods.add(Method.AIRL);
                }
                List<Long> seeds = second ? SEEDS.subList(0, 3) : SEEDS;
                methods.forEach(method -> cells.add(cell(task, trajectories, method, seeds, imitations, gpu)));
            }
        }
        int runs = cells.stream().mapToInt(cell -> cell.missing.size()).sum();
        double seconds = cells.stream()
                .filter(cell -> !cell.missing.isEmpty())
                .mapToDouble(cell -> cell.missing.size() * cell.secondsOfARun)
                .sum();
        return new Table1Plan(List.copyOf(cells), atOnce, runs, seconds / Math.clamp(runs, 1, atOnce));
    }

    /**
     * The commands that make what is missing; none where nothing is. One that was interrupted before comes as it was, so that
     * there may be more to do after it.
     *
     * @param top the folder of the runs
     */
    public List<Stage> stages(Path top) {
        List<Stage> stages = new ArrayList<>();
        for (boolean cloning : new boolean[] {true, false}) {
            List<Map<String, String>> runs = missing(cloning);
            if (!runs.isEmpty()) {
                String name = cloning ? "cloned" : "learnt";
                Stage stage = new Stage(name, "imitate", Map.of(), runs);
                for (int i = 2; stage.state(top) == Stage.State.FINISHED; i++) {
                    stage = new Stage(name + "-" + i, "imitate", Map.of(), runs);
                }
                stages.add(stage);
            }
        }
        return stages;
    }

    /** Our own expert, where runs that imitate it are missing or its demonstrations are there. */
    public Optional<RecordedExpert> expert() {
        boolean needed = cells.stream().anyMatch(cell -> cell.task.equals(HUMANOID) && !cell.missing.isEmpty());
        return Optional.of(HUMANOID_EXPERT).filter(own -> needed || own.isRecorded());
    }

    /** Settings of all missing runs, a cell each: of cloning, which needs no simulator and no GPU, or of all others. */
    public List<Map<String, String>> missing(boolean cloning) {
        return cells.stream()
                .filter(cell -> !cell.missing.isEmpty() && (cell.method == Method.BC) == cloning)
                .map(Cell::settings)
                .toList();
    }

    private static Cell cell(
            Task task, int trajectories, Method method, List<Long> seeds, List<GatheredRun> made, boolean gpu) {
        Set<Long> missing = new TreeSet<>(seeds);
        made.stream()
                .filter(run -> is(run, task, trajectories, method))
                .forEach(run -> missing.remove(run.result().seed()));
        long steps = method == Method.BC ? 0 : (long) BLOCK * task.iterations;
        return new Cell(
                task.name,
                trajectories,
                method,
                seeds,
                List.copyOf(missing),
                steps,
                seconds(task, method, steps, made, gpu),
                missing.isEmpty() ? Map.of() : settings(task, trajectories, method, missing));
    }

    private static Map<String, String> settings(Task task, int trajectories, Method method, Set<Long> seeds) {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("method", name(method));
        settings.put("task", task.name);
        settings.put("demos", task.demos);
        settings.put("trajectories", Integer.toString(trajectories));
        if (method != Method.BC) {
            settings.put("preset", PRESET);
            settings.put("iterations", Integer.toString(task.iterations));
        }
        if (method == Method.ML_IRL_S || method == Method.ML_IRL_SA) {
            settings.put("reward", method == Method.ML_IRL_S ? "state" : "state-action");
        }
        settings.put(
                "seeds", String.join(",", seeds.stream().map(String::valueOf).toList()));
        return settings;
    }

    /** By which the command line knows it. */
    private static String name(Method method) {
        return switch (method) {
            case BC -> BehaviourCloning.NAME;
            case GAIL -> Gail.NAME;
            case IQ_LEARN -> IqLearn.NAME;
            case F_IRL -> FIrl.NAME;
            case AIRL -> Airl.NAME;
            case SQIL -> Sqil.NAME;
            case OFFLINE -> OfflineMlIrl.NAME;
            case OFFLINE_IQ_LEARN -> OfflineIqLearn.NAME;
            case ML_IRL_S, ML_IRL_SA -> MlIrl.NAME;
        };
    }

    /** Whether a run is one of the cell's: nothing was typed that the protocol does not say. */
    private static boolean is(GatheredRun run, Task task, int trajectories, Method method) {
        Details.ImitationSummary imitated = imitated(run);
        boolean typedOther = run.spec().settings().keySet().stream()
                .anyMatch(name -> !TYPED.contains(name)
                        && run.spec().provenance().typed(name).isPresent());
        boolean asLong = method == Method.BC
                || (setting(run, "preset").equalsIgnoreCase(PRESET)
                        && setting(run, "iterations").equals(Integer.toString(task.iterations)));
        return run.result().task().equals(task.name)
                && ImitationTable.file(imitated.demos()).equals(ImitationTable.file(task.demos))
                && imitated.trajectories() == trajectories
                && methodOf(run) == method
                && asLong
                && !typedOther;
    }

    private static Method methodOf(GatheredRun run) {
        return Method.of(imitated(run).method(), setting(run, "reward").equals("state"));
    }

    private static String setting(GatheredRun run, String name) {
        return Item.text(run.spec().settings().getOrDefault(name, ""));
    }

    private static Details.ImitationSummary imitated(GatheredRun run) {
        return run.result().details().imitation().orElseThrow();
    }

    /**
     * By the mean seconds of an update of finished runs on the task, which may have had fewer for each step: of the same
     * method, or of others that act where there are none.
     */
    private static double seconds(Task task, Method method, long steps, List<GatheredRun> made, boolean gpu) {
        double updates = steps
                * ImitationMethod.named(name(method)).schedule(Preset.REVEALED).updatesPerStep();
        List<GatheredRun> alike = made.stream()
                .filter(run -> run.result().task().equals(task.name))
                .filter(run -> method == Method.BC
                        || gpu != run.result().work().device().equals("cpu"))
                .filter(run -> (methodOf(run) == Method.BC) == (method == Method.BC))
                .toList();
        List<GatheredRun> same =
                alike.stream().filter(run -> methodOf(run) == method).toList();
        return (same.isEmpty() ? alike : same)
                .stream()
                        .mapToDouble(run -> {
                            double whole = run.result().work().seconds();
                            return steps == 0
                                    ? whole
                                    : whole / run.result().work().updates() * updates;
                        })
                        .average()
                        .orElse(Double.NaN);
    }
}
