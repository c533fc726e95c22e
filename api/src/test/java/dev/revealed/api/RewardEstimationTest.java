package dev.revealed.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.within;

import dev.revealed.numeric.BadInput;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RewardEstimationTest {
    @TempDir
    private Path folder;

    /** Three states in a ring; action 0 stays, action 1 goes on. */
    private static RewardEstimation ring() {
        return RewardEstimation.on(3, 2, 0.9, (state, action, next) -> next.add((state + action) % 3, 1));
    }

    private static RewardEstimation seen() {
        return ring().stateFeatures(List.of("home"), new double[][] {{0}, {0}, {1}})
                .trajectory(new int[] {0, 1, 2, 2, 2, 0, 1}, 1, 1, 0, 0, 1, 1)
                .trajectory(new int[] {0, 0, 1, 2, 2, 2}, 0, 1, 1, 0, 0)
                .trajectory(new int[] {1, 2, 2, 2, 2}, 1, 0, 0, 0);
    }

    @Test
    void methodsAgreeOnTheMaximum() {
        Estimates single = seen().estimate().orThrow();
        Estimates nested = seen().method("nfxp").estimate().orThrow();
        assertThat(single.coefficient("home").value())
                .isPositive()
                .isCloseTo(nested.coefficient("home").value(), within(1e-3));
        assertThat(single.coefficient("home").standardError()).isPresent();
    }

    @Test
    void printsTheTable() {
        assertThat(seen().estimate().toString())
                .startsWith("ml-irl: converged after ")
                .containsPattern("coef +std err +z +P>\\|z\\| +\\[0\\.025 +0\\.975\\]")
                .containsPattern("(?m)^home +\\d\\.\\d{4} +\\d\\.\\d{4} ")
                .contains("Standard errors: sandwich, clustered by trajectory.")
                .contains("warning: there are only 3 trajectories: standard errors")
                .doesNotContain("[D@");
    }

    @Test
    void withoutFeaturesEachStateHasAReward() {
        Estimates estimates =
                ring().trajectory(new int[] {0, 1, 2, 2, 2, 2}, 1, 1, 0, 0, 0).estimate();
        assertThat(estimates.coefficients()).extracting(Coefficient::name).containsExactly("r(s0)", "r(s1)", "r(s2)");
    }

    @Test
    void statesAloneSufficeForARewardOfStates() {
        assertThat(ring().stateFeatures(List.of("home"), new double[][] {{0}, {0}, {1}})
                        .trajectory(new int[] {0, 1, 2, 2, 0, 1, 2, 2, 2})
                        .estimate()
                        .coefficient("home")
                        .value())
                .isPositive();
    }

    @Test
    void readsTrajectoriesFromAFile() throws IOException {
        Path file = Files.writeString(
                folder.resolve("seen.csv"), "trajectory,time,state,action\na,0,0,1\na,1,1,1\na,2,2,0\na,3,2,\n");
        Estimates ofFile = ring().trajectories(file).estimate();
        Estimates typed = ring().trajectory(new int[] {0, 1, 2, 2}, 1, 1, 0).estimate();
        assertThat(ofFile).isEqualTo(typed);
    }

    @Test
    void namesWhichRowsTheFeaturesLookLike() {
        double[][] two = {{0}, {1}};
        double[][] six = {{0}, {1}, {0}, {1}, {0}, {1}};
        double[][] three = {{0}, {1}, {0}};
        List<String> name = List.of("x");
        refuses(
                () -> ring().stateFeatures(name, two),
                "stateFeatures got 2 rows, and the process has 3 states and 2 actions",
                "as many as actions",
                "one row for each state, 3 in all");
        refuses(() -> ring().stateFeatures(name, six), "got 6 rows", "call actionFeatures");
        refuses(() -> ring().actionFeatures(name, three), "got 3 rows", "call stateFeatures");
    }

    @Test
    void noticesStatesWhereActionsAreWanted() {
        refuses(() -> ring().trajectory(new int[] {1, 1, 0}, 0, 1, 2), "action 2 at time 2", "states where actions");
        refuses(() -> ring().trajectory(new int[] {1, 0}, 0, 1, 2), "2 states and 3 actions", "swapped");
        refuses(() -> ring().trajectory(new int[] {0, 5}, 0), "state 5 at time 1", "0 to 2");
    }

    @Test
    void saysWhatIsMissingOrMisspelt() {
        refuses(() -> ring().estimate(), "no trajectories", "trajectory(states, actions)");
        refuses(() -> ring().method("nfpx"), "no method 'nfpx'", "Did you mean 'nfxp'?");
        refuses(() -> ring().trajectories(folder.resolve("none.csv")), "none.csv", "Correct the path");
        refuses(() -> seen().estimate().coefficient("hom"), "no coefficient 'hom'", "Did you mean 'home'?");
    }

    static void refuses(ThrowingCallable wrong, String... words) {
        assertThatExceptionOfType(BadInput.class)
                .isThrownBy(wrong)
                .satisfies(e -> assertThat(e.getMessage()).contains(words));
    }
}
