package dev.revealed.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.revealed.runs.Json;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** How the library's words reach people and programs. */
class OutcomeTest {
    record Inner(List<String> warnings, List<Double> values, String text) {}

    record Document(String status, Inner inner, String note) {}

    @Test
    void settingsThatTheLibraryNamesAreOptionsInTheDocument() {
        Inner inner = new Inner(List.of("add `ridge` 0.01"), Arrays.asList(0.1, null, 1e-300), "# a file: `ridge`");
        Outcome outcome = Outcome.of(new Document("try `search` lbfgs", inner, "`libtorch`"), "a title");
        assertThat((Object) Json.read(outcome.json(), Map.class))
                .isEqualTo(Map.of(
                        "status",
                        "try --search lbfgs",
                        "inner",
                        Json.read(
                                "{\"warnings\": [\"add --ridge 0.01\"], \"values\": [0.1, null, 1e-300], \"text\": \"# a file: `ridge`\"}",
                                Map.class),
                        "note",
                        "--libtorch"));
    }

    @Test
    void aDocumentWithoutSettingsIsWrittenAsItIs() {
        Document document = new Document("converged", new Inner(List.of(), List.of(1.0), ""), "");
        assertThat(Outcome.of(document, "").json()).isEqualTo(Json.write(document));
    }

    @Test
    void cautionsThatWereShownAreInDocumentAndReport() {
        Document document = new Document("converged", new Inner(List.of(), List.of(1.0), ""), "");
        Outcome outcome = Outcome.of(document, "").cautions(List.of("with `after-end` mask, take care"));
        assertThat(Json.read(outcome.json(), Map.class).get("cautions"))
                .isEqualTo(List.of("with --after-end mask, take care"));
        assertThat(outcome.report().toHtml()).contains("Caution: with --after-end mask, take care");
        assertThat(outcome.text()).isEmpty();
    }

    @Test
    void settingsThatTheLibraryNamesAreOptionsInTextAndReport() {
        Outcome outcome = Outcome.of("", "a title")
                .say("see `set` groups=1\n")
                .warnings(List.of("add `ridge` 0.01"))
                .notes(List.of("for more, `torch`"));
        assertThat(outcome.text()).isEqualTo("see --set groups=1\n\nwarning: add --ridge 0.01\n\nfor more, --torch\n");
        assertThat(outcome.report().toHtml()).contains("Warning: add --ridge 0.01", "for more, --torch");
    }
}
