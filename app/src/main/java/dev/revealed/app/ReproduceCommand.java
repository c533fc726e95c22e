package dev.revealed.app;

import dev.revealed.numeric.ProgressListener;
import dev.revealed.studies.GridWorldStudy;
import dev.revealed.studies.MountainCarStudy;
import dev.revealed.studies.TheoryStudy;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The paper's experiments, with the command that makes each. */
@Command(
        name = "reproduce",
        description = "Reproduce the paper's experiments and see its theorems at work.",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "STUDY",
        subcommands = {
            ReproduceCommand.GridWorld.class,
            ReproduceCommand.MountainCar.class,
            ReproduceCommand.Theory.class
        },
        footer = {"", "Example:", "  ./revealed reproduce gridworld"})
final class ReproduceCommand implements Runnable {
    @CommandLine.Spec
    private CommandLine.Model.CommandSpec spec = CommandLine.Model.CommandSpec.create();

    @Override
    public void run() {
        throw new CommandLine.ParameterException(
                spec.commandLine(), "Name a study: gridworld, mountain-car or theory.");
    }

    @Command(
            name = "gridworld",
            description = "Figure 1: rewards of a grid world recovered by ML-IRL and by nested MaxEnt-IRL.",
            footer = {"", "Example:", "  ./revealed reproduce gridworld --json --out results-gridworld"})
    static final class GridWorld extends Verb {
        @Override
        Outcome outcome(ProgressListener listener) {
            return GridWorldView.of(GridWorldStudy.run(GridWorldStudy.Settings.standard(seed()), listener));
        }
    }

    @Command(
            name = "mountain-car",
            description = "Figure 2: steps to the goal of policies learnt from 1 to 50 demonstrations.",
            footer = {"", "Example:", "  ./revealed reproduce mountain-car --json --out results-mountain-car"})
    static final class MountainCar extends Verb {
        @Override
        Outcome outcome(ProgressListener listener) {
            return MountainCarView.of(MountainCarStudy.run(MountainCarStudy.Settings.standard(seed()), listener));
        }
    }

    @Command(
            name = "theory",
            description = "Theorem 1's rates, Theorem 2's gap, Lemma 1's coverage.",
            footer = {"", "Example:", "  ./revealed reproduce theory --json --out results-theory"})
    static final class Theory extends Verb {
        @Override
        Outcome outcome(ProgressListener listener) {
            return TheoryView.of(TheoryStudy.run(TheoryStudy.Settings.standard().withSeed(seed()), listener));
        }
    }
}
