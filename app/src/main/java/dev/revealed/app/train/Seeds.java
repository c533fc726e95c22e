package dev.revealed.app.train;

import dev.revealed.numeric.BadInput;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Seeds in a few letters: {@code 1-5,8,11-12}. */
final class Seeds {
    private static final int MOST = 1000;
    private static final Pattern PART = Pattern.compile("(\\d{1,18})(?:-(\\d{1,18}))?");

    private Seeds() {}

    /** The seeds in the order they were written. */
    static List<Long> parse(String text) {
        Set<Long> seeds = new LinkedHashSet<>();
        for (String part : text.split(",", -1)) {
            Matcher range = PART.matcher(part.strip());
            if (!range.matches()) {
                throw bad(text, "'%s' is neither a seed nor a range of seeds".formatted(part));
            }
            long first = Long.parseLong(range.group(1));
            long last = range.group(2) == null ? first : Long.parseLong(range.group(2));
            if (last < first) {
                throw bad(text, "the range %s runs backwards".formatted(part.strip()));
            }
            if (last - first >= MOST || seeds.size() + last - first >= MOST) {
                throw bad(text, "these are more than %d seeds".formatted(MOST));
            }
            for (long seed = first; seed <= last; seed++) {
                if (!seeds.add(seed)) {
                    throw bad(text, "seed %d is there twice".formatted(seed));
                }
            }
        }
        return new ArrayList<>(seeds);
    }

    private static BadInput bad(String text, String why) {
        return new BadInput(
                "--seeds is '%s': %s".formatted(text, why), "Write seeds and ranges of them, such as 1-14 or 1,3,7-9.");
    }
}
