package dev.revealed.app.world;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.revealed.app.Cli;
import dev.revealed.app.MujocoHere;
import dev.revealed.data.EpisodeFiles;
import dev.revealed.imitate.RewardModel;
import dev.revealed.imitate.Visits;
import dev.revealed.mdp.Episode;
import dev.revealed.mdp.Episodes;
import dev.revealed.mdp.Simulator;
import dev.revealed.neural.GaussianActor;
import dev.revealed.neural.Mlp;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Tensors;
import dev.revealed.runs.Safetensors;
import dev.revealed.train.PolicyFile;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The two ants of transfer order their motors differently: the back right leg comes first on one, and last on the other. */
class CarriedActionsTest {
    private static final Simulator.Space CRIPPLED =
            new Simulator.Space("disabledant", 3, new Simulator.Actions.Box(8, 1), 500);

    @TempDir
    private Path folder = Path.of("");

    private final List<String> cautions = new ArrayList<>();

    private Episodes carried(String ending, String task) {
        float[] actions = {.4f, .5f, .6f, .7f, .8f, .9f, 0, .1f}; // hip 4, ankle 4, hip 1, ...
        Path file = folder.resolve("demos." + ending);
        Episode episode = new Episode(1, new float[6], actions, null, Episode.Ending.TRUNCATED);
        EpisodeFiles.write(file, new Episodes(List.of(episode)), task);
        assertThat(EpisodeFiles.taskOf(file).orElse("")).isEqualTo(task);
        return CarriedActions.of(file, EpisodeFiles.read(file), CRIPPLED, cautions::add);
    }

    @ParameterizedTest
    @ValueSource(strings = {"npz", "hdf5"})
    void actionsComeInTheOrderOfTheOtherAnt(String ending) {
        assertThat(carried(ending, "customant").all().getFirst().actions())
                .containsExactly(.6f, .7f, .8f, .9f, 0, .1f, .4f, .5f);
        assertThat(cautions).hasSize(1).first().asString().contains("order of the motors of disabledant");
    }

    @Test
    void actionsThatMeanSomethingElseAreLeftOut() {
        assertThat(carried("npz", "ant").hasActions()).isFalse();
        assertThat(cautions).hasSize(1).first().asString().contains("mean something else", "left out");
    }

    @Test
    void whatIsOfTheTaskOrOfNoneStaysAsItIs() {
        assertThat(carried("npz", "disabledant").all().getFirst().actions()).startsWith(.4f);
        assertThat(carried("hdf5", "").all().getFirst().actions()).startsWith(.4f);
        assertThat(cautions).isEmpty();
    }

    @Test
    void aPolicyActsWithTheSameLegs() {
        GaussianActor actor = GaussianActor.random(CRIPPLED, new int[] {4}, true, RandomStream.of(3));
        PolicyFile policy = new PolicyFile(actor, Path.of("policy"), Map.of("task", "customant"));
        float[] seen = {.3f, -.2f, .9f};
        float[] own = new float[8];
        actor.actDeterministic(seen, 0, own, 0);
        float[] there = new float[8];
        CarriedActions.of(policy, "disabledant", cautions::add).actor().actDeterministic(seen, 0, there, 0);
        assertThat(there).containsExactly(own[2], own[3], own[4], own[5], own[6], own[7], own[0], own[1]);
        assertThat(cautions).hasSize(1);
        assertThatThrownBy(() -> CarriedActions.of(policy, "ant", cautions::add))
                .isInstanceOf(BadInput.class)
                .hasMessageContaining("mean something else to ant");
    }

    @Test
    void aRewardOfActionsIsRefused() throws IOException {
        MujocoHere.assume();
        Simulator.Space ant = new Simulator.Space("customant", 111, new Simulator.Actions.Box(8, 1), 500);
        Tensors tensors = new Tensors();
        RewardModel.random(Mlp.relu(119, 4, 1).withClamp(10), ant, 0, Visits.none(119), RandomStream.of(1))
                .save(tensors);
        Path reward = folder.resolve("reward.safetensors");
        try (OutputStream out = Files.newOutputStream(reward)) {
            Safetensors.write(out, tensors, Map.of("task", "customant", "reward", "state-action"));
        }
        Cli cli = new Cli();
        assertThat(cli.run("expert", "--task", "disabledant", "--reward", reward.toString(), "--out", folder + "/out"))
                .isEqualTo(2);
        assertThat(cli.err())
                .contains("states and actions of 'customant'", "actions of 'disabledant' may mean something else")
                .contains("--reward state");
    }
}
