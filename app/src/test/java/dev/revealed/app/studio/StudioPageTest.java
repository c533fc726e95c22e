package dev.revealed.app.studio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.revealed.app.Cli;
import dev.revealed.app.MujocoHere;
import dev.revealed.app.Repository;
import dev.revealed.runs.Json;
import dev.revealed.runs.Provenance;
import dev.revealed.runs.RunFiles;
import dev.revealed.runs.RunSpec;
import dev.revealed.studio.Studio;
import java.awt.Color;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import javax.imageio.ImageIO;
import javax.imageio.ImageReader;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The page in a real browser, with the real command line behind it. With {@code -Drevealed.screenshots=true} it draws the
 * pictures of the guide again.
 */
class StudioPageTest {
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private static Browser browser;
    private static Studio studio;

    @TempDir
    static Path top;

    @BeforeAll
    static void start() throws Exception {
        Path executable = Browser.find().orElse(null);
        if (executable == null) {
            String missing = "no Chromium here, so the page was not tested; to have it: apt-get install chromium";
            System.err.println("SKIPPED: " + missing);
            assertThat(System.getenv("CI")).as(missing).isNotEqualTo("true");
            Assumptions.abort(missing);
        }
        for (int seed = 1; seed <= 3; seed++) {
            Path folder = run("many/seed-" + seed, "hopper", seed);
            for (int step = 1; step <= 5; step++) {
                line(folder, 1000L * step, 100 * step - 10 * seed);
            }
        }
        Files.writeString(RunFiles.failure(top.resolve("many/seed-3")), "the critic diverged\nTry another seed.\n");
        studio = Studio.start(new Studio.Options(List.of(top), Studio.Options.HERE, 0), new PageCommands(), defect -> {
            throw new AssertionError(defect);
        });
        browser = Browser.start(executable);
        browser.size(1280, 820, false);
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

    private static Path run(String name, String task, long seed) throws IOException {
        Path folder = Files.createDirectories(top.resolve(name));
        Provenance provenance = Provenance.of(seed, List.of("expert", "--task", task, "--seed", Long.toString(seed)));
        RunSpec spec = RunSpec.of(provenance, Map.of("task", task, "seed", seed, "learning-rate", 0.001));
        Files.writeString(folder.resolve(RunFiles.SPEC), Json.write(spec));
        return folder;
    }

    private static void line(Path folder, long step, double value) throws IOException {
        Files.writeString(
                folder.resolve(RunFiles.METRICS),
                "{\"step\":%d,\"testReturn\":%s,\"testStandardError\":1.5}\n".formatted(step, value),
                StandardOpenOption.CREATE,
                StandardOpenOption.APPEND);
    }

    /** The published Hopper, with demonstrations of its own policy. */
    private static Path hopper() throws IOException {
        Path made = top.resolve("hopper");
        if (!Files.exists(made)) {
            Path published = Repository.root().resolve("results/table1/rows/15-hopper-seed-1");
            Path shown = top.resolve("shown");
            assertThat(new Cli()
                            .run(
                                    "record",
                                    "--policy",
                                    published.toString(),
                                    "--episodes",
                                    "1",
                                    "--deterministic",
                                    "--out",
                                    shown.toString()))
                    .isZero();
            Files.createDirectories(made);
            for (String name : List.of(RunFiles.POLICY, RunFiles.REWARD, RunFiles.RESULT)) {
                Files.copy(published.resolve(name), made.resolve(name));
            }
            RunSpec spec = RunSpec.read(published);
            Map<String, Object> settings = new LinkedHashMap<>(spec.settings());
            settings.put("demos", shown.resolve("demonstrations.npz").toString());
            Files.writeString(made.resolve(RunFiles.SPEC), Json.write(RunSpec.of(spec.provenance(), settings)));
        }
        return made;
    }

    private static String text(String selector) {
        return browser.text("document.querySelector('%s').innerText".formatted(selector));
    }

    @Test
    void seedsAreOneCurveAndTheWorstIsNamed() throws IOException {
        browser.view("#/runs?filter=many");
        assertThat(browser.run("document.querySelectorAll('.group').length").asInt())
                .isEqualTo(1);
        assertThat(Pixels.colours(browser, ".plot canvas")).isGreaterThan(20);
        assertThat(text(".worst-line")).contains("seed 3", "470");
        browser.click(".fold");
        browser.until("document.querySelector('.seed.worst')");
        assertThat(text(".seed.worst")).startsWith("seed 3").contains("470");
        assertThat(text(".seeds")).contains("the critic diverged");
        assertThat(text(".chips")).contains("failed 1");
        JsonNode band = browser.run(
                "(() => { const c = document.querySelector('.plot').chart; return c.plot.data.slice(1, 3).map(v => v.at(-1)); })()");
        assertThat(List.of(band.get(0).asDouble(), band.get(1).asDouble())).containsExactly(490.0, 470.0);
    }

    @Test
    void theViewIsInTheAddress() {
        browser.view("#/runs?filter=seed-2");
        assertThat(text(".tools .small")).startsWith("1 of ");
        browser.run(
                "(() => { const s = document.querySelector('.work select'); s.value = 'updates'; s.dispatchEvent(new Event('change')); })()");
        assertThat(browser.text("location.href")).contains("filter=seed-2").contains("x=updates");
        browser.run("window.before = true; location.reload()");
        browser.until("!window.before && document.body?.dataset.ready && document.querySelector('.group')");
        assertThat(browser.text("document.querySelector('input[type=search]').value"))
                .isEqualTo("seed-2");
    }

    @Test
    void aNewLineAppearsByItself() throws Exception {
        Path folder = run("growing", "ant", 1);
        line(folder, 1000, 1);
        browser.view("#/runs?filter=growing");
        String last = "Math.max(...(document.querySelector('.plot')?.chart.plot.data[0] ?? [0]))";
        browser.until(last + " === 1000");
        line(folder, 2000, 2);
        browser.until(last + " === 2000");
        Files.writeString(folder.resolve(RunFiles.METRICS), "");
        line(folder, 500, 3);
        browser.until(last + " === 500");
    }

    @Test
    void settingsAreComparedWithDifferencesMarked() throws Exception {
        line(run("pair/one", "hopper", 8), 1000, 6);
        Path other = Files.createDirectories(top.resolve("pair/other"));
        RunSpec spec = RunSpec.of(
                Provenance.of(9, List.of("expert")), Map.of("task", "hopper", "seed", 9, "learning-rate", 0.5));
        Files.writeString(other.resolve(RunFiles.SPEC), Json.write(spec));
        line(other, 1000, 7);
        browser.view("#/runs?filter=pair");
        browser.run("[...document.querySelectorAll('.group input')].find(each => !each.checked).click()");
        browser.until("document.querySelector('tr.differs')");
        assertThat(text("tr.differs")).contains("learning-rate", "0.5", "0.001");
        assertThat(browser.run("document.querySelectorAll('tr.differs').length").asInt())
                .isEqualTo(1);
    }

    @Test
    void slidersAnswerAsTheCommandDoes() throws Exception {
        Path fit = top.resolve("zurcher");
        Cli cli = new Cli();
        assertThat(cli.estimate(
                        "rust-bus",
                        Repository.root().resolve("examples/consumer/buses.csv").toString(),
                        "--method",
                        "nfxp",
                        "--out",
                        fit.toString()))
                .as(cli.err())
                .isZero();
        browser.view("#/economics?run=" + studio.id(fit));
        browser.until("document.querySelector('[data-chart=demand] .plot').chart?.plot");
        String demand =
                "JSON.stringify(document.querySelector('[data-chart=demand] .plot').chart.groups[0].lines.map(l => l.y))";
        String before = browser.text(demand);
        browser.run(
                "(() => { const s = document.querySelector('[data-parameter=theta11]'); s.value = Number(s.min) + 0.75 * (s.max - s.min);"
                        + " s.dispatchEvent(new Event('input')); })()");
        browser.until("%s !== %s".formatted(demand, JSON.writeValueAsString(before)));
        browser.until(
                "document.querySelector('.command code').textContent.includes('delta') && document.querySelector('.command code').textContent.includes('theta11')");
        List<String> words =
                List.of(text(".command code").replace("./revealed ", "").split("\\s+"));

        assertThat(cli.run(java.util.stream.Stream.concat(
                                words.stream(),
                                java.util.stream.Stream.of(
                                        "--json", "--out", top.resolve("asked").toString()))
                        .toArray(String[]::new)))
                .as(cli.err())
                .isZero();
        JsonNode rows = JSON.readTree(cli.out()).path("rows");
        JsonNode shown = JSON.readTree(browser.text(demand));
        assertThat(rows.size()).isEqualTo(25);
        for (int i = 0; i < rows.size(); i++) {
            assertThat(shown.get(0).get(i).asDouble())
                    .isEqualTo(rows.get(i).path("expected").asDouble());
            assertThat(shown.get(1).get(i).asDouble())
                    .isEqualTo(rows.get(i).path("low").asDouble());
            assertThat(shown.get(2).get(i).asDouble())
                    .isEqualTo(rows.get(i).path("high").asDouble());
        }
        screenshot("studio-economics");
    }

    @Test
    void aPolicyIsPlayedAndScrubbed() throws Exception {
        MujocoHere.assume();
        Path run = hopper();
        browser.view("#/robots?beside=ghost&run=" + studio.id(run));
        browser.until("document.querySelector('.numbers b')");
        Cli cli = new Cli();
        assertThat(cli.run(
                        "evaluate",
                        "--policy",
                        run.toString(),
                        "--episodes",
                        "1",
                        "--json",
                        "--out",
                        top.resolve("score").toString()))
                .isZero();
        double right = JSON.readTree(cli.out()).path("meanReturn").asDouble();
        assertThat(Double.parseDouble(text(".numbers b"))).isCloseTo(right, within(0.06));
        assertThat(Pixels.colours(browser, ".scene canvas")).isGreaterThan(500);
        String note = text(".scene .note");
        browser.key("ArrowRight");
        assertThat(text(".scene .note")).startsWith("step 1 ").isNotEqualTo(note);
        JsonNode over = browser.run(
                "(() => { const b = document.querySelector('.deck .u-over').getBoundingClientRect(); return [b.x + b.width * 0.5, b.y + 20]; })()");
        browser.mouse("mousePressed", over.get(0).asDouble(), over.get(1).asDouble());
        browser.mouse("mouseReleased", over.get(0).asDouble(), over.get(1).asDouble());
        browser.until("/^step (4|5)\\d\\d /.test(document.querySelector('.scene .note').innerText)");
        screenshot("studio-robots");
        browser.click(".deck .bar button:nth-child(2)");
        browser.until("/^step (5[1-9]|6)\\d? ?/.test(document.querySelector('.scene .note').innerText)");
        browser.key(" ");
        assertThat(text(".panel")).contains("Beside it: return");
        browser.run(
                "[...document.querySelectorAll('.panel label')].find(l => l.innerText.includes('contacts')).click()");
        browser.key("Home");
        browser.until("/ parts on the floor/.test(document.querySelector('.scene .note').innerText)");
    }

    /** Java's own reader of GIF finds the frames as they were drawn, to the nearest colour of the palette. */
    @Test
    void aFilmIsAGif() throws Exception {
        browser.view("#/start");
        String bytes = browser.text("import('/page/film.js').then(({Gif}) => { const gif = new Gif(90, 70, 5);"
                + " for (const shift of [0, 90]) { const p = new Uint8ClampedArray(90 * 70 * 4);"
                + " for (let i = 0; i < 90 * 70; i++) p.set([(i % 90) * 2 + shift % 50, Math.floor(i / 90) * 3, shift, 255], 4 * i); gif.add(p); }"
                + " let text = ''; for (const b of gif.bytes()) text += String.fromCharCode(b); return btoa(text); })");
        ImageReader reader = ImageIO.getImageReadersByFormatName("gif").next();
        reader.setInput(ImageIO.createImageInputStream(
                new ByteArrayInputStream(Base64.getDecoder().decode(bytes))));
        assertThat(reader.getNumImages(true)).isEqualTo(2);
        for (int frame = 0; frame < 2; frame++) {
            BufferedImage image = reader.read(frame);
            int shift = 90 * frame;
            assertThat(image.getWidth()).isEqualTo(90);
            for (int[] at : new int[][] {{0, 0}, {45, 30}, {89, 69}, {10, 60}}) {
                Color seen = new Color(image.getRGB(at[0], at[1]));
                assertThat(seen.getRed()).isCloseTo(at[0] * 2 + shift % 50, within(40));
                assertThat(seen.getGreen()).isCloseTo(at[1] * 3, within(40));
                assertThat(seen.getBlue()).isCloseTo(shift, within(40));
            }
        }
    }

    @Test
    void aBoardIsAMap() throws Exception {
        Path made = top.resolve("board");
        assertThat(new Cli().run("demo", "--out", made.toString())).isZero();
        browser.view("#/economics?run=" + studio.id(made));
        browser.until("document.querySelector('[data-map=board] canvas.map')?.height > 100");
        assertThat(Pixels.colours(browser, "canvas.map")).isGreaterThan(30);
        JsonNode map = JSON.readTree(Files.readString(made.resolve(RunFiles.MAP)));
        JsonNode at = browser.run(
                "(() => { const c = document.querySelector('canvas.map'); c.scrollIntoView({block: 'center'});"
                        + " const b = c.getBoundingClientRect(), side = b.height / 8; return [b.x + 7.5 * side, b.y + 7.5 * side]; })()");
        browser.mouse("mouseMoved", at.get(0).asDouble(), at.get(1).asDouble());
        browser.until("document.querySelector('[data-map] .tip').style.display === 'block'");
        double home = map.path("layers").get(0).path("values").get(63).asDouble();
        assertThat(text("[data-map] .tip"))
                .contains("row 7, column 7", "reward", "value", "visits")
                .contains(String.format(Locale.ROOT, "%.4f", home));
        browser.mouse("mouseMoved", 5, 5);
        browser.run("scrollTo(0, 0)");
        screenshot("studio-map");
    }

    @Test
    void aRoadNetworkIsAMap() throws Exception {
        Path made = Files.createDirectories(top.resolve("city"));
        RunSpec spec = RunSpec.of(Provenance.of(1, List.of("flows")), Map.of("from", "city"));
        Files.writeString(made.resolve(RunFiles.SPEC), Json.write(spec));
        Files.writeString(made.resolve(RunFiles.RESULT), "{}");
        Files.writeString(
                made.resolve(RunFiles.MAP),
                "{\"kind\":\"network\",\"names\":[\"a\",\"b\"],\"lines\":[[0,0,1,0],[1,0,1,1]],\"laidOut\":false,"
                        + "\"layers\":[{\"name\":\"flow\",\"diverging\":false,\"values\":[5,70]}]}");
        browser.view("#/economics?run=" + studio.id(made));
        browser.until("document.querySelector('[data-map=network] canvas.map')?.height > 100");
        JsonNode box = browser.run(
                "(() => { const b = document.querySelector('canvas.map').getBoundingClientRect(); return [b.x, b.y, b.width, b.height]; })()");
        double side = 0.96 * Math.min(box.get(2).asDouble(), box.get(3).asDouble());
        browser.mouse(
                "mouseMoved",
                box.get(0).asDouble() + box.get(2).asDouble() / 2 + side / 2,
                box.get(1).asDouble() + box.get(3).asDouble() / 2);
        browser.until("document.querySelector('[data-map] .tip').style.display === 'block'");
        assertThat(text("[data-map] .tip")).contains("link b", "70");
    }

    @Test
    void whatIsWrongWithATableIsMarkedBeforeEstimating() {
        browser.view("#/start?command=estimate&set=model:rust-bus");
        browser.run(
                "document.querySelector('input[name=data]').upload('buses.csv', 'bus_id,group,period,mileage,decision\\n1,1,0,500,0\\n1,1,1,x9,0\\n')");
        browser.until("document.querySelector('[data-preview=\"3\"] td.cell')");
        assertThat(text("[data-preview] tr.differs td.cell")).isEqualTo("x9");
        assertThat(text("[data-preview] p.bad")).contains("line 3");
        assertThat(top.resolve("uploads/buses.csv")).exists();
    }

    @Test
    void aRewardIsExplored() throws Exception {
        MujocoHere.assume();
        browser.view("#/rewards?run=" + studio.id(hopper()));
        browser.until("document.querySelectorAll('[data-input]').length === 12");
        assertThat(Pixels.colours(browser, "canvas.map")).isGreaterThan(200);
        assertThat(text(".sliders")).contains("states and actions, 14 inputs");
        screenshot("studio-rewards");
    }

    @Test
    void withoutWebGlTheRestWorks() throws Exception {
        MujocoHere.assume();
        try (Browser blind = Browser.start(Browser.find().orElseThrow(), "--disable-3d-apis")) {
            blind.open(studio.address("/robots?run=" + studio.id(hopper())));
            blind.until("document.querySelector('.numbers b') && document.querySelector('.scene .problem')");
            assertThat(blind.text("document.querySelector('.scene .problem').innerText"))
                    .contains("WebGL");
            assertThat(Pixels.colours(blind, ".deck canvas")).isGreaterThan(10);
        }
    }

    @Test
    void aCommandIsStartedAndFollowed() {
        browser.view("#/start?command=demo");
        browser.run(
                "(() => { const n = document.querySelector('[aria-label=\"Name of the folder\"]'); n.value = 'first'; n.dispatchEvent(new Event('input')); })()");
        assertThat(text(".command code")).isEqualTo("./revealed demo --out first");
        browser.click("button.main");
        browser.until("document.querySelector('[data-job] .badge.finished')");
        assertThat(text("[data-job] pre")).contains("Report:");
        assertThat(top.resolve("first").resolve(RunFiles.RESULT)).exists();
        browser.click("button.main");
        browser.until("!document.querySelector('p.bad').hidden");
        assertThat(text("p.bad")).contains("there already");
        browser.errors.removeIf(said -> said.contains("status of 422")); // the refusal, as browsers log it
    }

    @Test
    void thePublishedRunsAreShown() throws Exception {
        Path results = Repository.root().resolve("results");
        try (Studio published = Studio.start(
                        new Studio.Options(List.of(results), Studio.Options.HERE, 0), new PageCommands(), defect -> {
                            throw new AssertionError(defect);
                        });
                Browser other = Browser.start(Browser.find().orElseThrow())) {
            other.open(published.address("/runs?filter=walker2d"));
            other.until("document.querySelectorAll('.plot canvas').length >= 3");
            other.run("document.querySelector('.fold').click()");
            other.until("document.querySelector('.seed.worst')");
            assertThat(other.text("document.querySelector('.seed.worst').innerText"))
                    .startsWith("seed 1");
            other.run("document.querySelectorAll('.group')[1].querySelector('input').click()");
            other.until("document.querySelectorAll('.legend span i').length >= 2");
            if (Boolean.getBoolean("revealed.screenshots")) {
                other.size(1280, 820, false);
                Thread.sleep(300); // until the new size is drawn
                Files.write(Repository.root().resolve("docs/pictures/studio-runs.webp"), other.screenshot("webp"));
            }
            assertThat(other.errors).isEmpty();
        }
    }

    @Test
    void aPhoneShowsItToo() {
        browser.size(400, 800, true);
        try {
            browser.view("#/runs?filter=many&group=setting");
            assertThat(browser.run("document.documentElement.scrollWidth").asInt())
                    .isLessThanOrEqualTo(400);
        } finally {
            browser.size(1280, 820, false);
        }
    }

    private static void screenshot(String name) throws IOException {
        if (Boolean.getBoolean("revealed.screenshots")) {
            Files.write(Repository.root().resolve("docs/pictures/" + name + ".webp"), browser.screenshot("webp"));
        }
    }
}
