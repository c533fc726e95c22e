package dev.revealed.app.train;

import static org.assertj.core.api.Assertions.assertThat;

import dev.revealed.app.Cli;
import dev.revealed.app.MujocoHere;
import dev.revealed.data.EpisodeFiles;
import dev.revealed.mdp.Episode;
import dev.revealed.mdp.Episode.Ending;
import dev.revealed.mdp.Episodes;
import dev.revealed.numeric.RandomStream;
import dev.revealed.runs.Json;
import dev.revealed.runs.Provenance;
import dev.revealed.runs.RunSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A run that is resumed goes by the settings that were recorded, whatever the defaults are by then. */
class RecordedSettingsTest {
    private static final String EXPERT = "expert --task hopper --steps 600 --random-steps 100 --hidden 16,16"
            + " --evaluate-every 300 --episodes 1 --checkpoint-every 200";

    @TempDir
    private Path folder = Path.of("");

    private final Cli cli = new Cli();

    @BeforeAll
    static void here() {
        MujocoHere.assume();
    }

    private Path begin(String command, String name) {
        Path out = folder.resolve(name);
        cli.done(command + " --out " + out);
        return out;
    }

    /** Leaves what was there when the run had made its checkpoint before the last. */
    private static void interrupt(Path run, int lastStep) throws IOException {
        Files.delete(run.resolve("result.json"));
        Files.delete(run.resolve("policy.safetensors"));
        Files.delete(run.resolve("checkpoint/%d.json".formatted(lastStep)));
    }

    private static void rewrite(Path run, UnaryOperator<RunSpec> change) throws IOException {
        Files.writeString(run.resolve("spec.json"), Json.write(change.apply(RunSpec.read(run))));
    }

    /** As if the option had not been typed, and what it says had been the default then. */
    private static RunSpec untyped(RunSpec spec, String option) {
        return new RunSpec(
                spec.schema(),
                new Provenance(
                        spec.provenance().version(),
                        spec.provenance().commit(),
                        spec.provenance().clean(),
                        spec.provenance().java(),
                        spec.provenance().seed(),
                        without(spec.provenance().command(), option)),
                spec.settings());
    }

    private static List<String> without(List<?> command, String option) {
        List<String> words =
                new ArrayList<>(command.stream().map(String::valueOf).toList());
        int place = words.indexOf(option);
        assertThat(place).as("%s in %s", option, words).isNotNegative();
        words.subList(place, place + 2).clear();
        return words;
    }

    private static RunSpec changed(RunSpec spec, UnaryOperator<Map<String, Object>> change) {
        return new RunSpec(spec.schema(), spec.provenance(), change.apply(new TreeMap<>(spec.settings())));
    }

    private static void assertSame(Path actual, Path expected, String... more) {
        List<String> names = new ArrayList<>(List.of("metrics.jsonl", "policy.safetensors", "curve.csv"));
        names.addAll(List.of(more));
        for (String name : names) {
            assertThat(actual.resolve(name)).as(name).hasSameBinaryContentAs(expected.resolve(name));
        }
    }

    @Test
    void anExpertGoesOnAsBegunThoughADefaultChanged() throws IOException {
        Path alone = begin(EXPERT + " --learning-rate 7e-4", "alone");
        Path usual = begin(EXPERT, "usual");
        assertThat(Files.readAllBytes(usual.resolve("policy.safetensors")))
                .as("today's default is another")
                .isNotEqualTo(Files.readAllBytes(alone.resolve("policy.safetensors")));
        Path cut = begin(EXPERT + " --learning-rate 7e-4", "cut");
        interrupt(cut, 600);
        rewrite(cut, spec -> untyped(spec, "--learning-rate"));
        cli.done("expert --resume --out " + cut);
        assertSame(cut, alone, "best.safetensors", "checkpoint/600.safetensors");
        assertThat(RunSpec.read(cut).settings()).containsEntry("learning-rate", 7e-4);
    }

    @Test
    void manyRunsGoOnAsBegunThoughADefaultChanged() throws IOException {
        String command = EXPERT + " --learning-rate 7e-4 --seeds 1-2";
        Path alone = begin(command, "alone");
        Path cut = begin(command, "cut");
        Files.delete(cut.resolve("result.json"));
        interrupt(cut.resolve("seed-2"), 600);
        rewrite(cut.resolve("seed-2"), spec -> untyped(spec, "--learning-rate"));
        rewrite(
                cut,
                spec -> changed(untyped(spec, "--learning-rate"), settings -> {
                    Map<String, Object> runs = new TreeMap<>();
                    ((Map<?, ?>) Objects.requireNonNull(settings.get("runs"))).forEach((name, value) -> {
                        Map<String, Object> one = new TreeMap<>();
                        ((Map<?, ?>) value).forEach((key, each) -> one.put(String.valueOf(key), each));
                        one.put(
                                "command",
                                without((List<?>) Objects.requireNonNull(one.get("command")), "--learning-rate"));
                        runs.put(String.valueOf(name), one);
                    });
                    settings.put("runs", runs);
                    return settings;
                }));
        cli.done("expert --resume --out " + cut);
        for (String seed : List.of("seed-1", "seed-2")) {
            assertSame(cut.resolve(seed), alone.resolve(seed), "checkpoint/600.safetensors");
        }
    }

    @Test
    void anImitationGoesOnAsBegunThoughADefaultChanged() throws IOException {
        String command =
                "imitate --task hopper --demos " + demonstrations() + " --iterations 4 --block 100 --recent 200"
                        + " --random-steps 100 --hidden 16,16 --reward-hidden 8,8 --evaluate-every 2 --episodes 2"
                        + " --checkpoint-every 2";
        Path alone = begin(command + " --reward-learning-rate 7e-3", "alone");
        Path usual = begin(command, "usual");
        assertThat(Files.readAllBytes(usual.resolve("reward.safetensors")))
                .as("today's default is another")
                .isNotEqualTo(Files.readAllBytes(alone.resolve("reward.safetensors")));
        Path cut = begin(command + " --reward-learning-rate 7e-3", "cut");
        interrupt(cut, 400);
        Files.delete(cut.resolve("reward.safetensors"));
        rewrite(cut, spec -> untyped(spec, "--reward-learning-rate"));
        cli.done("imitate --resume --out " + cut);
        assertSame(cut, alone, "reward.safetensors", "chosen.safetensors", "checkpoint/400.safetensors");
    }

    /** A walk of Hopper's sizes that leads nowhere. */
    private Path demonstrations() {
        RandomStream stream = RandomStream.of(4);
        float[] states = new float[61 * 11];
        float[] actions = new float[60 * 3];
        for (int i = 0; i < states.length; i++) {
            states[i] = (float) stream.nextGaussian();
        }
        for (int i = 0; i < actions.length; i++) {
            actions[i] = (float) stream.nextDouble(-1, 1);
        }
        Path file = folder.resolve("demos.npz");
        EpisodeFiles.write(file, new Episodes(List.of(new Episode(60, states, actions, null, Ending.TRUNCATED))));
        return file;
    }

    @Test
    void whatIsNotKnownOrNotThereIsNamed() throws IOException {
        Path run = begin(EXPERT, "run");
        interrupt(run, 600);
        String whole = Files.readString(run.resolve("spec.json"));
        rewrite(
                run,
                spec -> changed(spec, settings -> {
                    settings.put("learnin-rate", 1e-3);
                    return settings;
                }));
        refused(run, run.resolve("spec.json").toString(), "learnin-rate is not known", "'learning-rate'", "version");

        Files.writeString(run.resolve("spec.json"), whole);
        rewrite(
                run,
                spec -> changed(spec, settings -> {
                    settings.remove("polyak");
                    return settings;
                }));
        refused(run, run.resolve("spec.json").toString(), "polyak is not recorded", "version");

        Files.writeString(run.resolve("spec.json"), whole);
        rewrite(
                run,
                spec -> changed(spec, settings -> {
                    settings.put("polyak", 3);
                    return settings;
                }));
        refused(run, run.resolve("spec.json").toString(), "--polyak is 3");
    }

    /** Specs of before had no schema, and named the version. */
    @Test
    void aRunOfAnotherVersionIsRefused() throws IOException {
        Path run = begin(EXPERT, "run");
        interrupt(run, 600);
        RunSpec spec = RunSpec.read(run);
        Map<String, Object> before = Map.of(
                "provenance",
                Map.of(
                        "version",
                        "0.0.9",
                        "java",
                        spec.provenance().java(),
                        "seed",
                        1,
                        "command",
                        spec.provenance().command()),
                "settings",
                spec.settings());
        Files.writeString(run.resolve("spec.json"), Json.write(before));
        refused(run, "started by Revealed 0.0.9", "version that began it");
    }

    private void refused(Path run, String... words) {
        assertThat(cli.type("expert --resume --out " + run)).isEqualTo(2);
        assertThat(cli.err()).contains(words).doesNotContain("Exception", "defect");
        assertThat(run.resolve("policy.safetensors")).doesNotExist();
    }

    /** However they are typed again, and together with a recorded default that would be refused if it were typed. */
    @Test
    void theSameValuesMayBeTypedAgain() throws IOException {
        String command =
                "imitate --task hopper --demos " + demonstrations() + " --iterations 4 --block 100 --recent 200"
                        + " --random-steps 100 --hidden 16,16 --reward-hidden 8,8 --evaluate-every 2 --episodes 2"
                        + " --checkpoint-every 2 --after-end absorb";
        Path run = begin(command, "run");
        interrupt(run, 400);
        assertThat(cli.type("imitate --resume --seeds 1-3 --out " + run)).isEqualTo(2);
        assertThat(cli.err()).contains("--seeds is 1-3", "started with none");
        cli.done("imitate --resume --hidden 16,16 --batch 128 --reward-discount 1.0 --out " + run);
    }
}
