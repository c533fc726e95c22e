package dev.revealed.app;

import dev.revealed.app.view.Picture;
import dev.revealed.app.view.Report;
import dev.revealed.runs.Json;
import dev.revealed.runs.Provenance;
import dev.revealed.runs.RunFiles;
import dev.revealed.runs.RunFolder;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;

/**
 * What a command has to show: a document for machines, text for people, and files for the run folder. The command prints
 * and writes it; whoever makes it need not know where to.
 *
 * @param document becomes {@code result.json}, and is what --json prints
 * @param text what a person sees in the terminal
 * @param report becomes {@code report.html}
 * @param pictures file name without ending to picture, written as SVG
 * @param files other files, such as CSV, by name
 * @param more writes what is too large to hold as text
 */
public record Outcome(
        Object document,
        String text,
        Report report,
        Map<String, Picture> pictures,
        Map<String, String> files,
        Consumer<RunFolder> more) {
    public static final String RESULT = RunFiles.RESULT;

    public Outcome {
        pictures = new LinkedHashMap<>(pictures);
        files = new LinkedHashMap<>(files);
    }

    public Outcome(
            Object document, String text, Report report, Map<String, Picture> pictures, Map<String, String> files) {
        this(document, text, report, pictures, files, folder -> {});
    }

    /** With files too large to hold as text. */
    public Outcome writing(Consumer<RunFolder> writer) {
        return new Outcome(document, text, report, pictures, files, writer);
    }

    /**
     * Writes everything but {@code spec.json} to a run folder.
     *
     * @param begun the command that made it, which is the one to repeat
     */
    void write(RunFolder folder, Provenance begun) {
        pictures.forEach((name, picture) -> folder.write(name + ".svg", picture.toSvg()));
        files.forEach(folder::write);
        more.accept(folder);
        Provenance now = Provenance.of(begun.seed(), begun.command());
        folder.write(
                RunFiles.REPORT,
                report.code("./revealed " + String.join(" ", begun.command()))
                        .provenance("version", now.version())
                        .provenance("java", now.java())
                        .provenance("seed", begun.seed())
                        .toHtml());
        folder.write(RESULT, Json.write(document)); // last: its presence says the run is complete
    }
}
