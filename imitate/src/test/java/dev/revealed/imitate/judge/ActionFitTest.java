package dev.revealed.imitate.judge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.within;

import dev.revealed.mdp.Episode;
import dev.revealed.mdp.Episode.Ending;
import dev.revealed.mdp.Episodes;
import dev.revealed.neural.GaussianActor;
import dev.revealed.neural.Mlp;
import dev.revealed.neural.Network;
import dev.revealed.numeric.BadInput;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class ActionFitTest {
    /** The mean of u is the state and its deviation 1, whatever the state: action 2 tanh(u). */
    private static final GaussianActor POLICY =
            new GaussianActor(new Network(Mlp.relu(1, 2), new float[] {1, 0, 0, 0}), 2);

    private static Episode episode(int length, float state, double u) {
        float[] states = new float[length + 1];
        float[] actions = new float[length];
        Arrays.fill(states, state);
        Arrays.fill(actions, (float) (2 * Math.tanh(u)));
        return new Episode(length, states, actions, null, Ending.TRUNCATED);
    }

    @Test
    void densityAndErrorByHand() {
        ActionFit fit = ActionFit.of(POLICY, new Episodes(List.of(episode(1500, 0.5f, 0.5), episode(3, 0.5f, 0.2))));
        for (int i = 0; i < 2; i++) {
            double u = i == 0 ? 0.5 : 0.2;
            double slope = 2 * (1 - Math.tanh(u) * Math.tanh(u)); // of the action in u
            double normal = -0.5 * (u - 0.5) * (u - 0.5) - 0.5 * Math.log(2 * Math.PI);
            assertThat(fit.logLikelihoods()[i]).isCloseTo(normal - Math.log(slope), within(1e-5));
            double away = 2 * Math.abs(Math.tanh(u) - Math.tanh(0.5));
            assertThat(fit.errors()[i]).isCloseTo(away / fit.unit(), within(1e-6));
        }
        assertThat(fit.unit()).isCloseTo(2 * Math.tanh(0.5), within(1e-6));
        assertThat(fit.error()).isCloseTo((fit.errors()[0] + fit.errors()[1]) / 2, within(1e-12));
        assertThat(fit.errorStandardError()).isCloseTo(Math.abs(fit.errors()[1] - fit.errors()[0]) / 2, within(1e-12));
    }

    /** A policy whose bound is too large cannot look better than one that makes smaller errors. */
    @Test
    void policiesOfDifferentBoundsAreComparedInOneUnit() {
        GaussianActor wide = new GaussianActor(new Network(Mlp.relu(1, 2), new float[] {1, 0, 0, 0}), 20);
        Episodes shown = new Episodes(List.of(episode(3, 0.5f, 0.2))); // demonstrates 2 tanh(0.2)
        ActionFit narrow = ActionFit.of(POLICY, shown);
        ActionFit far = ActionFit.of(wide, shown);
        double unit = 2 * Math.tanh(0.2);
        assertThat(narrow.error()).isCloseTo((2 * Math.tanh(0.5) - unit) / unit, within(1e-6));
        assertThat(far.error()).isCloseTo((20 * Math.tanh(0.5) - unit) / unit, within(1e-5));
        Episode still = new Episode(1, new float[2], new float[1], null, Ending.TRUNCATED);
        assertThat(ActionFit.of(POLICY, new Episodes(List.of(still))).error()).isZero(); // and not 0 / 0
    }

    @Test
    void refusesWhatDoesNotFit() {
        Episode wide = new Episode(1, new float[4], new float[1], null, Ending.TRUNCATED);
        assertThatExceptionOfType(BadInput.class)
                .isThrownBy(() -> ActionFit.of(POLICY, new Episodes(Collections.nCopies(2, wide))))
                .withMessageContaining("takes 1 observations to 1 actions, and the demonstrations have 2 and 1");
        Episode bare = new Episode(1, new float[2], null, null, Ending.TRUNCATED);
        assertThatExceptionOfType(BadInput.class)
                .isThrownBy(() -> ActionFit.of(POLICY, new Episodes(List.of(bare))))
                .withMessageContaining("no actions");
    }
}
