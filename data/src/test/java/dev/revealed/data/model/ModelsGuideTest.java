package dev.revealed.data.model;

import static dev.revealed.data.Fixtures.file;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.revealed.data.ChoiceData;
import dev.revealed.mdp.choice.ChoiceModel;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.ProgressListener;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The examples and messages of docs/guide/models.md and examples/README.md are what the code reads and says. */
class ModelsGuideTest {
    @TempDir
    private Path folder;

    private String guide = "";
    private String shop = "";

    @BeforeEach
    void readTheGuide() throws IOException {
        guide = Files.readString(Path.of("../docs/guide/models.md")); // tests run in the module's folder
        shop = block(guide, "yaml shop.yaml");
    }

    private static String block(String page, String kind) {
        Matcher matcher =
                Pattern.compile("```" + kind + "\n(.*?)```", Pattern.DOTALL).matcher(page);
        assertThat(matcher.find()).isTrue();
        return matcher.group(1);
    }

    private ModelFile read(String yaml) throws IOException {
        return ModelFile.read(file(folder, "shop.yaml", yaml), Map.of());
    }

    @Test
    void theShopIsAModel() throws IOException {
        ChoiceModel model = read(shop).model();
        assertThat(model.name()).isEqualTo("shop");
        assertThat(model.states()).isEqualTo(12);
        assertThat(model.utility().names()).containsExactly("storage", "effort", "margin");
        assertThat(model.law().names()).startsWith("quiet", "P(season=0|season=0,wait)");
    }

    @Test
    void itsDataSectionSaysWhereColumnsAre() throws IOException {
        String data = block(guide, "yaml");
        assertThat(data).startsWith("data:");
        ModelFile model = read(shop.replaceFirst("data:.*\n", data));
        Path csv = file(folder, "sales.csv", "dealer,week,choice,cars,month\na,1,W,2,6\na,2,S,3,7\na,3,W,2,12\n");
        assertThat(model.panel(csv, ProgressListener.NONE)
                        .panel()
                        .choices()
                        .trajectories()
                        .getFirst()
                        .states())
                .containsExactly(3 * 2 + 1, 2 * 2 + 1);
    }

    @Test
    void everyLawOfTheTableIsOne() throws IOException {
        String table = guide.substring(guide.indexOf("| the law |"), guide.indexOf("`from` says"));
        Matcher row = Pattern.compile("\n\\| `(.*?)` \\|").matcher(table);
        int laws = 0;
        while (row.find()) {
            String law = row.group(1);
            String values = law.contains("q1") ? "[0, 1, 2]" : "[0, 1]";
            String yaml = shop.replace("season: [0, 1]", "season: " + values)
                    .replace("season: counted", "season: " + law.replace("stock - 1", "1 - season"));
            assertThat(read(yaml).model().actions()).hasSize(2);
            laws++;
        }
        assertThat(laws).isEqualTo(8);
    }

    @Test
    void itsMessagesAreTheRealOnes() {
        said("-storage * stock\n", "-storage * (effort > 1)\n");
        said("wait: {shift: [0, 1], probabilities", "wait: {shifts: [0, 1], probabilities");
        said("{shift: [0, 1], probabilities: [quiet]}", "stock + 1");
    }

    private void said(String right, String wrong) {
        assertThat(shop).contains(right);
        BadInput complaint =
                catchThrowableOfType(BadInput.class, () -> read(shop.replaceFirst(Pattern.quote(right), wrong)));
        assertThat(guide).contains((complaint.problem() + "\n  " + complaint.remedy()).replace(folder + "/", ""));
    }

    @Test
    void theFirmsOfTheExamplesAreAPanel() throws IOException {
        String page = Files.readString(Path.of("../examples/README.md"));
        ChoiceData firms = ModelFile.read(Path.of("../examples/entry.yaml"), Map.of())
                .panel(file(folder, "firms.csv", block(page, "csv firms.csv")), ProgressListener.NONE);
        assertThat(firms.panel().size()).isEqualTo(2);
        assertThat(firms.panel().decisions()).isEqualTo(5);
    }
}
