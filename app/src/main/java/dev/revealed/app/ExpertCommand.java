package dev.revealed.app;

import dev.revealed.mujoco.Options;
import dev.revealed.mujoco.Task;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.ProgressListener;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Trains an expert on the task's own reward. */
@Command(
        name = "expert",
        description = {
            "Train a policy on a task's own reward with Soft Actor-Critic.",
            "",
            "The folder holds checkpoints all the while: an interrupted run goes on with --resume and ends with the same"
                    + " bytes as one left alone.",
            ""
        },
        footer = {
            "",
            "Examples:",
            "  ./revealed expert --task hopper --steps 1000000 --seed 1 --out hopper",
            "  ./revealed expert --resume --out hopper",
            "  ./revealed evaluate --policy hopper --task hopper --episodes 20"
        })
final class ExpertCommand extends Verb {
    /** What may differ between the command that began a run and the one that resumes it. */
    private static final Set<String> FREE = Set.of("--resume", "--out", "--json", "--threads");

    @Mixin
    private TaskOptions tasks = new TaskOptions();

    @Mixin(name = "Soft Actor-Critic")
    private SacOptions sac = new SacOptions();

    @Option(names = "--steps", paramLabel = "N", description = "Steps of the simulator (default: ${DEFAULT-VALUE}).")
    private long steps = 1_000_000;

    @Option(
            names = "--evaluate-every",
            paramLabel = "N",
            description = "Steps between tests of the policy (default: ${DEFAULT-VALUE}).")
    private long evaluateEvery = 20_000;

    @Option(names = "--episodes", paramLabel = "N", description = "Episodes per test (default: ${DEFAULT-VALUE}).")
    private int episodes = 10;

    @Option(
            names = "--checkpoint-every",
            paramLabel = "N",
            description = "Steps between checkpoints (default: ${DEFAULT-VALUE}).")
    private long checkpointEvery = 20_000;

    @Option(names = "--resume", description = "Go on with the interrupted run in the folder --out.")
    private boolean resume;

    @Override
    boolean resuming() {
        return resume;
    }

    @Override
    @Nullable
    String defaultFolder() {
        return "expert-" + tasks.task();
    }

    @Override
    Outcome outcome(ProgressListener listener) {
        ExpertCommand begun = resume ? recorded() : this;
        Task task = begun.tasks.task();
        Options options = begun.tasks.options();
        Physics physics = Physics.of(task, options);
        physics.caution().ifPresent(this::warn);
        ExpertRun.Plan plan = new ExpertRun.Plan(
                physics,
                () -> task.simulator(options),
                1,
                begun.sac.settings(),
                begun.sac.schedule(),
                positive("--steps", begun.steps),
                positive("--evaluate-every", begun.evaluateEvery),
                positive("--episodes", begun.episodes),
                positive("--checkpoint-every", begun.checkpointEvery),
                begun.seed());
        return ExpertView.of(
                resume
                        ? ExpertRun.resume(plan, runFolder(), Backend.processor(), threads(), this::warn, listener)
                        : ExpertRun.begin(
                                plan, runFolder(), this::writeSpec, Backend.processor(), threads(), listener));
    }

    /** The command that began the run; what is typed again must be as it was. */
    private ExpertCommand recorded() {
        Path file = runFolder().path().resolve(SPEC);
        CommandLine line = Main.commandLine();
        ExpertCommand begun;
        try {
            line.parseArgs(begun().orElseThrow().command().toArray(String[]::new));
            begun = (ExpertCommand)
                    line.getParseResult().subcommand().commandSpec().userObject();
        } catch (NoSuchElementException
                | CommandLine.ParameterException
                | ClassCastException
                | NullPointerException e) {
            throw new BadInput(
                    "%s does not tell how an expert was begun".formatted(file),
                    "Name the folder of an interrupted 'expert' with --out; one that was killed before it began is started"
                            + " by its first command again.");
        }
        Map<String, Object> then = begun.resolved();
        Map<String, Object> now = resolved();
        for (String option : typed().keySet()) {
            String name = option.substring(2);
            if (!FREE.contains(option) && !text(now.get(name)).equals(text(then.get(name)))) {
                throw new BadInput(
                        "%s is %s, and the run in %s was begun with %s"
                                .formatted(
                                        option, text(now.get(name)), runFolder().path(), text(then.get(name))),
                        "Leave it out to go on as begun, or begin another run in another folder.");
            }
        }
        return begun;
    }

    private static String text(@Nullable Object setting) {
        return setting instanceof int[] numbers ? Arrays.toString(numbers) : String.valueOf(setting);
    }
}
