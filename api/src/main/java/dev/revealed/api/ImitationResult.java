package dev.revealed.api;

import dev.revealed.mdp.Simulator;
import dev.revealed.neural.Actor;
import dev.revealed.neural.Batch;
import dev.revealed.neural.RewardNetwork;
import dev.revealed.numeric.BadInput;
import dev.revealed.runs.RunFiles;
import dev.revealed.runs.Safetensors;
import dev.revealed.train.RewardFile;
import dev.revealed.train.TrainingResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * A finished imitation run. Printing it shows its evaluations.
 *
 * @param folder of the run: policy and reward as safetensors and ONNX, metrics, checkpoints and {@code result.json}
 * @param steps of the simulator that were learnt from
 * @param evaluations in their order; the last one is of the final policy
 * @param expertReturn mean return of the demonstrations; not a number where their rewards are not known
 * @param seconds over all programs that worked on the run
 * @param warnings what to know before relying on it, a sentence each
 */
public record ImitationResult(
        Path folder,
        String method,
        Simulator.Space space,
        long steps,
        List<EvaluationResult> evaluations,
        double expertReturn,
        double seconds,
        List<String> warnings) {

    public ImitationResult {
        evaluations = List.copyOf(evaluations);
        warnings = List.copyOf(warnings);
    }

    static ImitationResult of(Path folder, Simulator.Space space, TrainingResult result, List<String> warnings) {
        return new ImitationResult(
                folder,
                result.kind(),
                space,
                result.countedSteps(),
                result.curve().stream()
                        .map(each -> new EvaluationResult(each.step(), each.meanReturn(), each.standardError()))
                        .toList(),
                result.expertReturn(),
                result.work().seconds(),
                warnings);
    }

    /**
     * Mean return of the final policy, by the task's own reward.
     *
     * {@snippet :
     * double share = result.meanReturn() / result.expertReturn();
     * }
     */
    public double meanReturn() {
        return evaluations.getLast().meanReturn();
    }

    /**
     * The final policy, acting without noise; safe for several threads.
     *
     * {@snippet :
     * float[] action = result.policy().act(new float[] {0.1f, 0});
     * }
     */
    public Policy policy() {
        Path file = InputFiles.existing(folder.resolve(RunFiles.POLICY));
        Actor actor = BadInput.placed(
                file.toString(), () -> Actor.load(Safetensors.read(file).tensors()));
        int size = space.actions().size();
        return observation -> {
            width("observation", observation.length, space.observations());
            float[] action = new float[size];
            synchronized (actor) { // it has working memory
                actor.actDeterministic(observation, 0, action, 0);
            }
            return action;
        };
    }

    /**
     * The recovered reward; safe for several threads.
     *
     * {@snippet :
     * double worth = result.reward().of(new float[] {0.5f, 0}, new float[] {0});
     * }
     *
     * @throws BadInput where the method recovers none
     */
    public RecoveredReward reward() {
        BadInput.when(
                !Files.isRegularFile(folder.resolve(RunFiles.REWARD)),
                "the run in %s has no reward: %s recovers none".formatted(folder, method),
                "Use the method ml-irl.");
        RewardNetwork network = RewardFile.read(folder).model(space).labels();
        Batch step = Batch.of(1, space);
        return (observation, action) -> {
            width("observation", observation.length, space.observations());
            width("action", action.length, space.actions().size());
            synchronized (network) {
                System.arraycopy(observation, 0, step.states(), 0, observation.length);
                System.arraycopy(action, 0, step.actions(), 0, action.length);
                step.live()[0] = 1;
                network.relabel(step);
                return step.rewards()[0];
            }
        };
    }

    private void width(String what, int found, int wanted) {
        BadInput.when(
                found != wanted,
                "the %s has %d numbers, and on %s it has %d".formatted(what, found, space.name(), wanted),
                "Give observations of the simulator %s, then its actions.".formatted(space.name()));
    }

    /** The evaluations as a table. */
    @Override
    public String toString() {
        StringBuilder text =
                new StringBuilder("Imitation on %s by %s, in %s\n".formatted(space.name(), method, folder));
        text.append(String.format(Locale.ROOT, "%12s   %12s   %10s\n", "step", "mean return", "std err"));
        for (EvaluationResult each : evaluations) {
            text.append(String.format(
                    Locale.ROOT, "%,12d   %12.3f   %10.3f\n", each.step(), each.meanReturn(), each.standardError()));
        }
        text.append(String.format(
                Locale.ROOT,
                "%s; %,d steps in %.1f s\n",
                Double.isNaN(expertReturn)
                        ? "The return of the demonstrations is not known"
                        : String.format(Locale.ROOT, "Mean return of the demonstrations: %.3f", expertReturn),
                steps,
                seconds));
        warnings.forEach(warning -> text.append(warning).append('\n'));
        return text.toString();
    }
}
