package dev.revealed.app.train;

import dev.revealed.app.Device;
import dev.revealed.app.Main;
import dev.revealed.app.SettingOptions;
import dev.revealed.app.world.CarriedActions;
import dev.revealed.app.world.Tasks;
import dev.revealed.data.EpisodeFiles;
import dev.revealed.imitate.Demonstrations;
import dev.revealed.imitate.ImitationMethod;
import dev.revealed.imitate.LearningProblem;
import dev.revealed.imitate.Preset;
import dev.revealed.mdp.Episode;
import dev.revealed.mdp.Episodes;
import dev.revealed.mdp.Resample;
import dev.revealed.mdp.Simulator;
import dev.revealed.neural.GaussianActor;
import dev.revealed.neural.Sac;
import dev.revealed.neural.Training;
import dev.revealed.numeric.BadInput;
import dev.revealed.settings.Settings;
import dev.revealed.train.Environment;
import dev.revealed.train.Fork;
import dev.revealed.train.ForkStreams;
import dev.revealed.train.PolicyFile;
import dev.revealed.train.RunLength;
import dev.revealed.train.SettingResolution;
import dev.revealed.train.TrainingPlan;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Recovers a reward and a policy from demonstrations. */
@Command(
        name = "imitate",
        description = {
            "Recover a reward and a policy from a handful of demonstrations.",
            "",
            "Evaluations report the task's own reward as the true return; it is never learnt from. Diagnostics that do not"
                    + " need it are the likelihood gap, the distance of the agent's features from the expert's, and the"
                    + " policy's entropy.",
            "",
            "Checkpoints are written during the run: an interrupted run continues with --resume and ends "
                    + "with the same bytes as one that was not interrupted.",
            ""
        },
        footer = {
            "",
            "Examples:",
            "  ./revealed imitate --task hopper --demos demonstrations.npz --trajectories 1 --out hopper",
            "  ./revealed imitate --task hopper --demos states.npz --reward state --seeds 1-5 --out hoppers",
            "  ./revealed imitate --task hopper --demos demonstrations.npz --preset paper --pairing shifted",
            "  ./revealed imitate --method bc --task hopper --demos demonstrations.npz --out cloned",
            "  ./revealed imitate --method gail --task hopper --demos demonstrations.npz --out gail",
            "  ./revealed imitate --offline --world world --data log.hdf5 --task hopper --demos demonstrations.npz --out offline",
            "  ./revealed imitate --offline --method iq-learn --data log.hdf5 --demos demonstrations.npz --out iq",
            "  ./revealed imitate --resume --out hopper",
            "  ./revealed imitate --fork hopper@120 --forks 8 --intervene none,freeze-reward --out forks",
            "  ./revealed evaluate --policy hopper --episodes 20"
        })
public final class ImitateCommand extends TrainCommand {
    @Option(
            names = "--forks",
            paramLabel = "N",
            description =
                    "Number of forks of the checkpoint --fork, each in a folder of its own under --out. --fork may "
                            + "then name several iterations (RUN@120,140), --intervene and --fork-streams several arms, with "
                            + "commas.")
    private @Nullable Integer forks;

    private final Set<String> cautioned = new HashSet<>();

    @Override
    Optional<Integer> forks() {
        return Optional.ofNullable(forks);
    }

    @Override
    protected List<SettingOptions.Group> settingGroups() {
        List<SettingOptions.Group> groups = new ArrayList<>(List.of(
                SettingOptions.Group.of("", RunSettings.Seed.USUAL),
                SettingOptions.Group.of("", Tasks.settings()),
                SettingOptions.Group.of(
                        "",
                        RunSettings.Interaction.USUAL,
                        RunSettings.Place.USUAL,
                        RunSettings.DemonstrationFile.USUAL),
                new SettingOptions.Group(
                        "", Settings.of(RunSettings.Bootstrap.USUAL).items(), Map.of()),
                SettingOptions.Group.of("", RunSettings.Method.USUAL, RunSettings.PresetName.USUAL),
                new SettingOptions.Group(
                        "", Settings.of(RunSettings.Offline.USUAL).items(), Map.of()),
                new SettingOptions.Group(
                        "", Settings.of(RunSettings.Reference.USUAL).items(), Map.of()),
                SettingOptions.Group.of("", RunLength.usual(1, OptionalLong.empty())),
                SettingOptions.Group.of("", RunSettings.Diagnose.USUAL),
                new SettingOptions.Group(
                        "Forks of a checkpoint",
                        Stream.of(RunSettings.ForkSettings.class, RunSettings.Streams.class)
                                .flatMap(type -> Settings.of(type).items().stream())
                                .toList(),
                        Map.of()),
                SettingOptions.Group.of(
                        "Soft Actor-Critic (defaults: by preset, here those of revealed)",
                        Preset.REVEALED.sac(0),
                        Preset.REVEALED.schedule())));
        for (ImitationMethod<?> method : ImitationMethod.all()) {
            String title = "Method %s, which %s (defaults: by preset)".formatted(method.name(), method.about());
            groups.add(new SettingOptions.Group(
                    title, Settings.of(method.settings()).items(), Map.of()));
        }
        return groups;
    }

    @Override
    TrainingPlan plan(SettingResolution given) {
        ImitationMethod<?> method =
                ImitationMethod.named(given.get(RunSettings.Method.USUAL).method());
        if (RunSettings.Offline.said(given).offline()) {
            method = method.offline();
        }
        return plan(given, method);
    }

    private <S extends Record> TrainingPlan plan(SettingResolution given, ImitationMethod<S> method) {
        RunSettings.DemonstrationFile shown = given.get(RunSettings.DemonstrationFile.USUAL);
        Environment environment = RunSettings.Offline.environment(given, shown.demos(), this::caution);
        Simulator.Space space = environment.space();
        boolean acts = method.acts();
        Preset preset = acts ? given.get(RunSettings.PresetName.USUAL).preset() : Preset.REVEALED;
        S settings = given.get(method.preset(preset, space));
        method.check(settings, given.named());
        long block = method.block(settings);
        RunLength length = given.get(RunLength.usual(
                method.iterations(TaskDefaults.iterations(preset, space)),
                acts ? OptionalLong.of(block) : OptionalLong.empty()));
        Episodes episodes = episodes(shown, environment, space);
        Resample bootstrap = acts ? resample(episodes, given.get(RunSettings.Bootstrap.USUAL)) : null;
        Demonstrations demonstrations = new Demonstrations(shown.demos().toString(), episodes, bootstrap);
        RunSettings.Offline offline = RunSettings.Offline.said(given);
        LearningProblem problem = method.needsWorld()
                ? method.problem(settings, preset.toString(), demonstrations, offline.read(environment))
                : method.problem(settings, preset.toString(), demonstrations);
        BadInput.when(
                !method.needsWorld() && !offline.world().toString().isEmpty(),
                "`world` has no effect on " + method.name(),
                offline.offline()
                        ? "Leave it out, or choose `method` ml-irl, which learns in a world."
                        : "Leave it out, or add `offline` to learn in it with `method` ml-irl.");
        if (!method.needsWorld() && !offline.data().toString().isEmpty()) {
            problem = problem.with(offline.log(space));
        }
        if (acts && given.has("reference")) {
            problem = problem.relativeTo(reference(given, space));
        }
        int environments = 0;
        if (acts) {
            environments = given.get(RunSettings.Interaction.USUAL).simulators();
            given.get(RunSettings.Place.USUAL); // read where the learner is made
        }
        Sac.Settings usual = method.sac(preset, space);
        Sac.Settings sac = acts ? given.get(usual) : usual;
        Training.Schedule schedule =
                acts ? given.get(method.schedule(preset)) : new Training.Schedule(0, 1, Integer.MAX_VALUE);
        problem.check(space, environments, schedule.replay());
        long diagnose = acts ? given.get(RunSettings.Diagnose.USUAL).diagnose() : 0;
        Optional<Fork> fork = given.has(ForkPoint.FORK) && acts ? Optional.of(fork(given, block)) : Optional.empty();
        return new TrainingPlan(
                environment,
                environments,
                sac,
                schedule,
                fork.isPresent() ? problem.under(fork.get().intervention()) : problem,
                length.timetable(block, diagnose),
                given.get(RunSettings.Seed.USUAL).seed(),
                fork);
    }

    private GaussianActor reference(SettingResolution given, Simulator.Space space) {
        BadInput.when(
                given.get(RunSettings.Place.USUAL).device() == Device.CUDA,
                "a reference policy is known to Soft Actor-Critic on the processor alone",
                "Leave out `reference`, or choose `device` cpu.");
        PolicyFile found = PolicyOptions.named(
                "`reference`", given.get(RunSettings.Reference.USUAL).reference(), this::caution);
        found.check(space);
        return found.actor();
    }

    private static Fork fork(SettingResolution given, long block) {
        RunSettings.ForkSettings forked = given.get(RunSettings.ForkSettings.USUAL);
        ForkStreams streams =
                given.get(RunSettings.Streams.usual(forked.intervene())).forkStreams();
        int at = forked.fork().lastIndexOf('@'); // resolved before
        return new Fork(
                Path.of(forked.fork().substring(0, at)),
                block * Long.parseLong(forked.fork().substring(at + 1)),
                forked.forkNumber(),
                streams,
                forked.intervene());
    }

    private Episodes episodes(RunSettings.DemonstrationFile shown, Environment environment, Simulator.Space space) {
        if (shown.demos().toString().isEmpty()) {
            throw new BadInput("no demonstrations are named", "Name a file of them with `demos`.");
        }
        BadInput.when(
                resuming() && !Files.exists(shown.demos()),
                "the demonstrations are no longer in %s".formatted(shown.demos()),
                "Name where they are now with `demos`: a run knows them by their checksum.");
        Episodes read = new DemonstratedActions(shown.demoBound(), Tasks.choices(environment))
                .of(shown.demos(), EpisodeFiles.read(Main.existing(shown.demos())), space, this::cautionOnce);
        Episodes kept = BadInput.placed("`skip`", () -> read.after(shown.skip()));
        Episodes all = CarriedActions.of(shown.demos(), kept, space, this::cautionOnce);
        OptionalInt first = shown.trajectories();
        return first.isEmpty() ? all : BadInput.placed("`trajectories`", () -> all.first(first.getAsInt()));
    }

    /** Runs of a batch have the same demonstrations, mostly. */
    private void cautionOnce(String text) {
        if (cautioned.add(text)) {
            caution(text);
        }
    }

    private static @Nullable Resample resample(Episodes used, RunSettings.Bootstrap settings) {
        OptionalInt typed = settings.bootstrapBlock();
        if (typed.isPresent() && (!settings.bootstrap() || used.size() > 1)) {
            throw new BadInput(
                    "`bootstrap-block` has no effect "
                            + (settings.bootstrap() ? "on several trajectories" : "without `bootstrap`"),
                    "Leave it out, or %s."
                            .formatted(settings.bootstrap() ? "use `trajectories` 1" : "add `bootstrap`"));
        }
        if (!settings.bootstrap()) {
            return null;
        }
        Episode only = used.all().getFirst();
        int block = typed.isPresent()
                ? typed.getAsInt()
                : used.size() > 1 ? 1 : Resample.Blocks.lengthFor(only.observations(), only.observationSize());
        if (used.size() == 1 && block >= only.length()) {
            throw new BadInput(
                    "a block of %d steps is all of a demonstration of %d: there is nothing to resample"
                            .formatted(block, only.length()),
                    "Give fewer with `bootstrap-block`, or leave `bootstrap` out.");
        }
        return Resample.of(used.size(), block);
    }
}
