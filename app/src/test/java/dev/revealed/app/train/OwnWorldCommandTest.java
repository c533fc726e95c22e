package dev.revealed.app.train;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.revealed.app.Cli;
import dev.revealed.app.MujocoHere;
import dev.revealed.app.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.imageio.ImageIO;
import javax.imageio.ImageReader;
import javax.imageio.metadata.IIOMetadata;
import javax.imageio.metadata.IIOMetadataNode;
import javax.imageio.stream.ImageInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commands on an environment in Python with Gymnasium's interface. */
class OwnWorldCommandTest {
    private static final String WORLDS =
            "gym:" + Repository.root().resolve("bridge/src/test/resources/dev/revealed/bridge/worlds.py") + ":";

    @TempDir
    private Path folder;

    private final Cli cli = new Cli();

    /** The environment breaks in the middle: Python's message, exit code 2, and a resumed run with the same bytes. */
    @Test
    void aRunWhoseEnvironmentBreaksIsResumedToTheSameBytes() throws IOException, InterruptedException {
        assumeTrue(
                new ProcessBuilder("python3", "-c", "import numpy").start().waitFor() == 0,
                "skipped: python3 with numpy is not installed");
        String arguments = "{\"fail_at\": 700, \"once\": \"%s\"}".formatted(folder.resolve("broke"));
        assertThat(expert("broken", arguments)).isEqualTo(2);
        assertThat(cli.err())
                .contains("gym:worlds.py:Pendulum failed in step", "ValueError: the pendulum broke", "--resume");
        assertThat(cli.run("expert", "--resume", "--out", at("broken")))
                .as(cli.err())
                .isZero();
        assertThat(expert("whole", arguments)).as(cli.err()).isZero();
        for (String name : List.of("policy.safetensors", "metrics.jsonl", "best.safetensors")) {
            assertThat(folder.resolve("broken").resolve(name))
                    .hasSameBinaryContentAs(folder.resolve("whole").resolve(name));
        }
        assertThat(cli.run("record", "--policy", at("whole"), "--episodes", "2", "--out", at("demos"), "--json"))
                .as(cli.err())
                .isZero();
        assertThat(cli.out()).contains("\"task\" : \"gym:worlds.py:Pendulum\"", "\"python\"");
        assertThat(film("whole")).isEqualTo(5); // 20 steps make a second
        assertThat(cli.run(
                        "imitate",
                        "--method",
                        "bc",
                        "--task",
                        WORLDS + "Pendulum",
                        "--demos",
                        at("demos"),
                        "--iterations",
                        "20",
                        "--episodes",
                        "1",
                        "--out",
                        at("cloned")))
                .as(cli.err())
                .isZero();
        assertThat(Files.readString(folder.resolve("cloned/spec.json")))
                .contains("worlds.py:Pendulum")
                .doesNotContain("inertia");
    }

    @Test
    void settingsOfOtherTasksAreRefused() {
        assertThat(cli.run("expert", "--task", "hopper", "--task-args", "{}", "--out", at("no")))
                .isEqualTo(2);
        assertThat(cli.err()).contains("--task-args has no effect");
        assertThat(cli.run("expert", "--task", "gym:", "--out", at("no"))).isEqualTo(2);
        assertThat(cli.err()).contains("gym:Pendulum-v1");
        assertThat(cli.run("expert", "--task", "point.py:Point", "--out", at("no")))
                .isEqualTo(2);
        assertThat(cli.err()).contains("no task 'point.py:Point'", "gym:point.py:Point");
        assertThat(cli.run("expert", "--task", "robot.xml", "--out", at("no"))).isEqualTo(2);
        assertThat(cli.err()).contains("YAML");
        assertThat(folder.resolve("no")).doesNotExist();
    }

    @Test
    void aRobotWithoutRewardIsCautionedOf() throws IOException {
        MujocoHere.assume();
        Path examples = Repository.root().resolve("examples");
        Files.copy(examples.resolve("balancer.xml"), folder.resolve("balancer.xml"));
        List<String> lines = Files.readAllLines(examples.resolve("balancer.yaml")).stream()
                .filter(line -> !line.startsWith("reward:"))
                .toList();
        String task = Files.write(folder.resolve("unpaid.yaml"), lines).toString();
        assertThat(cli.run("expert", "--task", task, "--steps", "20", "--episodes", "1", "--out", at("unpaid")))
                .as(cli.err())
                .isZero();
        assertThat(cli.err()).contains("unpaid.yaml has no reward");
    }

    @Test
    void policiesThatComeWithTheRepositoryAreListed() {
        assertThat(cli.run("expert", "--list", "--json")).as(cli.err()).isZero();
        assertThat(cli.out())
                .contains("results/gpu/humanoid", "results/zoo/ant")
                .doesNotContain("none yet");
        assertThat(cli.run("record", "--zoo", "hoper", "--out", at("none"))).isEqualTo(2);
        assertThat(cli.err()).contains("hopper");
        assertThat(cli.run("evaluate")).isEqualTo(2);
        assertThat(cli.err()).contains("--policy", "--zoo");
    }

    /** How long a picture of a film of that policy stays, in hundredths of a second. */
    private int film(String policy) throws IOException {
        Path film = folder.resolve("film.gif");
        assertThat(cli.run(
                        "record",
                        "--policy",
                        at(policy),
                        "--episodes",
                        "1",
                        "--video",
                        film.toString(),
                        "--out",
                        at("filmed")))
                .as(cli.err())
                .isZero();
        ImageReader reader = ImageIO.getImageReadersByFormatName("gif").next();
        try (ImageInputStream in = ImageIO.createImageInputStream(film.toFile())) {
            reader.setInput(in);
            assertThat(reader.getNumImages(true)).isGreaterThan(100);
            IIOMetadata notes = reader.getImageMetadata(1);
            IIOMetadataNode root = (IIOMetadataNode) notes.getAsTree(notes.getNativeMetadataFormatName());
            IIOMetadataNode control = (IIOMetadataNode)
                    root.getElementsByTagName("GraphicControlExtension").item(0);
            return Integer.parseInt(control.getAttribute("delayTime"));
        } finally {
            reader.dispose();
        }
    }

    private int expert(String name, String arguments) {
        List<String> command = new ArrayList<>(List.of("expert", "--task", WORLDS + "Pendulum"));
        command.addAll(List.of("--task-args", arguments, "--steps", "1000", "--random-steps", "300"));
        command.addAll(List.of("--hidden", "16,16", "--evaluate-every", "500", "--episodes", "1"));
        command.addAll(List.of("--checkpoint-every", "450", "--threads", "1", "--out", at(name)));
        return cli.run(command.toArray(String[]::new));
    }

    private String at(String name) {
        return folder.resolve(name).toString();
    }
}
