package dev.revealed.app;

import dev.revealed.app.view.Picture;
import dev.revealed.app.view.Report;
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
}
