package dev.revealed.app.studio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.revealed.app.Cli;
import dev.revealed.app.Main;
import dev.revealed.app.Repository;
import dev.revealed.numeric.BadInput;
import dev.revealed.runs.Json;
import dev.revealed.studio.Commands;
import dev.revealed.studio.Studio;
import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands that open the page, and what the page says and offers, without a browser. */
class StudioCommandTest {
    private final Cli cli = new Cli();

    @TempDir
    Path folder;

    @Test
    void whatIsNotThereIsNamed() {
        assertThat(cli.run("studio", folder.resolve("nowhere").toString())).isEqualTo(2);
        assertThat(cli.err()).contains("nowhere").contains("Name one that holds run folders");
        assertThat(cli.run("play", "--policy", folder.toString())).isEqualTo(2);
        assertThat(cli.err()).contains("there is no run in");
        assertThat(cli.run("studio", folder.toString(), "--host", "192.0.2.1", "--unencrypted"))
                .isEqualTo(2);
        assertThat(cli.err()).contains("192.0.2.1").contains("--host");
        assertThat(cli.run("studio", folder.toString(), "--host", "0.0.0.0", "--unencrypted"))
                .isEqualTo(2);
        assertThat(cli.err()).contains("0.0.0.0").contains("--host");
    }

    @Test
    void otherMachinesNeedACertificate() {
        assertThat(cli.run("studio", folder.toString(), "--host", "192.0.2.1")).isEqualTo(2);
        assertThat(cli.err()).contains("--certificate", "--unencrypted", "SSH tunnel");
        assertThat(cli.run("studio", folder.toString(), "--certificate", "nowhere.p12"))
                .isEqualTo(2);
        assertThat(cli.err()).contains("nowhere.p12");
        assertThat(cli.run("studio", folder.toString(), "--unencrypted")).isEqualTo(2);
        assertThat(cli.err()).contains("--unencrypted has no effect here", "127.0.0.1");
        assertThat(cli.run("studio", folder.toString(), "--unencrypted", "--certificate", "nowhere.p12"))
                .isEqualTo(2);
        assertThat(cli.err()).contains("--unencrypted and --certificate are both given");
    }

    @Test
    void filesAreCheckedBeforeACommandIsStarted() throws IOException {
        Path panel = folder.resolve("panel.csv");
        Files.writeString(panel, "bus_id,group,period,mileage,decision\n1,1,0,500,0\n1,1,1,x9,0\n");
        PageCommands commands = new PageCommands();
        List<String> words = List.of("estimate", "--model=rust-bus", "--data=" + panel);
        assertThatExceptionOfType(BadInput.class)
                .isThrownBy(() -> commands.check(words))
                .withMessageContaining("line 3")
                .withMessageContaining("x9");
        commands.check(List.of("demo")); // which has no files
        try (RandomAccessFile large = new RandomAccessFile(panel.toFile(), "rw")) {
            large.setLength(65 << 20);
        }
        assertThatExceptionOfType(BadInput.class)
                .isThrownBy(() -> commands.check(words))
                .withMessageContaining("65 MB");
    }

    @Test
    void aSwitchOfTheFormIsUnderstood() {
        PageCommands commands = new PageCommands();
        assertThat(commands.forms().getFirst().groups().stream().flatMap(group -> group.fields().stream()))
                .filteredOn(field -> field.name().equals("types-by-start"))
                .singleElement()
                .satisfies(field -> assertThat(field.words()).hasSize(1));
        assertThat(commands.launch(commands.words("estimate", Map.of("types-by-start", ""))))
                .endsWith("estimate", "--types-by-start");
    }

    @Test
    void aPortThatIsTakenIsNamed() {
        try (Studio first = Studio.start(
                new Studio.Options(List.of(folder), Studio.Options.HERE, 0), new PageCommands(), defect -> {})) {
            String port = Integer.toString(first.address().getPort());
            assertThat(cli.run("studio", folder.toString(), "--port", port)).isEqualTo(2);
            assertThat(cli.err()).contains("port " + port).contains("--port");
        }
    }

    /** The form has no list of its own: every option of the help is there, with the same words. */
    @Test
    void theFormHasTheOptionsOfTheHelp() {
        List<Commands.Form> forms = new PageCommands().forms();
        assertThat(forms).extracting(Commands.Form::name).contains("estimate", "imitate", "expert", "counterfactual");
        for (Commands.Form form : forms) {
            cli.run(form.name(), "--help");
            String help = cli.out().replaceAll("\\s+", "");
            List<Commands.Field> fields = form.groups().stream()
                    .flatMap(group -> group.fields().stream())
                    .toList();
            assertThat(fields).isNotEmpty().allSatisfy(field -> {
                assertThat(help).contains("--" + field.name());
                assertThat(help).contains(field.about().replaceAll("\\s+", ""));
            });
            List<String> options = Objects.requireNonNull(
                            Main.commandLine().getSubcommands().get(form.name()))
                    .getCommandSpec()
                    .options()
                    .stream()
                    .map(option -> option.longestName().substring(2))
                    .filter(name ->
                            !Set.of("out", "json", "help", "resume", "latex").contains(name))
                    .toList();
            assertThat(fields).extracting(Commands.Field::name).containsExactlyInAnyOrderElementsOf(options);
        }
    }

    /** What stands beside a curve is what the guide says. */
    @Test
    void curvesAreExplainedInTheWordsOfTheGuide() throws IOException {
        Path guide = Repository.root().resolve("docs/guide");
        String words = Files.readString(guide.resolve("imitate.md")) + Files.readString(guide.resolve("sac.md"));
        Map<?, ?> columns;
        try (InputStream in = Objects.requireNonNull(Studio.class.getResourceAsStream("page/columns.json"))) {
            columns = Json.read(new String(in.readAllBytes(), StandardCharsets.UTF_8), Map.class);
        }
        columns.forEach((name, column) -> ((Map<?, ?>) Objects.requireNonNull(column)).forEach((kind, text) -> {
            if (!kind.equals("label")) {
                assertThat(words.replace("**", "")).as("%s of %s", kind, name).contains(String.valueOf(text));
            }
        }));
    }
}
