package dev.revealed.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Links of Markdown pages lead somewhere, and readers find every page of docs from its index. */
class DocumentationTest {
    private static final Pattern CODE = Pattern.compile("(?ms)^ *```.*?^ *```|`[^`\n]*`");
    private static final Pattern LINK = Pattern.compile("(?<=\\]\\()[^()\\s]+(?=\\))|(?<=<img src=\")[^\"]+");
    private static final Pattern HEADING = Pattern.compile("(?m)^#{1,6} +(.+)$");
    private static final Pattern MARKUP = Pattern.compile("\\[([^]]*)]\\([^)]*\\)");

    @Test
    void linksOfPagesLeadSomewhere() throws IOException {
        List<Path> pages = Repository.pages();
        assertThat(pages).hasSizeGreaterThan(40);
        assertThat(broken(pages)).isEmpty();
    }

    @Test
    void everyPageIsReachableFromTheIndex() throws IOException {
        Path docs = Repository.root().resolve("docs");
        assertThat(unreachable(docs.resolve("README.md"), Repository.pages(docs)))
                .isEmpty();
    }

    @Test
    void whatIsWrongIsNamed(@TempDir Path folder) throws IOException {
        Path index = folder.resolve("README.md");
        Path page = folder.resolve("page.md");
        Path lost = folder.resolve("lost.md");
        Files.writeString(index, """
                [good](page.md#two-words-a-number-2) [web](https://example.org) `[code](absent.md)`
                [bad](absent.md) <img src="absent.svg" alt="">
                """);
        Files.writeString(page, """
                # Two words: a number, 2
                [own](#two-words-a-number-2) [bad](#missing)
                ```
                # no heading
                ```
                [bad](#no-heading)
                """);
        Files.writeString(lost, "nobody links here");
        assertThat(broken(List.of(index, page, lost)))
                .containsExactly(
                        "README.md: absent.md", "README.md: absent.svg", "page.md: #missing", "page.md: #no-heading");
        assertThat(unreachable(index, List.of(index, page, lost))).containsExactly(lost);
    }

    /** Links that lead nowhere, each after the name of its page. */
    private static List<String> broken(List<Path> pages) throws IOException {
        List<String> broken = new ArrayList<>();
        for (Path page : pages) {
            for (String link : links(page)) {
                String[] parts = link.split("#", 2);
                Path target = target(page, parts[0]);
                boolean named = parts.length == 2 && target.toString().endsWith(".md");
                if (!Files.exists(target) || (named && !anchors(target).contains(parts[1]))) {
                    broken.add(page.getFileName() + ": " + link);
                }
            }
        }
        return broken;
    }

    private static List<Path> unreachable(Path index, List<Path> pages) throws IOException {
        Set<Path> reached = new HashSet<>(Set.of(index));
        Deque<Path> next = new ArrayDeque<>(reached);
        while (!next.isEmpty()) {
            Path page = next.pop();
            for (String link : links(page)) {
                Path target = target(page, link.split("#", 2)[0]);
                if (pages.contains(target) && reached.add(target)) {
                    next.add(target);
                }
            }
        }
        return pages.stream().filter(page -> !reached.contains(page)).toList();
    }

    private static Path target(Path page, String relative) {
        return relative.isEmpty() ? page : page.resolveSibling(relative).normalize();
    }

    /** Relative links, outside code. */
    private static List<String> links(Path page) throws IOException {
        return LINK.matcher(CODE.matcher(Files.readString(page)).replaceAll(""))
                .results()
                .map(MatchResult::group)
                .filter(link -> !link.contains("://") && !link.startsWith("mailto:"))
                .toList();
    }

    /** As GitHub names headings: lower case, without punctuation, blanks as hyphens. */
    private static Set<String> anchors(Path page) throws IOException {
        Map<String, Integer> seen = new HashMap<>();
        Set<String> anchors = new HashSet<>();
        String text = Pattern.compile("(?ms)^ *```.*?^ *```")
                .matcher(Files.readString(page))
                .replaceAll("");
        HEADING.matcher(text).results().forEach(found -> {
            String words = MARKUP.matcher(found.group(1).strip()).replaceAll("$1");
            String anchor = words.toLowerCase(Locale.ROOT)
                    .replaceAll("[^\\p{L}\\p{N}_ -]", "")
                    .replace(' ', '-');
            int before = seen.merge(anchor, 1, Integer::sum) - 1;
            anchors.add(before == 0 ? anchor : anchor + "-" + before);
        });
        return anchors;
    }
}
