package dev.revealed.app.view;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a stream of this process can show.
 *
 * @param interactive a person watches it: a line may be rewritten
 * @param colour whether ANSI colours are supported and not switched off
 */
public record Terminal(boolean interactive, boolean colour) {

    private static final int USUAL_WIDTH = 80;
    private static final int LONG_WIDTH = 200; // in a file

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

    /** Characters that a line of a table may have: in a file there is no limit. */
    public int tableWidth() {
        return interactive ? width() : Integer.MAX_VALUE;
    }

    /** Characters that a line may have: the columns of the terminal the process was started from, or of a long line. */
    public int width() {
        if (!interactive) {
            return LONG_WIDTH;
        }
        try {
            Process stty = new ProcessBuilder("stty", "size")
                    .redirectInput(new File("/dev/tty"))
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return width(new String(stty.getInputStream().readAllBytes(), StandardCharsets.US_ASCII));
        } catch (IOException e) {
            return USUAL_WIDTH;
        }
    }

    /** Reads what stty says of the size: rows, then columns, 0 where it does not know. */
    static int width(String size) {
        Matcher columns = Pattern.compile("\\d+ (\\d{2,4})\\s*").matcher(size);
        return columns.matches() ? Integer.parseInt(columns.group(1)) : USUAL_WIDTH;
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
