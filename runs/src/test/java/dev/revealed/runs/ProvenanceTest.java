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
}
