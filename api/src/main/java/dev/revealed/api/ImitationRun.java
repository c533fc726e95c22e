package dev.revealed.api;

import dev.revealed.data.EpisodeFiles;
import dev.revealed.imitate.Demonstrations;
import dev.revealed.imitate.ImitationMethod;
import dev.revealed.imitate.LearningProblem;
import dev.revealed.imitate.Preset;
import dev.revealed.mdp.Episode;
import dev.revealed.mdp.Episodes;
import dev.revealed.mdp.Simulator;
import dev.revealed.neural.Sac;
import dev.revealed.neural.Training;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.Closest;
import dev.revealed.runs.Json;
import dev.revealed.runs.Provenance;
import dev.revealed.runs.RunFiles;
import dev.revealed.runs.RunFolder;
import dev.revealed.runs.RunSpec;
import dev.revealed.settings.Item;
import dev.revealed.settings.Setting;
import dev.revealed.train.Backend;
import dev.revealed.train.Environment;
import dev.revealed.train.RunLength;
import dev.revealed.train.SettingResolution;
import dev.revealed.train.TrainingPlan;
import dev.revealed.train.TrainingResult;
import dev.revealed.train.TrainingRun;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Recovers a reward and a policy from demonstrations on a simulator of one's own, in a folder with evaluations, checkpoints
 * and resume, as the command {@code imitate} has them. Immutable: each method returns another run.
 *
 * {@snippet :
 * ImitationResult result = ImitationRun.on(() -> CART.simulator("cart", new Simulator.Actions.Box(1, 1), 50))
 *         .demonstrations(drives)
 *         .set("iterations", 30)
 *         .runIn(Path.of("cart"));
 * System.out.println(result);
 * }
 */
public final class ImitationRun {
    /** What is set besides the settings of the method, of the learner and of the length. */
    private record Common(
            @Setting(about = "Seed of every random stream.") long seed,

            @Setting(about = "Copies of the simulator that feed the run, in turn.", atLeast = 1)
            int simulators,

            @Setting(about = "Settings that go together.") Preset preset) {}

    private final Supplier<? extends Simulator> simulators;
    private final @Nullable Demonstrations shown;
    private final String method;
    private final Map<String, Object> settings;
    private final int threads;

    private ImitationRun(
            Supplier<? extends Simulator> simulators,
            @Nullable Demonstrations shown,
            String method,
            Map<String, Object> settings,
            int threads) {
        this.simulators = simulators;
        this.shown = shown;
        this.method = method;
        this.settings = settings;
        this.threads = threads;
    }

    /**
     * A run on a simulator.
     *
     * {@snippet :
     * ImitationRun.on(() -> CART.simulator("cart", new Simulator.Actions.Box(1, 1), 50));
     * }
     *
     * @param simulators makes a new one at every call; the run closes them
     */
    public static ImitationRun on(Supplier<? extends Simulator> simulators) {
        return new ImitationRun(
                simulators,
                null,
                ImitationMethod.names().getFirst(),
                Map.of(),
                Runtime.getRuntime().availableProcessors());
    }

    /**
     * What the expert did.
     *
     * {@snippet :
     * run.demonstrations(List.of(expert.play(simulator, 1), expert.play(simulator, 2)));
     * }
     */
    public ImitationRun demonstrations(List<Episode> episodes) {
        BadInput.when(
                episodes.isEmpty(), "there are no demonstrations", "Give at least one episode with at least one step.");
        return with(Demonstrations.of("demonstrations", new Episodes(episodes)));
    }

    /**
     * The demonstrations of a file, NPZ or HDF5 (docs/guide/formats.md).
     *
     * {@snippet :
     * run.demonstrations(Path.of("demonstrations.npz"));
     * }
     */
    public ImitationRun demonstrations(Path file) {
        return with(Demonstrations.of(file.toString(), EpisodeFiles.read(InputFiles.existing(file))));
    }

    private ImitationRun with(Demonstrations other) {
        return new ImitationRun(simulators, other, method, settings, threads);
    }

    /**
     * How to learn: {@code ml-irl} (unless set), or {@code bc}, behaviour cloning.
     *
     * {@snippet :
     * run.method("bc");
     * }
     */
    public ImitationRun method(String name) {
        return new ImitationRun(simulators, shown, ImitationMethod.named(name).name(), settings, threads);
    }

    /**
     * A setting by its name in {@code imitate} (docs/guide/imitate-settings.md), without the hyphens before it:
     * {@code iterations}, {@code evaluate-every}, {@code episodes}, {@code checkpoint-every}, {@code seed},
     * {@code preset}, {@code reward}, {@code hidden}, {@code block} and so on.
     *
     * {@snippet :
     * run.set("iterations", 30).set("reward", "state").set("hidden", "32,32");
     * }
     *
     * @param value a number, a word, or the text that would be typed
     */
    public ImitationRun set(String name, Object value) {
        Map<String, Object> all = new TreeMap<>(settings);
        all.put(name, value);
        return new ImitationRun(simulators, shown, method, all, threads);
    }

    /**
     * How many threads to use, all processors unless set. The numbers do not depend on it.
     *
     * {@snippet :
     * run.threads(2);
     * }
     */
    public ImitationRun threads(int count) {
        return new ImitationRun(simulators, shown, method, settings, BadInput.count("the number of threads", count));
    }

    /**
     * Runs to the end. An empty or new folder gets a new run; a run that was interrupted there is resumed from its last
     * checkpoint and ends with the numbers of an uninterrupted one; of a finished run the result is read.
     *
     * {@snippet :
     * ImitationResult result = run.runIn(Path.of("cart")); // the same line after a crash goes on
     * }
     *
     * @throws BadInput where the folder holds a run with other settings or demonstrations, and says which
     */
    public ImitationResult runIn(Path folder) {
        Planned planned = planned(ImitationMethod.named(method));
        TrainingPlan plan = planned.plan;
        Simulator.Space space = plan.environment().space();
        List<String> warnings = new ArrayList<>(plan.cautions());
        boolean begun = RunSpec.isIn(folder);
        if (begun) {
            checkSame(folder, planned.settings);
        }
        if (begun && Files.exists(folder.resolve(RunFiles.RESULT))) {
            TrainingResult finished = TrainingResult.read(folder);
            checkSame(folder, finished);
            return ImitationResult.of(folder, space, finished, warnings);
        }
        RunFolder claimed = begun ? RunFolder.resume(folder) : RunFolder.create(folder);
        TrainingResult result;
        try (Backend backend = Backend.processor()) {
            result = begun
                    ? TrainingRun.resume(plan, claimed, backend, threads, warnings::add, (stage, done, total) -> {})
                    : TrainingRun.begin(
                            plan,
                            RunSpec.of(Provenance.of(plan.seed(), List.of("ImitationRun")), planned.settings),
                            claimed,
                            backend,
                            threads,
                            (stage, done, total) -> {});
        }
        claimed.write(RunFiles.RESULT, Json.write(result)); // last: its presence says that the run is finished
        return ImitationResult.of(folder, space, result, warnings);
    }

    /** A plan with every setting that led to it. */
    private record Planned(TrainingPlan plan, Map<String, Object> settings) {}

    private <S extends Record> Planned planned(ImitationMethod<S> how) {
        if (shown == null) {
            throw new BadInput(
                    "there are no demonstrations to learn from",
                    "Give episodes or a file with demonstrations(...) before runIn(folder).");
        }
        Simulator.Space space = space();
        BadInput.when(
                how.acts() && space.actions() instanceof Simulator.Actions.Choices,
                "%s takes actions that are numbers, and those of %s are choices".formatted(method, space.name()),
                "Use the method bc, or a simulator with Actions.Box.");
        boolean acts = how.acts(); // a method that does not has no use for simulators and the learner
        SettingResolution given = SettingResolution.typed(settings);
        Common common = given.get(new Common(1, 1, Preset.REVEALED));
        Preset preset = common.preset;
        S own = given.get(how.preset(preset, space));
        how.check(own, given.named());
        long block = how.block(own);
        RunLength length = given.get(RunLength.usual(
                how.iterations(preset.iterations(space)), acts ? OptionalLong.of(block) : OptionalLong.empty()));
        LearningProblem problem = how.problem(own, preset.toString(), shown);
        Sac.Settings usual = how.sac(preset, space);
        Sac.Settings sac = acts ? given.get(usual) : usual;
        Training.Schedule schedule =
                acts ? given.get(how.schedule(preset)) : new Training.Schedule(0, 1, Integer.MAX_VALUE);
        refuseUnknown(given.settings());
        int environments = acts ? common.simulators : 0;
        BadInput.placed("demonstrations", () -> {
            shown.episodes().check(space);
            return shown;
        });
        problem.check(space, environments, schedule.replay());
        Map<String, Object> all = new TreeMap<>(given.settings());
        all.put("method", method);
        all.put("task", space.name());
        TrainingPlan plan = new TrainingPlan(
                Environment.of(space.name(), simulators),
                environments,
                sac,
                schedule,
                problem,
                length.timetable(block, 0),
                common.seed);
        return new Planned(plan, all);
    }

    private Simulator.Space space() {
        try (Simulator one = simulators.get();
                Simulator two = simulators.get()) {
            BadInput.when(
                    one == two,
                    "the supplier gives the same simulator twice",
                    "Make a new one at every call, as () -> new MySimulator(): a run steps several at a time.");
            return one.space();
        }
    }

    private void refuseUnknown(Map<String, Object> known) {
        for (String name : settings.keySet()) {
            BadInput.when(
                    !known.containsKey(name),
                    "there is no setting '%s' of %s".formatted(name, method),
                    Closest.question(name, known.keySet())
                            + "There is %s.".formatted(String.join(", ", known.keySet())));
        }
    }

    private static void checkSame(Path folder, Map<String, Object> now) {
        Map<String, Object> then = RunSpec.read(folder).resumable(folder).settings();
        now.forEach((name, value) -> {
            Object before = then.get(name);
            BadInput.when(
                    !Item.text(value).equals(Item.text(before)),
                    "`%s` is %s, and the run in %s was started with %s"
                            .formatted(name, Item.text(value), folder, Item.text(before)),
                    "Set it as it was to go on, or start another run in another folder.");
        });
    }

    /** An interrupted run is known by its checkpoint, which holds a checksum of its demonstrations; a finished one by this. */
    private void checkSame(Path folder, TrainingResult finished) {
        BadInput.when(
                finished.details()
                        .imitation()
                        .filter(then -> shown == null
                                || !then.demosHash().equals(shown.episodes().hash()))
                        .isPresent(),
                "the run in %s is finished, and had other demonstrations".formatted(folder),
                "Give those to read its result, or run in another folder.");
    }

    /** What it is about to do. */
    @Override
    public String toString() {
        return "%s from %s%s"
                .formatted(
                        method,
                        shown == null
                                ? "no demonstrations yet"
                                : shown.episodes().size() + " demonstrations",
                        settings.isEmpty() ? "" : " with " + settings);
    }
}
