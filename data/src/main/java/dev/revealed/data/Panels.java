package dev.revealed.data;

import dev.revealed.mdp.choice.ChoiceModel;
import dev.revealed.mdp.choice.Panel;
import dev.revealed.numeric.ProgressListener;
import java.nio.file.Path;

/**
 * Panels of any model in CSV files with the columns individual, period, action, and one for each state variable. A model
 * file may name other columns: see {@code model.ModelFile}.
 */
public final class Panels {
    private Panels() {}

    /** Reads a panel. Columns that the model does not use are ignored, weights among them. */
    public static Panel read(Path csv, ChoiceModel model, ProgressListener listener) {
        return PanelColumns.standard(model.space()).read(csv, model, listener).panel();
    }

    /** Writes decisions with actions by their names; a state after the last decision has none. Periods count from 0. */
    public static void write(Path csv, ChoiceModel model, Panel panel) {
        PanelColumns.standard(model.space()).write(csv, model, panel);
    }
}
