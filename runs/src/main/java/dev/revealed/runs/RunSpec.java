package dev.revealed.runs;

import dev.revealed.numeric.BadInput;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * The command and settings that made a run: {@code spec.json} of its folder.
 *
 * @param schema of this document; files of before there were schemas have 0
 * @param settings every one of them by name, resolved: a run that is resumed reads them here
 */
public record RunSpec(int schema, Provenance provenance, Map<String, Object> settings) {
    public static final int SCHEMA = 2;

    public static RunSpec of(Provenance provenance, Map<String, Object> settings) {
        return new RunSpec(SCHEMA, provenance, settings);
    }

    public void write(RunFolder folder) {
        folder.write(RunFiles.SPEC, Json.write(this));
    }

    public static boolean isIn(Path folder) {
        return Files.exists(folder.resolve(RunFiles.SPEC));
    }

    /** The spec of a run folder, of any version. */
    public static RunSpec read(Path folder) {
        Path file = folder.resolve(RunFiles.SPEC);
        try {
            RunSpec spec = Json.whole(Files.readString(file), RunSpec.class);
            if (spec.provenance.command().isEmpty()) {
                throw new BadInput("it does not say which command made the folder", "");
            }
            return spec;
        } catch (BadInput | IOException e) {
            throw new BadInput(
                    "%s: %s".formatted(file, e instanceof BadInput bad ? bad.problem() : BadInput.reason(e)),
                    "It is damaged, or was not written by Revealed: remove the folder.");
        }
    }

    /** The command that made the run. */
    public String verb() {
        return provenance.command().getFirst();
    }

    /** Refuses to go on with a run whose spec another version wrote in another form. */
    public RunSpec resumable(Path folder) {
        if (schema != SCHEMA) {
            throw new BadInput(
                    "%s was started by Revealed %s, whose spec has %s; this version resumes schema %d"
                            .formatted(
                                    folder,
                                    provenance.version(),
                                    schema == 0 ? "no schema" : "schema " + schema,
                                    SCHEMA),
                    "Finish the run with the version that began it, or begin again in another folder.");
        }
        return this;
    }
}
