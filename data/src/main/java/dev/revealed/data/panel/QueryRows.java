package dev.revealed.data.panel;

import dev.revealed.data.Place;
import dev.revealed.data.TableRows;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.Closest;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The answer to a query, row by row; rows count from 1. */
final class QueryRows implements TableRows {
    private final Connection connection;
    private final Statement statement;
    private final ResultSet answer;
    private final List<String> names;
    private final List<String> others;
    private final int[] column; // in the answer, from 1; 0 where it is not there
    private final boolean[] whole;
    private long row;

    QueryRows(Connection connection, String query, List<String> required, List<String> optional, String hint)
            throws SQLException {
        this.connection = connection;
        statement = connection.createStatement();
        answer = statement.executeQuery(query);
        names = Stream.concat(required.stream(), optional.stream()).toList();
        column = new int[names.size()];
        whole = new boolean[names.size()];
        ResultSetMetaData about = answer.getMetaData();
        List<String> found = new ArrayList<>();
        for (int c = 1; c <= about.getColumnCount(); c++) {
            found.add(about.getColumnLabel(c));
        }
        others = found.stream().filter(name -> !names.contains(name)).distinct().toList();
        for (int i = 0; i < column.length; i++) {
            column[i] = found.indexOf(names.get(i)) + 1;
            if (column[i] == 0 && i < required.size()) {
                throw new BadInput(
                        "the answer to the `query` has no column '%s' among %s"
                                .formatted(names.get(i), String.join(",", found)),
                        Closest.question("Rename '%s'? ", names.get(i), others) + "The columns are "
                                + String.join(",", names) + "." + hint);
            }
            int type = column[i] == 0 ? Types.NULL : about.getColumnType(column[i]);
            whole[i] = List.of(Types.TINYINT, Types.SMALLINT, Types.INTEGER, Types.BIGINT)
                    .contains(type);
        }
    }

    @Override
    public boolean has(int i) {
        return column[i] > 0;
    }

    @Override
    public List<String> others() {
        return others;
    }

    @Override
    public boolean next() {
        try {
            row++;
            return answer.next();
        } catch (SQLException e) {
            throw failed(e);
        }
    }

    private static BadInput failed(SQLException e) {
        return new BadInput("DuckDB stopped answering the `query`: " + QueryPiece.first(e), "Correct it.");
    }

    @Override
    public int line() {
        return (int) Math.min(Integer.MAX_VALUE, row);
    }

    @Override
    public long position() {
        return row;
    }

    @Override
    public BadInput bad(String problem, String remedy) {
        return new BadInput("the answer to the `query`, row %d: %s".formatted(row, problem), remedy);
    }

    private String textOrNothing(int i) {
        try {
            String text = answer.getString(column[i]);
            return text == null ? "" : text.strip();
        } catch (SQLException e) {
            throw failed(e);
        }
    }

    @Override
    public boolean blank(int i) {
        return textOrNothing(i).isEmpty();
    }

    @Override
    public String text(int i) {
        String text = textOrNothing(i);
        if (text.isEmpty()) {
            throw bad(names.get(i) + " is blank", "Give every row a " + names.get(i) + ".");
        }
        return text;
    }

    @Override
    public boolean reads(int i, String text) {
        return textOrNothing(i).equals(text);
    }

    @Override
    public int hash(int i) {
        return textOrNothing(i).hashCode();
    }

    @Override
    public long key(int i) {
        try {
            if (whole[i]) {
                long value = answer.getLong(column[i]);
                if (value > 0 && value < 1_000_000_000_000_000_000L) {
                    return value;
                }
            }
        } catch (SQLException e) {
            throw failed(e);
        }
        return TableRows.key(textOrNothing(i));
    }

    @Override
    public int index(int i) {
        double value = numberOrNaN(i);
        if (!(value >= 0 && value <= Integer.MAX_VALUE && value == Math.rint(value))) {
            throw notA("a whole number from 0", i);
        }
        return (int) value;
    }

    @Override
    public double number(int i) {
        double value = numberOrNaN(i);
        if (Double.isNaN(value)) {
            throw notA("a finite number", i);
        }
        return value;
    }

    @Override
    public double numberOrNaN(int i) {
        try {
            double value = answer.getDouble(column[i]);
            return answer.wasNull() || Double.isInfinite(value) ? Double.NaN : value;
        } catch (SQLException e) {
            try {
                double value = Double.parseDouble(textOrNothing(i));
                return Double.isFinite(value) ? value : Double.NaN;
            } catch (NumberFormatException text) {
                return Double.NaN;
            }
        }
    }

    private BadInput notA(String wanted, int i) {
        String text = textOrNothing(i);
        return text.isEmpty()
                ? bad(names.get(i) + " is blank", "Give " + wanted + ".")
                : bad("%s is '%s'".formatted(names.get(i), shown(text)), "Give " + wanted + ".");
    }

    private static String shown(String text) {
        try {
            return Place.plain(Double.parseDouble(text));
        } catch (NumberFormatException e) {
            return text;
        }
    }

    @Override
    public void close() {
        try {
            answer.close();
            statement.close();
            connection.close();
        } catch (SQLException e) {
            throw failed(e);
        }
    }
}
