package dev.revealed.data.panel;

import dev.revealed.data.TableRows;
import java.util.List;

/** A part of a table that is read independently of the others: a file, some row groups of one, the answer to a query. */
public interface TablePiece {
    TableRows open(List<String> required, List<String> optional, String hint);

    /** What it is called in messages: mostly its file. */
    String name();

    /** What a row is called: line, row. */
    String unit();

    /** How many rows it has, or 0 where that is not known beforehand. */
    long rows();

    /** About how many bytes it has, unpacked. */
    long bytes();
}
