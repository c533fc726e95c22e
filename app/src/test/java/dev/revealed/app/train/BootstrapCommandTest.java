package dev.revealed.app.train;

import static org.assertj.core.api.Assertions.assertThat;

import dev.revealed.app.Cli;
import dev.revealed.app.MujocoHere;
import dev.revealed.data.EpisodeFiles;
import dev.revealed.mdp.Episode;
import dev.revealed.mdp.Episode.Ending;
import dev.revealed.mdp.Episodes;
import dev.revealed.numeric.RandomStream;
import dev.revealed.train.RewardFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Imitation of resampled demonstrations, from the command line; what is drawn is tested where it is drawn. */
class BootstrapCommandTest {
    @TempDir
    private Path folder = Path.of("");

    private final Cli cli = new Cli();

    /** Walks of Hopper's sizes that lead nowhere. */
    private String demos(int trajectories) {
        RandomStream stream = RandomStream.of(4);
        List<Episode> episodes = new ArrayList<>();
        for (int i = 0; i < trajectories; i++) {
            float[] states = new float[61 * 11];
            float[] actions = new float[60 * 3];
            for (int k = 0; k < states.length; k++) {
                states[k] = (k < 11 ? 0 : 0.9f * states[k - 11]) + (float) stream.nextGaussian();
            }
            for (int k = 0; k < actions.length; k++) {
                actions[k] = (float) stream.nextDouble(-1, 1);
            }
            episodes.add(new Episode(60, states, actions, null, Ending.TRUNCATED));
        }
        Path file = folder.resolve("demos%d.npz".formatted(trajectories));
        EpisodeFiles.write(file, new Episodes(episodes));
        return file.toString();
    }

    private int run(String demos, String out, String more) {
        return cli.run(
                ("imitate --task hopper --demos %s --out %s/%s --iterations 3 --block 60 --hidden 8 --random-steps 60"
                                        .formatted(demos, folder, out)
                                + " --episodes 1 " + more)
                        .split(" +"));
    }

    private RewardFile reward(String out) {
        return RewardFile.read(folder.resolve(out));
    }

    @Test
    void theSeedDrawsTheDemonstrations() {
        MujocoHere.assume();
        String demos = demos(1);
        assertThat(run(demos, "plain", "--seed 1")).as(cli.err()).isZero();
        assertThat(run(demos, "drawn", "--seed 1 --bootstrap")).as(cli.err()).isZero();
        assertThat(run(demos, "again", "--seed 1 --bootstrap")).as(cli.err()).isZero();
        assertThat(reward("plain").notes()).doesNotContainKey("bootstrap");
        assertThat(reward("drawn").notes().get("bootstrap")).matches("blocks of \\d+ steps");
        float[] drawn = reward("drawn").tensors().floats("reward.weight0");
        assertThat(drawn).isEqualTo(reward("again").tensors().floats("reward.weight0"));
        assertThat(drawn).isNotEqualTo(reward("plain").tensors().floats("reward.weight0"));
        assertThat(run(demos, "short", "--bootstrap --bootstrap-block 7")).isZero();
        assertThat(reward("short").notes()).containsEntry("bootstrap", "blocks of 7 steps");
    }

    @Test
    void severalTrajectoriesAreDrawnWhole() {
        MujocoHere.assume();
        assertThat(run(demos(3), "drawn", "--bootstrap")).as(cli.err()).isZero();
        assertThat(reward("drawn").notes()).containsEntry("bootstrap", "trajectories");
    }

    @Test
    void whatHasNoEffectIsRefused() {
        MujocoHere.assume();
        assertThat(run(demos(1), "a", "--bootstrap-block 7")).isEqualTo(2);
        assertThat(cli.err()).contains("--bootstrap-block has no effect without --bootstrap");
        assertThat(run(demos(2), "b", "--bootstrap --bootstrap-block 7")).isEqualTo(2);
        assertThat(cli.err()).contains("on several trajectories").contains("--trajectories 1");
        assertThat(run(demos(1), "c", "--bootstrap --bootstrap-block 0")).isEqualTo(2);
        assertThat(run(demos(1), "d", "--bootstrap --expert-sample one")).isEqualTo(2);
        assertThat(cli.err()).contains("--expert-sample all");
        assertThat(folder.resolve("d")).doesNotExist();
    }
}
