package dev.revealed.data;

import static dev.revealed.data.Fixtures.numpy;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.revealed.data.model.ModelFile;
import dev.revealed.mdp.Demonstrations;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.ProgressListener;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The examples and messages of docs/guide/formats.md are what the code reads and says. */
class FormatsGuideTest {
    private static final Pattern FILE = Pattern.compile("```csv (\\S+)\n(.*?)```", Pattern.DOTALL);

    @TempDir
    private Path folder;

    private final Map<String, String> example = new LinkedHashMap<>();
    private String guide = "";

    @BeforeEach
    void writeTheExample() throws IOException {
        guide = Files.readString(Path.of("../docs/guide/formats.md")); // tests run in the module's folder
        Matcher matcher = FILE.matcher(guide);
        while (matcher.find()) {
            example.put(matcher.group(1), matcher.group(2));
            Files.writeString(folder.resolve(matcher.group(1)), matcher.group(2));
        }
    }

    private Optional<Path> file(String name) {
        return Optional.of(folder.resolve(name));
    }

    private ProcessData process(String features, OptionalDouble discount) {
        return ProcessFiles.read(
                folder.resolve("kernel.csv"), file(features), file("start.csv"), file("reference.csv"), discount);
    }

    private Demonstrations read() {
        ProcessData process = process("features.csv", OptionalDouble.of(0.9));
        return Trajectories.read(folder.resolve("trajectories.csv"), process.mdp());
    }

    @Test
    void itsShockScalesCanBeRead() {
        ProcessFiles.Besides besides = new ProcessFiles.Besides(
                Optional.empty(), Optional.empty(), Optional.empty(), file("shock-scale.csv"), OptionalDouble.of(0.9));
        ProcessData scaled = ProcessFiles.read(folder.resolve("kernel.csv"), besides);
        assertThat(scaled.shockScale().orElseThrow()).containsExactly(0.5, 1, 3);
    }

    @Test
    void itsLogCanBeRead() {
        assertThat(TransitionLog.read(folder.resolve("log.csv")).counts(3, 2).moves())
                .isEqualTo(5);
    }

    @Test
    void itsFilesCanBeRead() {
        assertThat(read().decisions()).isEqualTo(4);
        assertThat(process("features-of-states.csv", OptionalDouble.of(0.9))
                        .features()
                        .orElseThrow()
                        .stateOnly())
                .isTrue();
        ProcessData numpy = ProcessFiles.read(
                numpy("process.npz"), Optional.empty(), Optional.empty(), Optional.empty(), OptionalDouble.empty());
        assertThat(process("features.csv", OptionalDouble.of(0.9))
                        .mdp()
                        .kernel()
                        .probability())
                .containsExactly(numpy.mdp().kernel().probability());
    }

    @Test
    void itsMessagesAreTheRealOnes() throws IOException {
        said("kernel.csv", "next,probability", "next,prob");
        said("kernel.csv", "0,1,1,0.8", "0,1,1,-0.8");
        said("kernel.csv", "1,1,2,0.5", "1,1,2,0.25");
        said("features.csv", "2,0,goal", "9,0,goal");
        said("trajectories.csv", "ann,1,", "ann,2,");
        said("trajectories.csv", "ann,1,1,1", "ann,1,1,0");
        shown(catchThrowableOfType(BadInput.class, () -> process("features.csv", OptionalDouble.empty())));
    }

    /** With this slip in the example, the message is one that the guide shows. */
    private void said(String name, String right, String wrong) throws IOException {
        said(name, right, wrong, this::read);
    }

    private void said(String name, String right, String wrong, ThrowingCallable reading) throws IOException {
        String content = example.getOrDefault(name, "");
        assertThat(content).contains(right);
        Files.writeString(folder.resolve(name), content.replace(right, wrong));
        shown(catchThrowableOfType(BadInput.class, reading));
        Files.writeString(folder.resolve(name), content);
    }

    private ChoiceData panel() {
        ModelFile model = ModelFile.read(folder.resolve("shop.yaml"), Map.of());
        return model.panel(folder.resolve("panel.csv"), ProgressListener.NONE);
    }

    private ChoiceData buses() {
        return RustBusFiles.read(
                folder.resolve("buses.csv"), RustBusFiles.Settings.of(Map.of("groups", "1")), ProgressListener.NONE);
    }

    /** The model is that of docs/guide/models.md, with the standard columns. */
    private void writeTheModel() throws IOException {
        String models = Files.readString(Path.of("../docs/guide/models.md"));
        String shop = models.substring(models.indexOf("```yaml shop.yaml\n") + 18);
        Files.writeString(folder.resolve("shop.yaml"), shop.substring(0, shop.indexOf("data:")));
    }

    @Test
    void itsPanelsCanBeRead() throws IOException {
        writeTheModel();
        assertThat(panel().panel().decisions()).isEqualTo(4);
        assertThat(buses().panel().decisions()).isEqualTo(3);
        said("panel.csv", "bob,7,1,5,1", "bob,7,1,5,2", this::panel);
        said("panel.csv", "ann,1,sell,3,0", "ann,1,sell,4,0", this::panel);
        said("buses.csv", "2,7345,1", "2,7345,0", this::buses);
        said("buses.csv", "4403,1,1,2705,0\n", "", this::buses);
    }

    /** The guide shows messages as the command line prints them, with settings as options. */
    private void shown(BadInput complaint) {
        String printed = (complaint.problem() + "\n  " + complaint.remedy()).replaceAll("`([a-z-]+)`", "--$1");
        assertThat(guide).contains(printed.replace(folder + "/", ""));
    }
}
