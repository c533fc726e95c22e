package dev.revealed.studies.tables;

import dev.revealed.data.EpisodeFiles;
import dev.revealed.numeric.BadInput;
import dev.revealed.runs.Json;
import dev.revealed.runs.RunFiles;
import dev.revealed.studies.evaluation.MeasuredExperts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * An expert whose policy is at hand: the commands that record its demonstrations and measure its return without noise, and
 * the entry of {@code experts.json} that says so. Without the entry, policies that imitate it would be judged by the mean of
 * the demonstrations.
 *
 * @param policy the folder of its run
 * @param demonstrations the folder that they are recorded in, and {@code measured} that of its evaluation
 */
public record RecordedExpert(String policy, String task, Path demonstrations, Path measured) {
    private static final String EPISODES = "5";
    private static final String EVALUATION_EPISODES = "20"; // as for the policies that imitate it

    public RecordedExpert {
        demonstrations = demonstrations.toAbsolutePath().normalize();
        measured = measured.toAbsolutePath().normalize();
    }

    /** Whether its demonstrations are there. */
    public boolean isRecorded() {
        return Files.exists(file());
    }

    private Path file() {
        return demonstrations.resolve(EpisodeFiles.RECORDED);
    }

    /**
     * The commands that are left to run; none where the experts of a folder have it among them.
     *
     * @param top the folder that runs are gathered from
     */
    public List<Stage> stages(Path top) {
        List<Stage> stages = new ArrayList<>();
        if (!isRecorded()) {
            stages.add(Stage.of(demonstrations.toString(), "record", options(EPISODES)));
        }
        Stage measuring = Stage.of(measured.toString(), "evaluate", options(EVALUATION_EPISODES));
        if (!isKnown(top) && measuring.state(top) != Stage.State.FINISHED) {
            stages.add(measuring);
        }
        return stages;
    }

    private Map<String, String> options(String episodes) {
        return Stage.options("policy", policy, "task", task, "episodes", episodes, "seed", "1");
    }

    private boolean isKnown(Path top) {
        return isRecorded() && MeasuredExperts.in(top).of(hash()).isPresent();
    }

    private String hash() {
        return EpisodeFiles.read(file()).hash();
    }

    /** Adds it to the experts of a folder, after its commands. */
    public void writeTo(Path top) {
        if (isKnown(top)) {
            return;
        }
        Path result = measured.resolve(RunFiles.RESULT);
        Map<?, ?> found;
        try {
            found = Json.read(Files.readString(result), Map.class);
        } catch (IOException e) {
            throw new BadInput(
                    "%s cannot be read (%s)".formatted(result, BadInput.reason(e)), "Check its permissions.");
        }
        if (!(found.get("meanReturn") instanceof Number mean) || !(found.get("episodes") instanceof Integer episodes)) {
            throw new BadInput(
                    result + " is not the result of 'evaluate'", "Take its folder away; the command makes it again.");
        }
        MeasuredExperts.in(top)
                .with(new MeasuredExperts.Expert(hash(), mean.doubleValue(), episodes, policy))
                .write(top);
    }
}
