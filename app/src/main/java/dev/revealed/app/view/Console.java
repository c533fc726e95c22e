package dev.revealed.app.view;

import dev.revealed.numeric.BadInput;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/**
 * The streams of one command. Text for people goes to stdout, or to stderr when a program has asked for JSON: then
 * stdout carries exactly one document.
 */
public final class Console {

    private final PrintStream out;
    private final PrintStream err;
    private final boolean json;
    private boolean answered;

    public Console(PrintStream out, PrintStream err, boolean json) {
        this.out = out;
        this.err = err;
        this.json = json;
    }

    /** The process's own streams, in UTF-8 whatever the locale. */
    public static Console system(boolean json) {
        return new Console(utf8(System.out), utf8(System.err), json);
    }

    static PrintStream utf8(PrintStream stream) {
        return new PrintStream(stream, true, StandardCharsets.UTF_8);
    }

    /** Prints text for people, ending the line if it does not. */
    public void say(String text) {
        line(json ? err : out, text);
    }

    /** Prints a caution for people to stderr, whoever reads stdout. */
    public void warn(String text) {
        line(err, text);
    }

    /** Prints the command's answer if JSON was asked for, so that a command may always give both; only once. */
    public void json(String document) {
        if (answered) {
            throw new IllegalStateException("a command prints one JSON document, and it has been printed");
        }
        answered = true;
        if (json) {
            line(out, document);
            if (out.checkError()) {
                throw new BadInput("standard output could not be written", "Is the disk full, or the pipe closed?");
            }
        }
    }

    /** What the stream that {@link #say} writes to can show. */
    public Terminal terminal() {
        return json ? Terminal.stderr() : Terminal.stdout();
    }

    private static void line(PrintStream stream, String text) {
        stream.print(text.endsWith("\n") ? text : text + "\n");
        stream.flush();
    }
}
