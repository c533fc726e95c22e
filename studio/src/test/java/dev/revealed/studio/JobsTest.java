package dev.revealed.studio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.revealed.numeric.BadInput;
import dev.revealed.runs.Json;
import dev.revealed.runs.Provenance;
import dev.revealed.runs.RunFiles;
import dev.revealed.runs.RunSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Commands that the page starts, stops and resumes, with a shell in place of the command line. */
class JobsTest {
    @TempDir
    Path top;

    private final List<List<String>> launched = new ArrayList<>();

    /** What the next commands do. */
    private String script = "exec sleep 60";

    private Jobs jobs;

    private final Commands shell = new Commands() {
        @Override
        public List<Form> forms() {
            Field field = new Field("steps", "N", "How many.", false, List.of());
            return List.of(new Form("expert", "", List.of(new Group("", List.of(field)))));
        }

        @Override
        public String document(String command, Map<String, List<String>> options) {
            return "{}";
        }

        @Override
        public void check(List<String> command) {}

        @Override
        public List<String> words(String command, Map<String, String> options) {
            List<String> words = new ArrayList<>(List.of(command));
            options.forEach((name, value) -> words.add(name + "=" + value));
            return words;
        }

        @Override
        public List<String> launch(List<String> command) {
            launched.add(command);
            return List.of("sh", "-c", script);
        }
    };

    @BeforeEach
    void make() {
        jobs = new Jobs(top.resolve("shown"), shell);
    }

    @AfterEach
    void stopAll() {
        jobs.list().forEach(job -> jobs.stop(job.id()));
    }

    private Jobs.Job start(String name) {
        return jobs.start(Map.of("command", "expert", "name", name));
    }

    private Jobs.Job ended(Jobs.Job job) throws InterruptedException {
        Instant latest = Instant.now().plus(Duration.ofSeconds(20));
        while (Instant.now().isBefore(latest)) {
            Jobs.Job now = jobs.list().stream()
                    .filter(each -> each.id().equals(job.id()))
                    .findFirst()
                    .orElseThrow();
            if (now.exit() != null) {
                return now;
            }
            Thread.sleep(5);
        }
        throw new AssertionError("it goes on: " + job);
    }

    private static void refused(String why, Callable<?> action) {
        assertThatExceptionOfType(BadInput.class).isThrownBy(action::call).withMessageContaining(why);
    }

    @Test
    void aCommandIsStartedInItsFolderAndStopped() throws Exception {
        Jobs.Job job = jobs.start(Map.of("command", "expert", "name", "one", "options", Map.of("steps", "7")));
        Path folder = top.resolve("shown/one");
        assertThat(launched).containsExactly(List.of("expert", "steps=7", "out=" + folder));
        assertThat(job.folder()).isEqualTo(folder.toString());
        assertThat(jobs.list())
                .singleElement()
                .satisfies(each -> assertThat(each.exit()).isNull());
        assertThat(jobs.stop(job.id())).isTrue();
        assertThat(ended(job).exit()).isNotZero();
        assertThat(jobs.stop("7")).isFalse();
        assertThat(start("one").id()).isNotEqualTo(job.id()); // it left nothing, so that the name is free
    }

    @Test
    void whatACommandPrintedIsShown() throws Exception {
        script = "echo no such panel; exit 2";
        Jobs.Job end = ended(start("one"));
        assertThat(end.exit()).isEqualTo(2);
        assertThat(end.output()).isEqualTo("no such panel\n");
    }

    /** A signal of the terminal reaches all of a session's foreground group, hence not those of another session. */
    @Test
    void aCommandHasASessionOfItsOwn() throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/setsid")) && Files.exists(Path.of("/proc/self/stat")));
        script = "echo $$; cut -d' ' -f6 /proc/$$/stat";
        List<String> ids = ended(start("one")).output().lines().toList();
        assertThat(ids).hasSize(2);
        assertThat(ids.getLast()).isEqualTo(ids.getFirst());
    }

    @Test
    void aDoubleClickStartsOneCommand() throws Exception {
        int clicks = 8;
        int started = 0;
        try (ExecutorService threads = Executors.newFixedThreadPool(clicks)) {
            List<Callable<Jobs.Job>> all = new ArrayList<>();
            for (int i = 0; i < clicks; i++) {
                all.add(() -> start("one"));
            }
            for (Future<Jobs.Job> each : threads.invokeAll(all)) {
                started += each.state() == Future.State.SUCCESS ? 1 : 0;
            }
        }
        assertThat(started).isEqualTo(1);
        assertThat(jobs.list()).hasSize(1);
        refused("is running in", () -> start("one"));
    }

    @Test
    void sixteenRunAtOnce() throws Exception {
        for (int i = 0; i < 16; i++) {
            start("run-" + i);
        }
        refused("16 commands are running", () -> start("another"));
        Jobs.Job first = jobs.list().getLast();
        jobs.stop(first.id());
        ended(first);
        start("another");
    }

    @Test
    void whatIsNotOfferedIsNotStarted() throws IOException {
        refused("no command 'rm'", () -> jobs.start(Map.of("command", "rm", "name", "one")));
        refused(
                "'out' is no option",
                () -> jobs.start(
                        Map.of("command", "expert", "name", "one", "options", Map.of("out", "/tmp/elsewhere"))));
        Files.createDirectories(top.resolve("shown/there"));
        refused("there already", () -> start("there"));
        Files.createSymbolicLink(top.resolve("shown/link"), top.resolve("nowhere"));
        refused("there already", () -> start("link"));
        assertThat(launched).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ".", "..", "../x", "a/b", "/tmp/x", ".hidden", "-rf", "a b", "a\\b", "a\0", "ü", "a\n"})
    void namesCannotLeadElsewhere(String name) {
        refused("cannot be a name", () -> start(name));
        refused("cannot be a name", () -> jobs.upload(Map.of("name", name, "text", "a,b")));
        refused("cannot be a name", () -> start("a".repeat(81)));
        assertThat(top.resolve("shown")).doesNotExist();
    }

    @Test
    void aTableIsKeptAndShown() {
        Jobs.Uploaded kept = jobs.upload(Map.of("name", "panel.csv", "text", "a,b\n1,2\n"));
        assertThat(Path.of(kept.path())).hasContent("a,b\n1,2\n").isEqualTo(top.resolve("shown/uploads/panel.csv"));
        assertThat(kept.first()).containsExactly("a,b", "1,2");
        refused("empty", () -> jobs.upload(Map.of("name", "panel.csv", "text", " \n")));
    }

    @Test
    void uploadsDoNotGoThroughLinks() throws IOException {
        Path other = Files.writeString(top.resolve("other.csv"), "as it was");
        Path uploads = Files.createDirectories(top.resolve("shown/uploads"));
        Files.createSymbolicLink(uploads.resolve("link.csv"), other);
        refused("is a link", () -> jobs.upload(Map.of("name", "link.csv", "text", "new")));
        assertThat(other).hasContent("as it was");
        Files.delete(uploads.resolve("link.csv"));
        Files.delete(uploads);
        Files.createSymbolicLink(uploads, Files.createDirectories(top.resolve("elsewhere")));
        refused("is a link", () -> jobs.upload(Map.of("name", "new.csv", "text", "new")));
        assertThat(top.resolve("elsewhere")).isEmptyDirectory();
    }

    private static Catalogue.Run run(Path folder) {
        return new Catalogue.Run(
                Catalogue.id(folder),
                Objects.requireNonNull(folder.getFileName()).toString(),
                folder);
    }

    @Test
    void anInterruptedRunGoesOnOnce() throws Exception {
        Catalogue.Run run = run(Folders.run(top.resolve("shown/one"), "hopper", 1));
        Jobs.Job job = jobs.resume(run);
        assertThat(launched.getFirst())
                .contains("resume=", "out=" + run.folder())
                .startsWith("expert");
        refused("is running in", () -> jobs.resume(run));
        jobs.stop(job.id());
        ended(job);
        Files.writeString(run.folder().resolve(RunFiles.RESULT), "{}");
        refused("not interrupted", () -> jobs.resume(run));
        assertThat(jobs.list()).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "@words.txt"})
    void aRunThatNamesNoCommandDoesNotGoOn(String word) throws IOException {
        Path folder = Folders.run(top.resolve("shown/one"), "hopper", 1);
        Provenance provenance = Provenance.of(1, word.isEmpty() ? List.of() : List.of(word));
        Files.writeString(folder.resolve(RunFiles.SPEC), Json.write(RunSpec.of(provenance, Map.of())));
        refused("does not say which command", () -> jobs.resume(run(folder)));
    }
}
