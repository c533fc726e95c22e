package dev.revealed.app.zoo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.revealed.app.Repository;
import dev.revealed.numeric.BadInput;
import dev.revealed.train.Environment;
import dev.revealed.train.PolicyFile;
import dev.revealed.train.TrainingResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ZooTest {
    private static final Path RUN = Repository.root().resolve("results/gpu/humanoid");

    @TempDir
    private Path root;

    private static Environment humanoid() {
        return new Environment(
                "humanoid",
                Map.of("inertia", "legacy"),
                () -> {
                    throw new AssertionError("not asked for");
                },
                Optional.empty());
    }

    private static TrainingResult.Last scores(double... returns) {
        return new TrainingResult.Last((returns[0] + returns[1]) / 2, 1, returns, new int[] {1000, 1000});
    }

    @Test
    void aPublishedPolicyIsListedWithItsCommandAndReturns() throws IOException {
        PolicyFile policy = PolicyFile.read(RUN.resolve("policy.safetensors"));
        Path place = Zoo.publish(root, policy, RUN, humanoid(), rounded -> {
            assertThat(rounded.notes()).containsEntry("task", "humanoid");
            float[] state = new float[376];
            float[] before = new float[17];
            float[] after = new float[17];
            policy.actor().actDeterministic(state, 0, before, 0);
            rounded.actor().actDeterministic(state, 0, after, 0);
            for (int i = 0; i < 17; i++) {
                assertThat(Math.abs(after[i] - before[i])).isLessThan(0.004f); // of a bound of 0.4
            }
            return scores(5300, 5400);
        });
        assertThat(place).isEqualTo(root.resolve("results/zoo/humanoid"));
        assertThat(Files.size(place.resolve("policy.safetensors")))
                .isLessThan(Files.size(RUN.resolve("policy.safetensors")) * 52 / 100);
        Zoo.Entry entry = Zoo.entries(root).stream()
                .filter(one -> one.task().equals("humanoid"))
                .findFirst()
                .orElseThrow();
        assertThat(entry.folder()).contains("results/zoo/humanoid");
        assertThat(entry.kind()).isEqualTo("expert");
        assertThat(entry.meanReturn()).contains(5350.0);
        assertThat(entry.command()).startsWith("./revealed expert --device cuda");
        assertThat(entry.version()).contains("0.1.0");
        assertThat(Zoo.entries(root))
                .filteredOn(one -> one.task().equals("ant"))
                .singleElement()
                .satisfies(none -> {
                    assertThat(none.folder()).isEmpty();
                    assertThat(none.command()).isEqualTo("./revealed expert --task ant --out ant");
                });
        Zoo.publish(root, policy, RUN, humanoid(), rounded -> scores(1, 3)); // in the place of the first
        try (var left = Files.list(place.getParent())) {
            assertThat(left).containsExactly(place);
        }
    }

    @Test
    void anEvaluationThatFailsLeavesNothing() {
        PolicyFile policy = PolicyFile.read(RUN.resolve("policy.safetensors"));
        assertThatThrownBy(() -> Zoo.publish(root, policy, RUN, humanoid(), rounded -> {
                    throw new BadInput("it broke", "");
                }))
                .hasMessageContaining("it broke");
        assertThat(root.resolve("results/zoo/humanoid")).doesNotExist();
    }

    @Test
    void onlyBuiltInTasksHaveAPlace() {
        PolicyFile policy = PolicyFile.read(RUN.resolve("policy.safetensors"));
        Environment own = Environment.of("gym:own.py:Own", humanoid().simulators());
        assertThatThrownBy(() -> Zoo.publish(root, policy, RUN, own, rounded -> scores(1, 2)))
                .isInstanceOf(BadInput.class)
                .hasMessageContaining("gym:own.py:Own");
    }
}
