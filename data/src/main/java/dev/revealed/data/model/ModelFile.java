package dev.revealed.data.model;

import dev.revealed.data.ChoiceData;
import dev.revealed.data.PanelColumns;
import dev.revealed.mdp.choice.ChoiceModel;
import dev.revealed.mdp.choice.Panel;
import dev.revealed.numeric.ProgressListener;
import java.nio.file.Path;
import java.util.Collections;
import java.util.SequencedMap;

/**
 * A model of one's own, with what its file says of the panels that go with it.
 *
 * @param settings the discount and the declared settings, as they are after overrides
 */
public record ModelFile(ChoiceModel model, PanelColumns columns, SequencedMap<String, Double> settings) {

    public ModelFile {
        settings = Collections.unmodifiableSequencedMap(settings);
    }

    /** Reads a panel, once and row by row; any order of rows will do. */
    public ChoiceData panel(Path csv, ProgressListener listener) {
        return new ChoiceData(model, columns.read(csv, model, listener));
    }

    /** Writes a panel with the columns the model file names. */
    public void write(Path csv, Panel panel) {
        columns.write(csv, model, panel);
    }
}
