package dev.revealed.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/** The tree stays small, and everything in results says which command made it. */
class RepositoryTest {
    private static final long MOST = 12_000_000; // bytes of all tracked files

    /** A line of the table of results: folder, command or page, and the commit that added it. */
    private static final Pattern LINE = Pattern.compile("\\| ([a-z0-9-]+) \\| (.+) \\| (.+) \\|");

    private static final Pattern PAGE = Pattern.compile("\\[its page]\\(([^)]+)\\)");
    private static final Pattern COMMIT = Pattern.compile("\\b[0-9a-f]{7,40}\\b");

    @Test
    void trackedFilesAreUnderTwelveMegabytes() throws IOException {
        long all = 0;
        for (String file : tracked()) {
            Path path = Repository.root().resolve(file);
            all += Files.isRegularFile(path) ? Files.size(path) : 0;
        }
        assertThat(all)
                .as("bytes of tracked files; keep policies and rewards out of results, see results/README.md")
                .isBetween(1_000_000L, MOST);
    }

    /** Every folder has a line that names its command, or a page that does, and a commit. */
    @Test
    void everyFolderOfResultsSaysHowItWasMade() throws IOException {
        Path results = Repository.root().resolve("results");
        List<Matcher> lines = Files.readAllLines(results.resolve("README.md")).stream()
                .map(LINE::matcher)
                .filter(Matcher::matches)
                .toList();
        List<String> folders = tracked().stream()
                .filter(file -> file.matches("results/[^/]+/.*"))
                .map(file -> file.split("/", -1)[1])
                .distinct()
                .toList();
        assertThat(folders).hasSizeGreaterThan(10);
        for (String folder : folders) {
            assertThat(lines)
                    .as("lines of results/README.md")
                    .anyMatch(line -> line.group(1).equals(folder));
            Matcher line = lines.stream()
                    .filter(each -> each.group(1).equals(folder))
                    .findFirst()
                    .orElseThrow();
            Matcher page = PAGE.matcher(line.group(2));
            String how = page.find() ? Files.readString(results.resolve(page.group(1))) : line.group(2);
            assertThat(how).as("command of %s", folder).contains("./revealed ");
            String added = how + line.group(3) + specification(results.resolve(folder));
            assertThat(COMMIT.matcher(added).find()).as("commit of %s", folder).isTrue();
        }
    }

    /** Each trial has a study that the page names, and each curve a trial. */
    @Test
    void trialsAndCurvesBelongTogether() throws IOException {
        Path trials = Repository.root().resolve("results/trials");
        String page = Files.readString(trials.resolve("README.md"));
        List<String[]> runs = rows(trials.resolve("trials.csv.gz"));
        List<String> names = runs.stream().map(row -> row[1]).toList();
        assertThat(names).hasSizeGreaterThan(300).doesNotHaveDuplicates();
        assertThat(page).contains("%d runs".formatted(names.size()));
        assertThat(runs)
                .allSatisfy(row -> assertThat(page).contains(row[0].replaceFirst("(?<=expert-rows)-[123]", "")));
        assertThat(names)
                .containsAll(rows(trials.resolve("curves.csv.gz")).stream()
                        .map(row -> row[0])
                        .distinct()
                        .toList());
    }

    /** The lines below the heading; only the first cells are looked at, which have no commas. */
    private static List<String[]> rows(Path file) throws IOException {
        try (InputStream bytes = Files.newInputStream(file);
                InputStream text = file.toString().endsWith(".gz") ? new GZIPInputStream(bytes) : bytes) {
            return new String(text.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .skip(1)
                    .map(line -> line.split(",", 3))
                    .toList();
        }
    }

    private static String specification(Path folder) throws IOException {
        Path file = folder.resolve("spec.json");
        return Files.exists(file) ? Files.readString(file) : "";
    }

    /** What git keeps; skips, loudly, where there is no checkout. */
    private static List<String> tracked() throws IOException {
        Path root = Repository.root();
        Assumptions.assumeTrue(Files.exists(root.resolve(".git")), "there is no .git: this is no checkout");
        Process git = new ProcessBuilder("git", "ls-files", "-z")
                .directory(root.toFile())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String all = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(git.onExit().join().exitValue())
                .as("exit code of git ls-files")
                .isZero();
        return Stream.of(all.split("\0", -1)).filter(file -> !file.isEmpty()).toList();
    }
}
