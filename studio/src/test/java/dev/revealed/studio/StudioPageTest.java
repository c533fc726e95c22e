package dev.revealed.studio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page of runs in a real browser. */
class StudioPageTest {
    private static Browser browser;
    private static Studio studio;

    @TempDir
    static Path top;

    @BeforeAll
    static void start() throws Exception {
        Path executable = Browser.find().orElse(null);
        assumeTrue(
                executable != null || "true".equals(System.getenv("CI")),
                "SKIPPED: no Chromium here, so the page was not tested (apt-get install chromium)");
        for (int seed = 1; seed <= 3; seed++) {
            Path folder = Folders.run(top.resolve("many/seed-" + seed), "hopper", seed);
            for (int step = 1; step <= 5; step++) {
                Folders.line(folder, 1000L * step, 100 * step - 10 * seed);
            }
        }
        Files.writeString(top.resolve("many/seed-3-failure.txt"), "the critic diverged\nTry another seed.\n");
        studio = Studio.start(
                new Studio.Options(List.of(top), Studio.Options.HERE, 0), new Folders.NoCommands(), defect -> {
                    throw new AssertionError(defect);
                });
        browser = Browser.start(executable);
        browser.open(studio.address());
    }

    @AfterAll
    static void end() {
        if (browser != null) {
            browser.close();
        }
        if (studio != null) {
            studio.close();
        }
    }

    @AfterEach
    void nothingComplained() {
        assertThat(browser.errors).isEmpty();
    }

    @Test
    void seedsAreOneCurveAndTheWorstIsNamed() {
        browser.view("#/runs?filter=many");
        assertThat(browser.run("document.querySelectorAll('.group').length").asInt()).isEqualTo(1);
        assertThat(browser.colours(".plot canvas")).isGreaterThan(20);
        browser.click(".fold");
        browser.until("document.querySelector('.seed.worst')");
        assertThat(browser.text("document.querySelector('.seed.worst').innerText")).startsWith("seed 3").contains("470");
        assertThat(browser.text("document.querySelector('.seeds').innerText")).contains("the critic diverged");
        assertThat(browser.text("document.querySelector('.chips').innerText")).contains("interrupted 2", "failed 1");
    }

    @Test
    void theViewIsInTheAddress() {
        browser.view("#/runs?filter=seed-2");
        assertThat(browser.text("document.querySelector('.tools .small').innerText")).isEqualTo("1 of 3 runs");
        browser.run("document.querySelector('.work select').selectedIndex = 2;"
                + " document.querySelector('.work select').dispatchEvent(new Event('change'))");
        String address = browser.text("location.href");
        assertThat(address).contains("filter=seed-2").contains("x=updates");
        browser.run("location.reload()");
        browser.until("document.body && document.body.dataset.ready && document.querySelector('.group')");
        assertThat(browser.text("document.querySelector('input[type=search]').value")).isEqualTo("seed-2");
    }

    @Test
    void aNewLineAppearsAtOnce() throws Exception {
        Path folder = Folders.run(top.resolve("growing"), "ant", 1);
        Folders.line(folder, 1000, 1);
        browser.view("#/runs?filter=ant");
        browser.until("document.querySelector('.group')");
        browser.until("document.querySelector('.plot canvas')");
        String last = "Math.max(...window.uPlotLast())";
        browser.run("window.uPlotLast = () => { const c = [...document.querySelectorAll('.plot')][0].chart; return c.plot.data[0]; }");
        browser.until(last + " === 1000");
        Folders.line(folder, 2000, 2);
        long written = System.nanoTime();
        browser.until(last + " === 2000");
        assertThat((System.nanoTime() - written) / 1e9).as("seconds until it is drawn").isLessThan(5);
        Files.writeString(folder.resolve("metrics.jsonl"), "");
        Folders.line(folder, 500, 3);
        browser.until(last + " === 500");
    }
}
