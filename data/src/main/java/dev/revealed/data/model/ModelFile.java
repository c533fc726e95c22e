package dev.revealed.data.model;

import dev.revealed.data.ChoiceData;
import dev.revealed.data.PanelColumns;
import dev.revealed.data.panel.PanelFiles;
import dev.revealed.data.panel.QueryPiece;
import dev.revealed.mdp.choice.ChoiceModel;
import dev.revealed.mdp.choice.Panel;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.numeric.task.TaskRunner;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;

/**
 * A choice model written in YAML, as docs/guide/models.md describes it, with what its file says of the panels that go with it.
 *
 * @param settings the discount, the declared settings and fixed parameters, as they are after overrides
 * @param notes what there is to know of parameters that are not estimated
 */
public record ModelFile(
        ChoiceModel model, PanelColumns columns, SequencedMap<String, Double> settings, List<String> notes) {

    public ModelFile {
        settings = Collections.unmodifiableSequencedMap(settings);
    }

    /**
     * Reads a model.
     *
     * @param overrides the discount, declared settings or fixed parameters, by name, that go before what the file says
     */
    public static ModelFile read(Path yaml, Map<String, String> overrides) {
        return parse(yaml.toString(), text(yaml), overrides);
    }

    /** What such a file says, for {@link #parse}. */
    public static String text(Path yaml) {
        return Yaml.text(yaml);
    }

    /** The same from the text of such a file, and its name for messages. */
    public static ModelFile parse(String name, String yaml, Map<String, String> overrides) {
        return new ModelReader(Yaml.parse(name, yaml), overrides).file(name.replaceFirst(".*[/\\\\]", ""));
    }

    /** Reads a panel from a file, a folder or a pattern of names; any order of rows will do. */
    public ChoiceData panel(Path csv, ProgressListener listener) {
        return panel(csv, TaskRunner.THREADS, listener);
    }

    /** The same; where there are many rows, {@code readers} read pieces of the table. */
    public ChoiceData panel(Path csv, TaskRunner readers, ProgressListener listener) {
        return with(PanelFiles.read(csv, columns, model, readers, listener));
    }

    /** Reads a panel from the answer to a query. */
    public ChoiceData panel(QueryPiece query, ProgressListener listener) {
        return with(PanelFiles.read(query, columns, model, listener));
    }

    private ChoiceData with(ChoiceData read) {
        List<String> remarks = new ArrayList<>(read.remarks());
        remarks.addAll(notes);
        return new ChoiceData(model, read.panel(), read.unused(), read.cautions(), remarks, read.periods());
    }

    /** Writes a panel with the columns the model file names, as Parquet where the name ends so. */
    public void write(Path file, Panel panel) {
        PanelFiles.write(file, columns, model, panel);
    }
}
