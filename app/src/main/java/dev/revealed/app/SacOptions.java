package dev.revealed.app;

import dev.revealed.neural.Sac;
import dev.revealed.neural.Temperature;
import dev.revealed.neural.Training;
import dev.revealed.numeric.BadInput;
import java.util.function.Predicate;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/** The options of Soft Actor-Critic and of the loop it learns in. */
final class SacOptions {
    /** A temperature that is tuned. */
    private static final String AUTO = "auto";

    @Option(names = "--batch", paramLabel = "N", description = "Transitions per update (default: ${DEFAULT-VALUE}).")
    private int batch;

    @Option(
            names = "--hidden",
            split = ",",
            paramLabel = "N",
            description = "Widths of the hidden layers (default: 256,256).")
    private int[] hidden = {};

    @Option(
            names = "--learning-rate",
            paramLabel = "X",
            description = "Step size of Adam, for actor and critics (default: ${DEFAULT-VALUE}).")
    private double learningRate;

    @Option(
            names = "--discount",
            paramLabel = "X",
            description = "Worth of the next step's reward beside this one's (default: ${DEFAULT-VALUE}).")
    private double discount;

    @Option(
            names = "--polyak",
            paramLabel = "X",
            description = "How much of a target stays at each update (default: ${DEFAULT-VALUE}).")
    private double polyak;

    @Option(
            names = "--temperature",
            paramLabel = "X|auto",
            description = "Weight of the entropy; auto tunes it to an entropy of minus the number of actions"
                    + " (default: ${DEFAULT-VALUE}).")
    private String temperature = AUTO;

    @Option(
            names = "--temperature-halving",
            paramLabel = "N",
            description = "Updates in which the temperature halves, unless it is tuned; 0 leaves it as it is (default:"
                    + " ${DEFAULT-VALUE}).")
    private double halving;

    @Option(
            names = "--critics",
            paramLabel = "N",
            description = "Critics, of which the lowest value counts (default: ${DEFAULT-VALUE}).")
    private int critics;

    @Option(names = "--layer-norm", description = "Normalise the critics' hidden layers.")
    private boolean layerNorm;

    @Option(
            names = "--update-ratio",
            paramLabel = "X",
            description = "Updates per step; may be a fraction (default: ${DEFAULT-VALUE}).")
    private double updateRatio;

    @Option(
            names = "--random-steps",
            paramLabel = "N",
            description = "First steps with random actions and no updates (default: ${DEFAULT-VALUE}).")
    private long randomSteps;

    @Option(names = "--replay", paramLabel = "N", description = "Transitions kept (default: ${DEFAULT-VALUE}).")
    private int replay;

    @CommandLine.Spec(CommandLine.Spec.Target.MIXEE)
    private CommandLine.Model.CommandSpec command = CommandLine.Model.CommandSpec.create();

    /** What is not said is as here. */
    SacOptions(Sac.Settings sac, Training.Schedule schedule) {
        fill(sac, schedule, option -> false);
    }

    /** What was not typed is as here. */
    void settle(Sac.Settings sac, Training.Schedule schedule) {
        fill(sac, schedule, command.commandLine().getParseResult()::hasMatchedOption);
    }

    private void fill(Sac.Settings sac, Training.Schedule schedule, Predicate<String> typed) {
        batch = typed.test("--batch") ? batch : sac.batch();
        hidden = typed.test("--hidden") ? hidden : sac.hidden();
        learningRate = typed.test("--learning-rate") ? learningRate : sac.learningRate();
        discount = typed.test("--discount") ? discount : sac.discount();
        polyak = typed.test("--polyak") ? polyak : sac.polyak();
        temperature = typed.test("--temperature") ? temperature : words(sac.temperature());
        boolean tuned = temperature.equalsIgnoreCase(AUTO);
        halving = typed.test("--temperature-halving") ? halving : tuned ? 0 : halving(sac.temperature());
        critics = typed.test("--critics") ? critics : sac.critics();
        layerNorm = typed.test("--layer-norm") ? layerNorm : sac.layerNorm();
        updateRatio = typed.test("--update-ratio") ? updateRatio : schedule.updatesPerStep();
        randomSteps = typed.test("--random-steps") ? randomSteps : schedule.randomSteps();
        replay = typed.test("--replay") ? replay : schedule.replay();
    }

    Training.Schedule schedule() {
        BaseCommand.positive("--replay", replay);
        if (randomSteps < 0) {
            throw new BadInput("--random-steps is " + randomSteps, "Give 0 or more.");
        }
        if (!(updateRatio > 0) || updateRatio > 1000) {
            throw new BadInput("--update-ratio is " + updateRatio, "Give a number above 0, such as 1.");
        }
        return new Training.Schedule(batch, randomSteps, randomSteps, updateRatio, replay);
    }

    Sac.Settings settings() {
        for (int width : hidden) {
            BaseCommand.positive("--hidden", width);
        }
        boolean tuned = temperature.equalsIgnoreCase(AUTO);
        if (tuned && halving != 0) {
            throw new BadInput(
                    "--temperature-halving has no effect on a temperature that is tuned",
                    "Leave it out, or give --temperature a number.");
        }
        try {
            return new Sac.Settings(
                    hidden,
                    learningRate,
                    discount,
                    polyak,
                    batch,
                    temperature(temperature, halving),
                    critics,
                    layerNorm);
        } catch (NumberFormatException e) {
            throw new BadInput("--temperature is " + temperature, "Give a number from 0, such as 0.2, or auto.");
        }
    }

    /** As it would be typed; its halving is an option of its own. */
    static String words(Temperature temperature) {
        return switch (temperature) {
            case Temperature.Given given -> Double.toString(given.first());
            case Temperature.Tuned _ -> AUTO;
        };
    }

    static double halving(Temperature temperature) {
        return temperature instanceof Temperature.Given given ? given.halving() : 0;
    }

    /** @throws NumberFormatException where the word is neither a number nor {@link #AUTO} */
    static Temperature temperature(String word, double halving) {
        return word.equalsIgnoreCase(AUTO)
                ? new Temperature.Tuned()
                : new Temperature.Given(Double.parseDouble(word), halving);
    }
}
