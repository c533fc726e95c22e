package dev.revealed.app;

import dev.revealed.neural.Sac;
import dev.revealed.neural.Training;
import dev.revealed.numeric.BadInput;
import picocli.CommandLine.Option;

/** The options of Soft Actor-Critic and of the loop it learns in; what is not said is as in the paper. */
final class SacOptions {
    private static final Sac.Settings PAPER = Sac.Settings.PAPER;

    @Option(names = "--batch", paramLabel = "N", description = "Transitions per update (default: ${DEFAULT-VALUE}).")
    private int batch = PAPER.batch();

    @Option(
            names = "--hidden",
            split = ",",
            paramLabel = "N",
            description = "Widths of the hidden layers (default: 256,256).")
    private int[] hidden = PAPER.hidden();

    @Option(
            names = "--learning-rate",
            paramLabel = "X",
            description = "Step size of Adam, for actor and critics (default: ${DEFAULT-VALUE}).")
    private double learningRate = PAPER.learningRate();

    @Option(
            names = "--discount",
            paramLabel = "X",
            description = "Worth of the next step's reward beside this one's (default: ${DEFAULT-VALUE}).")
    private double discount = PAPER.discount();

    @Option(
            names = "--polyak",
            paramLabel = "X",
            description = "How much of a target stays at each update (default: ${DEFAULT-VALUE}).")
    private double polyak = PAPER.polyak();

    @Option(
            names = "--temperature",
            paramLabel = "X|auto",
            description = "Weight of the entropy; auto tunes it to an entropy of minus the number of actions"
                    + " (default: ${DEFAULT-VALUE}).")
    private String temperature = Double.toString(PAPER.temperature());

    @Option(
            names = "--critics",
            paramLabel = "N",
            description = "Critics, of which the lowest value counts (default: ${DEFAULT-VALUE}).")
    private int critics = PAPER.critics();

    @Option(names = "--layer-norm", description = "Normalise the critics' hidden layers.")
    private boolean layerNorm;

    @Option(
            names = "--update-ratio",
            paramLabel = "X",
            description = "Updates per step; may be a fraction (default: ${DEFAULT-VALUE}).")
    private double updateRatio = 1;

    @Option(
            names = "--random-steps",
            paramLabel = "N",
            description = "First steps with random actions and no updates (default: ${DEFAULT-VALUE}).")
    private long randomSteps = 10_000;

    @Option(names = "--replay", paramLabel = "N", description = "Transitions kept (default: ${DEFAULT-VALUE}).")
    private int replay = 1_000_000;

    Training.Schedule schedule() {
        Verb.positive("--replay", replay);
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
            Verb.positive("--hidden", width);
        }
        boolean tuned = temperature.equalsIgnoreCase("auto");
        double alpha = tuned ? 1 : number(temperature);
        return new Sac.Settings(hidden, learningRate, discount, polyak, batch, alpha, tuned, critics, layerNorm);
    }

    private static double number(String text) {
        try {
            double value = Double.parseDouble(text);
            if (value >= 0 && Double.isFinite(value)) {
                return value;
            }
        } catch (NumberFormatException e) {
            // said below
        }
        throw new BadInput("--temperature is " + text, "Give a number from 0, such as 0.2, or auto.");
    }
}
