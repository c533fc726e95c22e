package dev.revealed.bridge;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.Objects;

/** Python with numpy, and the environments of the tests. */
final class NeedsPython {
    private NeedsPython() {}

    static void check() {
        assumeTrue(has("numpy"), "skipped: python3 with numpy is not installed");
    }

    static boolean has(String module) {
        try {
            return new ProcessBuilder("python3", "-c", "import " + module)
                            .redirectError(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A class of worlds.py, with these arguments. */
    static ProcessSimulator simulator(String type, String arguments, int horizon) {
        return alone(program(type, arguments, horizon));
    }

    /** In a process of its own. */
    static ProcessSimulator alone(WorldProgram program) {
        return new WorldProcesses(program, 1, caution -> {}).simulator();
    }

    static WorldProgram program(String type, String arguments, int horizon) {
        check();
        try {
            Path file = Path.of(Objects.requireNonNull(NeedsPython.class.getResource("worlds.py"))
                    .toURI());
            return WorldProgram.of("gym:" + file + ":" + type, arguments, horizon);
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }
}
