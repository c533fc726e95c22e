package dev.revealed.runs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ProvenanceTest {
    @Test
    void isTheSameForTheSameCommand() {
        List<String> command = List.of("estimate", "--seed", "7");
        String json = Json.write(Provenance.of(7, command));
        assertThat(json).isEqualTo(Json.write(Provenance.of(7, command)));
        assertThat(json).contains("\"seed\" : 7", Runtime.version().toString(), "estimate");
        assertThat(Provenance.currentVersion()).isNotBlank();
    }

    @Test
    void findsWhatFollowsAnOption() {
        Provenance made = Provenance.of(1, List.of("expert", "--seeds", "1-3", "--steps=5", "--layer-norm"));
        assertThat(made.typed("seeds")).hasValue("1-3");
        assertThat(made.typed("steps")).hasValue("5");
        assertThat(made.typed("layer-norm")).hasValue("");
        assertThat(made.typed("step")).isEmpty();
    }
}
