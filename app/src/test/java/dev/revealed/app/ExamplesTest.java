package dev.revealed.app;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ExamplesTest {
    @Test
    void aLongExampleGoesOnAsAShellReadsIt() {
        assertThat(Examples.wrap("  ./revealed estimate --query \"SELECT * FROM t\" --out folder", 40))
                .containsExactly("  ./revealed estimate --query \\", "      \"SELECT * FROM t\" --out folder");
    }

    @Test
    void shortOnesAndSentencesStayAsTheyAre() {
        assertThat(Examples.wrap("  ./revealed demo", 40)).containsExactly("  ./revealed demo");
        assertThat(Examples.wrap("Examples: of what can be done with this command", 40))
                .containsExactly("Examples: of what can be done with this command");
    }
}
