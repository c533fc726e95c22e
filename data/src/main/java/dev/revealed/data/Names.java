package dev.revealed.data;

import java.util.ArrayList;
import java.util.List;

/** Numbers names in order of first appearance; a name met before costs no new string. */
final class Names {
    private final List<String> names = new ArrayList<>();
    private int[] slots = new int[64]; // open addressing; 0 where free, else the name's number plus one
    private int last = -1;

    int number(TableRows csv, int column) {
        if (last < 0 || !csv.reads(column, names.get(last))) {
            last = find(csv, column);
        }
        return last;
    }

    private int find(TableRows csv, int column) {
        int slot = slot(csv.hash(column));
        while (slots[slot] != 0) {
            if (csv.reads(column, names.get(slots[slot] - 1))) {
                return slots[slot] - 1;
            }
            slot = next(slot);
        }
        names.add(csv.text(column));
        slots[slot] = names.size();
        if (2 * names.size() > slots.length) {
            grow();
        }
        return names.size() - 1;
    }

    private void grow() {
        slots = new int[2 * slots.length];
        for (int i = 0; i < names.size(); i++) {
            int slot = slot(names.get(i).hashCode()); // Csv.hash is String's
            while (slots[slot] != 0) {
                slot = next(slot);
            }
            slots[slot] = i + 1;
        }
    }

    private int slot(int hash) {
        return (hash * 0x9E3779B9) >>> (1 + Integer.numberOfLeadingZeros(slots.length));
    }

    private int next(int slot) {
        return (slot + 1) & (slots.length - 1);
    }

    int size() {
        return names.size();
    }

    List<String> inOrder() {
        return List.copyOf(names);
    }
}
