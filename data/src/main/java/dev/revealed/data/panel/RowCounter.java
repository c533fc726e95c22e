package dev.revealed.data.panel;

import dev.revealed.data.Place;
import dev.revealed.data.TableRows;
import java.util.function.LongFunction;

/**
 * Counts a table in which all rows of an individual stand together, whatever their order: what one task of a cluster does
 * with its part of a panel. The counts of parts that share no individual are then merged.
 */
public final class RowCounter {
    private final PanelCoding coding;
    private final PanelCoding.Coder coder;
    private final LongFunction<String> place;
    private final PanelCounts counts;
    private final RowRules.Kept kept = new RowRules.Kept();
    private final IndividualRows rows = new IndividualRows();
    private boolean any;

    /** @param place where the row of a number stands, for messages */
    public RowCounter(PanelCoding coding, LongFunction<String> place) {
        this.coding = coding;
        this.coder = coding.coder();
        this.place = place;
        counts = new PanelCounts(coding.structure().weight().isPresent());
    }

    /** Counts all rows of a table that are still to come. */
    public PanelCounts count(TableRows table) {
        while (table.next()) {
            long key = table.key(0);
            if (!any || key != rows.key()) {
                end();
                rows.begin(key, key < 0 ? table.text(0) : null);
                any = true;
            }
            PanelPass.add(table, coder, rows, 0);
        }
        end();
        any = false;
        return counts;
    }

    private void end() {
        if (any && rows.size() > 0) {
            boolean right = coding.rules().count(rows, coding, kept, counts, 0) && coding.valid(rows);
            if (!right) {
                throw coding.wrong(
                        new Place(place.apply(rows.where(0)), "row", i -> Long.toString(rows.where(i))), rows);
            }
        }
    }

    /** What read the rows, and remembers what was doubtful about them. */
    public PanelCoding.Coder coder() {
        return coder;
    }
}
