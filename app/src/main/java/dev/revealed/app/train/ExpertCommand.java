package dev.revealed.app.train;

import dev.revealed.app.Outcome;
import dev.revealed.app.SettingOptions;
import dev.revealed.app.world.Tasks;
import dev.revealed.app.zoo.Zoo;
import dev.revealed.imitate.Preset;
import dev.revealed.imitate.world.LearntWorld;
import dev.revealed.imitate.world.Rollouts;
import dev.revealed.neural.Sac;
import dev.revealed.neural.Training;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.settings.Settings;
import dev.revealed.train.Environment;
import dev.revealed.train.RewardFile;
import dev.revealed.train.SacProblem;
import dev.revealed.train.SettingResolution;
import dev.revealed.train.TrainingPlan;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Trains an expert on the task's own reward, or a fresh policy on a recovered one. */
@Command(
        name = "expert",
        description = {
            "Train a policy on a task's own reward, or on a recovered one, with Soft Actor-Critic.",
            "",
            "Checkpoints are written during the run: an interrupted run continues with --resume and ends "
                    + "with the same bytes as one that was not interrupted.",
            ""
        },
        footer = {
            "",
            "Examples:",
            "  ./revealed expert --task hopper --steps 1000000 --seed 1 --out hopper",
            "  ./revealed expert --resume --out hopper",
            "  ./revealed expert --list",
            "  ./revealed expert --task hopper --seeds 1-14 --out hoppers",
            "  ./revealed expert --offline --world world --data log.hdf5 --task hopper --reward hopper --out policy",
            "  ./revealed expert --task humanoid --seeds 1-4 --simulators 3 --device cuda --out humanoids",
            "  ./revealed expert --runs runs.txt --at-once 4 --out many",
            "  ./revealed expert --task hopper --reward imitate-hopper --out fresh",
            "  ./revealed evaluate --policy hopper --task hopper --episodes 20"
        })
public final class ExpertCommand extends TrainCommand {
    @Option(names = "--list", description = "List the policies that come with Revealed, and train nothing.")
    private boolean list;

    static final Training.Schedule USUAL = new Training.Schedule(10_000, 1, 1_000_000);

    @Override
    protected Outcome outcome(ProgressListener listener) {
        return list ? Zoo.list() : super.outcome(listener);
    }

    @Override
    protected @Nullable String defaultFolder() {
        return list ? null : super.defaultFolder();
    }

    @Override
    protected List<SettingOptions.Group> settingGroups() {
        return List.of(
                SettingOptions.Group.of("", RunSettings.Seed.USUAL),
                SettingOptions.Group.of("", Tasks.settings()),
                SettingOptions.Group.of(
                        "", RunSettings.Interaction.USUAL, RunSettings.Place.USUAL, RunSettings.Expert.USUAL),
                new SettingOptions.Group(
                        "A recovered reward in a learnt world",
                        Stream.of(RunSettings.Offline.class, Rollouts.class)
                                .flatMap(type -> Settings.of(type).items().stream())
                                .toList(),
                        Map.of()),
                SettingOptions.Group.of("Soft Actor-Critic", Sac.Settings.PAPER, USUAL));
    }

    @Override
    TrainingPlan plan(SettingResolution given) {
        Environment environment = RunSettings.Offline.environment(given, Path.of(""), this::caution);
        RunSettings.Interaction interaction = given.get(RunSettings.Interaction.USUAL);
        given.get(RunSettings.Place.USUAL); // read where the learner is made
        RunSettings.Expert run = given.get(RunSettings.Expert.USUAL);
        Optional<RewardFile> recovered =
                run.reward().toString().isEmpty() ? Optional.empty() : Optional.of(RewardFile.read(run.reward()));
        TrainingPlan plan = new TrainingPlan(
                environment,
                interaction.simulators(),
                given.get(recovered.map(RewardFile::sac).orElse(Sac.Settings.PAPER)),
                given.get(recovered.isPresent() ? Preset.PAPER.schedule() : USUAL), // one update a step, as published
                new SacProblem(recovered, world(given, environment)),
                run.timetable(),
                given.get(RunSettings.Seed.USUAL).seed());
        int replay = plan.schedule().replay();
        plan.problem().check(environment.space(), plan.environments(), replay);
        return plan;
    }

    private static Optional<LearntWorld> world(SettingResolution given, Environment environment) {
        RunSettings.Offline said = RunSettings.Offline.said(given);
        if (!said.offline()) {
            BadInput.when(
                    !said.equals(RunSettings.Offline.USUAL),
                    "`world` and `data` have no effect on an expert in the simulator",
                    "Leave them out, or add `offline` to learn a recovered reward in that world.");
            return Optional.empty();
        }
        return Optional.of(new LearntWorld(said.read(environment), given.get(Rollouts.USUAL)));
    }
}
