package dev.revealed.app.view;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * What a stream of this process can show.
 *
 * @param interactive a person watches it: a line may be rewritten
 * @param colour it takes ANSI colours and nobody has asked for none
 */
public record Terminal(boolean interactive, boolean colour) {

    /** A file or a pipe. */
    public static final Terminal NONE = new Terminal(false, false);

    public static Terminal stdout() {
        return of(isTerminal(1), System.getenv());
    }

    public static Terminal stderr() {
        return of(isTerminal(2), System.getenv());
    }

    /** Decides by the environment: NO_COLOR forbids colours, a dumb terminal takes no control codes at all. */
    static Terminal of(boolean terminal, Map<String, String> environment) {
        boolean interactive = terminal && !"dumb".equals(environment.get("TERM"));
        return new Terminal(
                interactive,
                interactive && environment.getOrDefault("NO_COLOR", "").isEmpty());
    }

    /** Java knows only of input and output together, so ask Linux about the one stream. */
    private static boolean isTerminal(int descriptor) {
        Path link = Path.of("/proc/self/fd/" + descriptor);
        if (!Files.isSymbolicLink(link)) {
            return Optional.ofNullable(System.console())
                    .filter(java.io.Console::isTerminal)
                    .isPresent();
        }
        try {
            String device = Files.readSymbolicLink(link).toString();
            return device.startsWith("/dev/pts/") || device.startsWith("/dev/tty") || device.equals("/dev/console");
        } catch (IOException e) {
            return false;
        }
    }
}
