package dev.revealed.data.panel;

import dev.revealed.data.PanelStructure;
import dev.revealed.data.Place;
import dev.revealed.data.TableRows;
import dev.revealed.numeric.BadInput;
import java.util.List;

/** How the rows of a table become those of a panel. The first column tells the individual. */
public interface PanelCoding extends RowCodes {
    List<String> required();

    List<String> optional();

    /** What else to do about a column that is not there. */
    String hint();

    RowRules rules();

    PanelStructure structure();

    /** Reads rows; for one thread. */
    Coder coder();

    /** Whether the rows of an individual, in the order of periods, go together. */
    default boolean valid(IndividualRows rows) {
        return true;
    }

    /** What is wrong with the rows of an individual, for which the rules say that something is. */
    BadInput wrong(Place place, IndividualRows rows);

    /** Refuses a panel that lacks something. */
    default void check(String table, PanelCounts counts, List<? extends Coder> coders) {}

    /** Reads rows, and remembers what was doubtful about them. */
    interface Coder {
        /** The code of the current row, or -1 where it does not belong to the panel. */
        int code(TableRows rows);

        int period(TableRows rows);

        /** A number of the row that checks need besides its code. */
        default double raw(TableRows rows) {
            return 0;
        }

        /** The move that a row itself reports, which checks compare with the states; -1 where there is none. */
        default int reported(TableRows rows) {
            return -1;
        }

        /** Weight of the row's individual. */
        default double weight(TableRows rows) {
            return 1;
        }

        /** Cluster of the row's individual; empty where there is none. */
        default String cluster(TableRows rows) {
            return "";
        }

        default double[] covariates(TableRows rows) {
            return NOTHING;
        }

        /** What it remembers, for a coder on another machine. */
        default double[] notes() {
            return NOTHING;
        }

        /** Remembers what a coder on another machine has noted. */
        default void remember(double[] notes) {}

        /** What was doubtful about the rows that all coders have read, a sentence each. */
        default List<String> cautions(List<? extends Coder> all) {
            return List.of();
        }
    }

    /** No covariates. */
    double[] NOTHING = {};
}
