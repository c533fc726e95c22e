package dev.revealed.studies.evaluation;

import dev.revealed.numeric.BadInput;
import dev.revealed.runs.Json;
import dev.revealed.runs.RunFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Experts whose policies are at hand, and what these return without noise, as policies that imitate them are evaluated:
 * {@code experts.json} in the folder that runs are gathered from. Demonstrations are often recorded with noise, which
 * lowers their mean.
 */
public record MeasuredExperts(List<Expert> experts) {
    public static final String FILE = "experts.json";

    /**
     * One of them.
     *
     * @param demosHash of the demonstrations, as {@code result.json} of a run has it
     * @param meanReturn of the policy without noise
     * @param episodes that were played
     * @param policy where it lies
     */
    public record Expert(String demosHash, double meanReturn, int episodes, String policy) {}

    /** How the return of an expert was measured. */
    public enum Measure {
        POLICY("policy without noise"),
        DEMONSTRATIONS("mean of demonstrations"),
        AUTHORS("reported by its authors"),
        UNKNOWN("unknown");

        private final String words;

        Measure(String words) {
            this.words = words;
        }

        @Override
        public String toString() {
            return words;
        }
    }

    /** Those named in a folder; none where it names none. */
    public static MeasuredExperts in(Path folder) {
        Path file = folder.resolve(FILE);
        if (!Files.exists(file)) {
            return new MeasuredExperts(List.of());
        }
        String text;
        try {
            text = Files.readString(file);
        } catch (IOException e) {
            throw new BadInput("%s cannot be read (%s)".formatted(file, BadInput.reason(e)), "Check its permissions.");
        }
        MeasuredExperts read = BadInput.placed(file.toString(), () -> Json.whole(text, MeasuredExperts.class));
        for (Expert expert : read.experts) {
            String place = "%s, the expert of %s".formatted(file, expert.demosHash);
            BadInput.placed(place, () -> BadInput.finite("meanReturn", expert.meanReturn));
            BadInput.placed(place, () -> BadInput.count("episodes", expert.episodes));
        }
        return read;
    }

    /** These and one more. */
    public MeasuredExperts with(Expert expert) {
        return new MeasuredExperts(
                Stream.concat(experts.stream(), Stream.of(expert)).toList());
    }

    /** Writes them into a folder, where {@link #in} finds them. */
    public void write(Path folder) {
        RunFolder.reopen(folder).write(FILE, Json.write(this));
    }

    public Optional<Expert> of(String demosHash) {
        return experts.stream()
                .filter(expert -> expert.demosHash.equals(demosHash))
                .findFirst();
    }
}
