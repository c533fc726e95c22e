package dev.revealed.bench;

import dev.revealed.data.TableRows;
import dev.revealed.data.panel.BusSimulation;
import dev.revealed.data.panel.TablePiece;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.RandomStream;
import java.util.ArrayList;
import java.util.List;

/**
 * Readings of simulated buses that are drawn when they are read, and are never all in memory.
 *
 * @param from the first bus
 * @param to the one after the last
 */
record DrawnBuses(BusSimulation buses, long from, long to, int periods, RandomStream stream) implements TablePiece {
    private static final int EACH = 5000; // buses of a piece

    static List<TablePiece> pieces(BusSimulation buses, long rows, int periods, RandomStream stream) {
        long all = Math.max(1, rows / (periods + 1));
        List<TablePiece> pieces = new ArrayList<>();
        for (long bus = 0; bus < all; bus += EACH) {
            pieces.add(new DrawnBuses(buses, bus, Math.min(all, bus + EACH), periods, stream));
        }
        return pieces;
    }

    @Override
    public TableRows open(List<String> required, List<String> optional, String hint) {
        return new Rows();
    }

    @Override
    public String name() {
        return "drawn buses";
    }

    @Override
    public String unit() {
        return "row";
    }

    @Override
    public long rows() {
        return (to - from) * (periods + 1);
    }

    @Override
    public long bytes() {
        return 8 * rows();
    }

    /** Columns: bus, group, period, mileage, decision; others are not there. */
    private final class Rows implements TableRows {
        private final long[] mileage = new long[periods + 1];
        private final boolean[] replace = new boolean[periods + 1];
        private long bus = from - 1;
        private int t = periods;

        @Override
        public boolean has(int column) {
            return column < 5;
        }

        @Override
        public List<String> others() {
            return List.of();
        }

        @Override
        public boolean next() {
            if (++t <= periods) {
                return true;
            }
            if (++bus >= to) {
                return false;
            }
            t = 0;
            buses.bus(periods, stream.at(bus), (period, miles, replaced) -> {
                mileage[period] = miles;
                replace[period] = replaced;
            });
            return true;
        }

        @Override
        public int line() {
            return t;
        }

        @Override
        public BadInput bad(String problem, String remedy) {
            return new BadInput("drawn bus %d, period %d: %s".formatted(bus, t, problem), remedy);
        }

        @Override
        public boolean blank(int column) {
            return false;
        }

        @Override
        public String text(int column) {
            return Long.toString(key(column));
        }

        @Override
        public boolean reads(int column, String text) {
            return text(column).equals(text);
        }

        @Override
        public int hash(int column) {
            return text(column).hashCode();
        }

        @Override
        public int index(int column) {
            return Math.toIntExact(key(column));
        }

        @Override
        public double number(int column) {
            return key(column);
        }

        @Override
        public double numberOrNaN(int column) {
            return key(column);
        }

        @Override
        public long key(int column) {
            return switch (column) {
                case 0 -> bus + 1;
                case 1 -> 1 + bus % 4;
                case 2 -> t;
                case 3 -> mileage[t];
                default -> replace[t] ? 1 : 0;
            };
        }

        @Override
        public void close() {}
    }
}
