package dev.revealed.mdp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.revealed.numeric.RandomStream;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Algorithm 1 with numbers for reward, policy and gradient, followed by hand. */
class SingleLoopTest {
    private final List<String> calls = new ArrayList<>();

    private final SingleLoop<Integer, Integer, Integer> loop = new SingleLoop<>(
            (policy, reward) -> {
                calls.add("improve pi=%d under r=%d".formatted(policy, reward));
                return 2 * policy + reward;
            },
            (reward, policy, stream) -> {
                calls.add("score r=%d, pi=%d".formatted(reward, policy));
                return 10 - policy;
            },
            (reward, gradient, k) -> {
                calls.add("step r=%d by g=%d at k=%d".formatted(reward, gradient, k));
                return reward + gradient * (k + 1);
            });

    /** The gradient at theta_k is taken under pi_(k+1), the policy just improved, and the reward moves last. */
    @Test
    void improvesThenScoresThenSteps() {
        var end = loop.run(new SingleLoop.Iterate<>(0, 3, 1, RandomStream.of(1)), (k, reward, policy, gradient) -> {
            calls.add("watch k=%d r=%d pi=%d g=%d".formatted(k, reward, policy, gradient));
            return k < 2;
        });
        assertThat(calls)
                .containsExactly(
                        "improve pi=1 under r=3",
                        "score r=3, pi=5",
                        "watch k=0 r=3 pi=5 g=5",
                        "step r=3 by g=5 at k=0",
                        "improve pi=5 under r=8",
                        "score r=8, pi=18",
                        "watch k=1 r=8 pi=18 g=-8",
                        "step r=8 by g=-8 at k=1",
                        "improve pi=18 under r=-8",
                        "score r=-8, pi=28",
                        "watch k=2 r=-8 pi=28 g=-18");
        assertThat(end.k()).isEqualTo(2);
        assertThat(end.reward()).isEqualTo(-8);
        assertThat(end.policy()).isEqualTo(28);
    }

    /** A run cut in two goes on where it stopped: the iterate after two steps holds all there is. */
    @Test
    void aRunCanBeContinued() {
        List<Integer> whole = new ArrayList<>();
        loop.run(new SingleLoop.Iterate<>(0, 3, 1, RandomStream.of(1)), (k, reward, policy, gradient) -> {
            whole.add(reward);
            return k < 3;
        });
        List<Integer> rest = new ArrayList<>();
        loop.run(new SingleLoop.Iterate<>(2, -8, 18, RandomStream.of(1)), (k, reward, policy, gradient) -> {
            rest.add(reward);
            return k < 3;
        });
        assertThat(rest).isEqualTo(whole.subList(2, 4));
    }

    @Test
    void chanceComesFromTheStreamItWasGiven() {
        SingleLoop<Double, Integer, Double> random = new SingleLoop<>(
                (policy, reward) -> policy,
                (reward, policy, stream) -> stream.nextDouble(),
                (reward, gradient, k) -> reward + gradient);
        SingleLoop.Watcher<Double, Integer, Double> ten = (k, reward, policy, gradient) -> k < 10;
        double end = random.run(new SingleLoop.Iterate<>(0, 0.0, 0, RandomStream.of(4)), ten)
                .reward();
        RandomStream same = RandomStream.of(4);
        double sum = 0;
        for (int i = 0; i < 10; i++) {
            sum += same.nextDouble();
        }
        assertThat(end).isEqualTo(sum);
    }
}
