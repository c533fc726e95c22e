package dev.revealed.train;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.revealed.imitate.world.TransitionRows;
import dev.revealed.imitate.world.WorldTraining;
import dev.revealed.neural.ensemble.Ensemble;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.runs.RunFolder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WorldRunTest {
    private static final WorldTraining.Settings SMALL =
            new WorldTraining.Settings(2, 1, new int[] {8}, 4, 4, 0.1, 0.25, 32, 1e-3, 0);

    @TempDir
    private Path folder = Path.of("");

    private static WorldRun.Plan plan() {
        TransitionRows log = RivalRunTest.world().log();
        return new WorldRun.Plan(SMALL, log, Terminations.Known.NONE, "point", Ensemble.Maker.PROCESSOR, 3);
    }

    private WorldRun.Learnt begin(String name, ProgressListener listener) {
        return WorldRun.begin(plan(), TrainingRunTest.spec(3), RunFolder.create(folder.resolve(name)), listener);
    }

    @Test
    void killedAndResumedEndsTheSame() {
        WorldRun.Learnt whole = begin("whole", ProgressListener.NONE);
        assertThatExceptionOfType(Killed.class).isThrownBy(() -> begin("killed", Killed.at(2)));
        RunFolder killed = RunFolder.resume(folder.resolve("killed"));
        WorldRun.Learnt resumed = WorldRun.resume(plan(), killed, words -> {}, ProgressListener.NONE);
        for (String file : new String[] {"world.safetensors", "metrics.jsonl"}) {
            assertThat(folder.resolve("killed").resolve(file))
                    .hasSameBinaryContentAs(folder.resolve("whole").resolve(file));
        }
        assertThat(resumed.check()).isEqualTo(whole.check());
        WorldRun.Saved saved = WorldRun.Saved.read(folder.resolve("whole"));
        assertThat(saved.task()).isEqualTo("point");
        assertThat(saved.terminations()).isEqualTo(Terminations.Known.NONE);
        assertThat(saved.world().members()).hasSize(2);
    }

    @Test
    void aDamagedWorldIsRefused() throws IOException {
        begin("damaged", ProgressListener.NONE);
        Path file = folder.resolve("damaged/world.safetensors");
        byte[] bytes = Files.readAllBytes(file);
        String words = new String(bytes, StandardCharsets.ISO_8859_1).replace("\"none\"", "\"nine\"");
        Files.write(file, words.getBytes(StandardCharsets.ISO_8859_1));
        assertThatExceptionOfType(BadInput.class)
                .isThrownBy(() -> WorldRun.Saved.read(file))
                .withMessageContaining("terminations are 'nine'");
    }

    @Test
    void aFolderWithoutAWorldIsRefused() {
        assertThatExceptionOfType(BadInput.class)
                .isThrownBy(() -> WorldRun.Saved.read(folder))
                .withMessageContaining("there is no world");
    }
}
