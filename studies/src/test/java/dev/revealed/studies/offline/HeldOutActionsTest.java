package dev.revealed.studies.offline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.revealed.mdp.Episode;
import dev.revealed.mdp.Episode.Ending;
import dev.revealed.mdp.Episodes;
import dev.revealed.neural.GaussianActor;
import dev.revealed.neural.Mlp;
import dev.revealed.neural.Network;
import dev.revealed.numeric.Tensors;
import dev.revealed.runs.Json;
import dev.revealed.runs.Safetensors;
import dev.revealed.studies.GatheredRun;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs made up by hand, whose policies always take one action. */
class HeldOutActionsTest {
    /** Of actions 0.5 and 1, so that errors of an action 1 are 0.5 and 0. */
    private static final Episodes SHOWN = new Episodes(List.of(episode(0.5f), episode(1)));

    @TempDir
    private Path top = Path.of("");

    private static Episode episode(float action) {
        return new Episode(1, new float[2], new float[] {action}, null, Ending.TRUNCATED);
    }

    private void run(int seed, double penalty, double bound, double action) throws IOException {
        Path run = Files.createDirectories(top.resolve("weight-%s-seed-%d".formatted(penalty, seed)));
        Map<String, Object> provenance =
                Map.of("version", "0", "java", "25", "seed", seed, "command", List.of("imitate", "--by", "hand"));
        Map<String, Object> settings = Map.of("penalty-weight", penalty, "seed", seed, "preset", "revealed");
        Files.writeString(run.resolve("spec.json"), Json.write(Map.of("provenance", provenance, "settings", settings)));
        Map<String, Object> result =
                new HashMap<>(Map.of("schema", 2, "kind", "offline-ml-irl", "task", "log", "seed", seed));
        result.putAll(Map.of("meanReturn", 1, "bestReturn", 0, "returns", new double[1], "seconds", 1));
        result.putAll(Map.of("device", "cpu", "curve", List.of(), "marks", List.of(), "reward", "state-action"));
        result.putAll(Map.of("method", "offline-ml-irl", "demos", "d.npz", "trajectories", 2, "expertReturn", 1));
        result.put("preset", "revealed");
        Files.writeString(run.resolve("result.json"), Json.write(result));
        float bias = (float) (0.5 * Math.log((1 + action / bound) / (1 - action / bound))); // bound tanh(bias) = action
        Tensors tensors = new Tensors();
        new GaussianActor(new Network(Mlp.relu(1, 2), new float[] {0, 0, bias, 0}), (float) bound).save(tensors);
        try (OutputStream out = Files.newOutputStream(run.resolve("policy.safetensors"))) {
            Safetensors.write(out, tensors, Map.of());
        }
    }

    private HeldOutActions compared() {
        return HeldOutActions.of(GatheredRun.under(top), SHOWN, warning -> {
            throw new AssertionError(warning);
        });
    }

    /** As shares of the policies' own bounds the second would look better: 0.125 and 0.0625. */
    @Test
    void errorsHaveOneUnitWhateverTheBounds() throws IOException {
        run(1, 1, 2, 0.75); // errors 0.25 and 0.25
        run(1, 3, 20, 2); // errors 1.5 and 1
        HeldOutActions found = compared();
        assertThat(found.actionUnit()).isEqualTo(1);
        assertThat(found.rows().getFirst().settings()).contains("1.0");
        assertThat(found.rows().getFirst().actionError()).isCloseTo(0.25, within(1e-6));
        assertThat(found.rows().getLast().actionError()).isCloseTo(1.25, within(1e-5));
        assertThat(found.rows().getLast().nearBest()).isFalse();
    }

    /** All rows have standard errors over trajectories, however many seeds they have: 0.25 is half of 0.5 - 0. */
    @Test
    void nearTheBestIsJudgedOverTrajectories() throws IOException {
        run(1, 1, 2, 1); // errors 0.5 and 0
        run(1, 3, 2, 1.2); // errors 0.7 and 0.2
        run(2, 3, 2, 1); // errors 0.5 and 0
        HeldOutActions found = compared();
        assertThat(found.rows()).extracting(HeldOutActions.Row::runs).containsExactly(1, 2);
        HeldOutActions.Row one = found.rows().getFirst();
        assertThat(one.standardError()).isCloseTo(0.25, within(1e-6));
        assertThat(one.seedError()).isNaN();
        HeldOutActions.Row two = found.rows().getLast();
        assertThat(two.actionError()).isCloseTo(0.35, within(1e-6));
        assertThat(two.standardError()).isCloseTo(0.25, within(1e-6));
        assertThat(two.seedError()).isCloseTo(0.1, within(1e-6));
        assertThat(two.nearBest()).isTrue();
        assertThat(found.dependsOnOneSeed()).isTrue();
        run(2, 1, 2, 1);
        assertThat(compared().dependsOnOneSeed()).isFalse();
    }

    /** One lucky seed of two has a large error over seeds, which must not let worse rows in. */
    @Test
    void theErrorOverSeedsDoesNotEnter() throws IOException {
        run(1, 1, 4, 0.75); // errors 0.25 and 0.25
        run(2, 1, 4, 2.75); // errors 2.25 and 1.75
        run(1, 3, 4, 2.2); // errors 1.7 and 1.2
        run(2, 3, 4, 2.2);
        HeldOutActions.Row best = compared().rows().getFirst();
        assertThat(best.actionError()).isCloseTo(1.125, within(1e-5)); // 1.25 and 1 over trajectories
        assertThat(best.standardError()).isCloseTo(0.125, within(1e-5));
        assertThat(best.seedError()).isCloseTo(0.875, within(1e-5));
        assertThat(compared().rows().getLast().nearBest()).isFalse(); // 1.45
    }
}
