package dev.revealed.train;

import dev.revealed.numeric.BadInput;
import java.util.Locale;
import java.util.stream.Stream;

/** How an episode terminates in a world. Its text is what files have. */
public sealed interface Terminations {

    /** Ways that need no more words. */
    enum Known implements Terminations {
        /** By the task's own rule. */
        RULE,
        /** As members have learnt it. */
        LEARNT,
        /** Never: no logged episode did. */
        NONE;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Where a formula of the state after a step is not 0. */
    record Where(String formula) implements Terminations {
        private static final String WORD = "where ";

        @Override
        public String toString() {
            return WORD + formula;
        }
    }

    /** What a file says. */
    static Terminations named(String text) {
        if (text.startsWith(Where.WORD)) {
            return new Where(text.substring(Where.WORD.length()));
        }
        return Stream.of(Known.values())
                .filter(each -> each.toString().equals(text))
                .findFirst()
                .orElseThrow(() -> new BadInput(
                        "terminations are '%s', and not rule, learnt, none or where and a formula".formatted(text),
                        "The file is damaged or of another version: learn the world again with 'worldmodel'."));
    }
}
