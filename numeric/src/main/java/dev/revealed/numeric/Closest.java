package dev.revealed.numeric;

import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Finds the name that was probably meant. */
public final class Closest {
    private Closest() {}

    /**
     * The known name nearest to the given one, if it is near enough to be a slip: at most a third of its letters differ,
     * or one name begins with the other. Case does not count.
     */
    public static Optional<String> to(String name, Collection<String> known) {
        String best = null;
        int bestDistance = Integer.MAX_VALUE;
        for (String candidate : known) {
            int distance = slip(name.strip().toLowerCase(Locale.ROOT), candidate.toLowerCase(Locale.ROOT));
            if (distance < bestDistance) {
                best = candidate;
                bestDistance = distance;
            }
        }
        return Optional.ofNullable(best);
    }

    /** {@code Did you mean 'state'? } with a space after it, ready to stand before a remedy; empty where nothing is near. */
    public static String question(String name, Collection<String> known) {
        return question("Did you mean '%s'? ", name, known);
    }

    /** The same in other words, such as {@code Rename '%s'? }. */
    public static String question(String words, String name, Collection<String> known) {
        return to(name, known).map(words::formatted).orElse("");
    }

    /**
     * The place of a name among those known. Refuses others: the nearest is offered, and all are listed.
     *
     * @param all what stands before the list, such as "The actions are"
     */
    public static int place(String problem, String name, List<String> known, String all) {
        int place = known.indexOf(name);
        if (place < 0) {
            throw new BadInput(problem, question(name, known) + all + " " + String.join(", ", known) + ".");
        }
        return place;
    }

    /** The distance of two names, or the largest integer where they do not look related. */
    private static int slip(String a, String b) {
        int distance = distance(a, b);
        int shorter = Math.min(a.length(), b.length());
        int longer = Math.max(a.length(), b.length());
        if (distance <= (longer + 2) / 3 && distance < shorter) {
            return distance;
        }
        boolean abbreviation = shorter > 0 && (a.startsWith(b) || b.startsWith(a));
        return distance == 0 || abbreviation ? distance : Integer.MAX_VALUE;
    }

    /** Letters to insert, delete, replace or swap with their neighbour to make one name of the other. */
    static int distance(String a, String b) {
        int[] beforeLast = new int[b.length() + 1];
        int[] last = new int[b.length() + 1];
        int[] row = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            last[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int replace = last[j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                row[j] = Math.min(replace, 1 + Math.min(last[j], row[j - 1]));
                if (i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1)) {
                    row[j] = Math.min(row[j], beforeLast[j - 2] + 1);
                }
            }
            int[] spare = beforeLast;
            beforeLast = last;
            last = row;
            row = spare;
        }
        return last[b.length()];
    }
}
