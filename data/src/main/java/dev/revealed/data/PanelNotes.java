package dev.revealed.data;

import dev.revealed.mdp.choice.Panel;
import java.util.ArrayList;
import java.util.List;

/**
 * What there is to say of a panel once its rows are counted, a sentence each.
 *
 * @param dropped rows without an action that do not count
 * @param unseen actions that are missing and summed over
 */
public record PanelNotes(PanelStructure structure, long links, long holes, long dropped, long unseen) {

    /** What was doubtful about gaps. */
    public List<String> cautions() {
        return 2 * holes > links && holes > 0
                ? List.of(
                        ("%d of %d steps from one row of an individual to the next skip a period, so their moves are not"
                                        + " used: if periods are two years apart, number them 0, 1, 2.")
                                .formatted(holes, links))
                : List.of();
    }

    /** How the rows were read. */
    public List<String> notes() {
        List<String> notes = new ArrayList<>();
        if (holes > 0) {
            notes.add("Individuals have %d gaps; decisions after a gap count, and the moves across it do not."
                    .formatted(holes));
        }
        if (dropped > 0) {
            notes.add(
                    structure.missing() == PanelStructure.Missing.INTEGRATED
                            ? "%d rows without an action do not count: the next state is missing too, or every action is."
                                    .formatted(dropped)
                            : "%d rows without an action were dropped, with the moves from and to them."
                                    .formatted(dropped));
        }
        if (unseen > 0) {
            notes.add(
                    ("%d actions are missing and summed over: each counts by how likely it is and leads to the next state."
                                    + " This is right if being missing does not depend on the action.")
                            .formatted(unseen));
        }
        structure
                .weight()
                .ifPresent(column -> notes.add(
                        structure.kind() == Panel.Weights.FREQUENCY
                                ? "The column '%s' holds frequencies: how many individuals each one stands for."
                                        .formatted(column)
                                : "The column '%s' holds sampling weights, divided by their mean.".formatted(column)));
        return notes;
    }
}
