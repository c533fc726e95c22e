package dev.revealed.app;

import dev.revealed.app.view.PageMap;
import dev.revealed.app.view.Picture;
import dev.revealed.app.view.Report;
import dev.revealed.app.view.Table;
import dev.revealed.app.view.Terminal;
import dev.revealed.runs.Json;
import dev.revealed.runs.Provenance;
import dev.revealed.runs.RunFiles;
import dev.revealed.runs.RunFolder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

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
 * @param cautions that a person has read in the terminal before, for the document and the report
 */
public record Outcome(
        Object document,
        String text,
        Report report,
        Map<String, Picture> pictures,
        Map<String, String> files,
        Consumer<RunFolder> more,
        List<String> cautions) {

    /** Fields of documents that hold what the library says in words. */
    private static final Set<String> SAID = Set.of("status", "warnings", "note", "notes", "cautions");

    public Outcome {
        text = Words.options(text);
        pictures = new LinkedHashMap<>(pictures);
        files = new LinkedHashMap<>(files);
        cautions = List.copyOf(cautions);
    }

    public Outcome(
            Object document, String text, Report report, Map<String, Picture> pictures, Map<String, String> files) {
        this(document, text, report, pictures, files, folder -> {}, List.of());
    }

    /** A document and the title of its report, to which what is shown is added. */
    public static Outcome of(Object document, String title) {
        return new Outcome(document, "", Report.titled(title), Map.of(), Map.of());
    }

    /** With another text, a blank line below what is there. */
    public Outcome say(String more) {
        return with(text.isEmpty() ? more : text + "\n" + more, report, pictures, files);
    }

    /** With more in the report alone. */
    public Outcome report(UnaryOperator<Report> added) {
        return with(text, added.apply(report), pictures, files);
    }

    /** With a heading in the report. */
    public Outcome heading(String heading) {
        return report(page -> page.heading(heading));
    }

    /** With a paragraph in the report. */
    public Outcome paragraph(String paragraph) {
        return report(page -> page.paragraph(Words.options(paragraph)));
    }

    /** With a table in text and report. */
    public Outcome table(Table table) {
        return say(table.toText(Terminal.stdout().tableWidth())).report(page -> page.table(table));
    }

    /** With a table in text, report, CSV and LaTeX. */
    public Outcome table(String name, Table table) {
        return table(table).file(name + ".csv", table.toCsv()).file(name + ".tex", table.toLatex());
    }

    /** With sentences in text and report. */
    public Outcome notes(List<String> notes) {
        Outcome all = this;
        for (String note : notes) {
            all = all.paragraph(note);
        }
        return all.say(String.join("\n", notes) + "\n");
    }

    /** With cautions in text and report. */
    public Outcome warnings(List<String> warnings) {
        Outcome all = this;
        for (String warning : warnings) {
            all = all.say("warning: " + warning + "\n").paragraph("Warning: " + warning);
        }
        return all;
    }

    /** With a picture as a file and in the report. */
    public Outcome picture(String name, Picture picture, String caption) {
        return with(text, report.picture(picture, caption), plus(pictures, name, picture), files);
    }

    /** With a picture whose title is its caption as well. */
    public Outcome picture(String name, Picture picture) {
        return picture(name, picture, picture.title());
    }

    /** With another text in place of what is there. */
    public Outcome printing(String other) {
        return with(other, report, pictures, files);
    }

    /** With numbers on a board or a road network, for the local page to draw. */
    public Outcome map(PageMap map) {
        return file(RunFiles.MAP, Json.line(map));
    }

    /** With a file, such as CSV. */
    public Outcome file(String name, String content) {
        return with(text, report, pictures, plus(files, name, content));
    }

    private Outcome with(
            String newText, Report newReport, Map<String, Picture> newPictures, Map<String, String> newFiles) {
        return new Outcome(document, newText, newReport, newPictures, newFiles, more, cautions);
    }

    private static <T> Map<String, T> plus(Map<String, T> map, String name, T value) {
        Map<String, T> longer = new LinkedHashMap<>(map);
        longer.put(name, value);
        return longer;
    }

    /** With files too large to hold as text. */
    public Outcome writing(Consumer<RunFolder> writer) {
        return new Outcome(document, text, report, pictures, files, writer, cautions);
    }

    /** With cautions in document and report that were shown in the terminal before. */
    public Outcome cautions(List<String> shown) {
        Outcome all = this;
        for (String caution : shown) {
            all = all.paragraph("Caution: " + caution);
        }
        return new Outcome(document, text, all.report, pictures, files, more, shown);
    }

    /** The document as JSON, in which settings that the library names are the options of the command line. */
    public String json() {
        String json = Json.write(document);
        if (json.indexOf('`') < 0 && cautions.isEmpty()) {
            return json;
        }
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        Map<?, ?> own = Json.read(json, Map.class);
        own.forEach((name, value) -> fields.put(String.valueOf(name), value));
        if (!cautions.isEmpty()) {
            fields.put("cautions", cautions);
        }
        return Json.write(Objects.requireNonNull(worded(fields, false)));
    }

    private static @Nullable Object worded(@Nullable Object value, boolean said) {
        return switch (value) {
            case String words when said -> Words.options(words);
            case List<?> list -> {
                List<@Nullable Object> all = new ArrayList<>();
                list.forEach(item -> all.add(worded(item, said)));
                yield all;
            }
            case Map<?, ?> fields -> {
                Map<Object, @Nullable Object> all = new LinkedHashMap<>();
                fields.forEach((name, field) -> all.put(name, worded(field, SAID.contains(name))));
                yield all;
            }
            case null, default -> value;
        };
    }

    /**
     * Writes everything but {@code spec.json} to a run folder.
     *
     * @param original the command that made it, which is the one to repeat
     */
    public void write(RunFolder folder, Provenance original) {
        pictures.forEach((name, picture) -> folder.write(name + ".svg", picture.toSvg()));
        files.forEach(folder::write);
        more.accept(folder);
        Provenance now = Provenance.of(original.seed(), original.command());
        folder.write(
                RunFiles.REPORT,
                report.code(Words.typed(original.command()))
                        .provenance("version", now.version())
                        .provenance("java", now.java())
                        .provenance("seed", original.seed())
                        .toHtml());
        folder.write(RunFiles.RESULT, json()); // last: its presence says the run is complete
    }
}
