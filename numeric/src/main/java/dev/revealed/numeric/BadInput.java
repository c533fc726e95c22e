package dev.revealed.numeric;

import java.io.EOFException;
import java.io.UncheckedIOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.function.Supplier;

/**
 * Input that cannot be used: what is wrong (file, row, field and value included) and what to do about it. Commands turn
 * it into one message and exit code 2; nothing else in the house does.
 */
public final class BadInput extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String problem;
    private final String remedy;

    public BadInput(String problem, String remedy) {
        super(problem + "\n  " + remedy);
        this.problem = problem;
        this.remedy = remedy;
    }

    /** Refuses input that is wrong. For places that are passed rarely: the words are made whether needed or not. */
    public static void when(boolean wrong, String problem, String remedy) {
        if (wrong) {
            throw new BadInput(problem, remedy);
        }
    }

    /** The same complaint with the place where it was met in front, for readers that know the file and the row. */
    public BadInput in(String place) {
        BadInput placed = new BadInput(place + ": " + problem, remedy);
        placed.initCause(this);
        return placed;
    }

    /** What is made there; a complaint about it names the place. */
    public static <T> T placed(String place, Supplier<T> made) {
        try {
            return made.get();
        } catch (BadInput e) {
            throw e.in(place);
        }
    }

    /** Why a file could not be read or written, in words: without the names of Java's classes. */
    public static String reason(Exception e) {
        Throwable cause = e instanceof UncheckedIOException && e.getCause() != null ? e.getCause() : e;
        return switch (cause) {
            case NoSuchFileException _ -> "there is no such file";
            case AccessDeniedException _ -> "no permission";
            case NotDirectoryException _ -> "it is no folder";
            case FileAlreadyExistsException _ -> "there is a file of that name";
            case CharacterCodingException _ -> "it is no UTF-8 text";
            case EOFException _ -> "it ends early";
            case FileSystemException system when system.getReason() != null -> system.getReason();
            case FileSystemException _ -> "the file system refuses";
            default -> cause.getMessage() == null ? "no reason is given" : cause.getMessage();
        };
    }

    public String problem() {
        return problem;
    }

    public String remedy() {
        return remedy;
    }

    /** Checks {@code 0 <= index < limit}. */
    public static int index(String what, long index, int limit) {
        if (index < 0 || index >= limit) {
            throw new BadInput(
                    "%s %d is outside 0..%d".formatted(what, index, limit - 1),
                    "Number " + what + "s from 0, or declare more of them.");
        }
        return (int) index;
    }

    /** Checks that a number is finite. */
    public static double finite(String what, double value) {
        if (!Double.isFinite(value)) {
            throw new BadInput("%s is %s".formatted(what, value), "Give a finite number.");
        }
        return value;
    }

    /** Checks something that is counted: there must be one at least. */
    public static int count(String what, int value) {
        return (int) count(what, (long) value);
    }

    public static long count(String what, long value) {
        if (value < 1) {
            throw new BadInput("%s is %d".formatted(what, value), "Give at least 1.");
        }
        return value;
    }

    /** Checks a number that must be finite and above 0. */
    public static double positive(String what, double value) {
        if (!(value > 0 && value < Double.POSITIVE_INFINITY)) {
            throw new BadInput("%s is %s".formatted(what, value), "Give a finite number above 0.");
        }
        return value;
    }

    /** Checks a number that must be finite and not below 0. */
    public static double notNegative(String what, double value) {
        if (!(value >= 0 && value < Double.POSITIVE_INFINITY)) {
            throw new BadInput("%s is %s".formatted(what, value), "Give 0 or a finite number above it.");
        }
        return value;
    }

    /** Checks a discount factor. */
    public static double discount(double discount) {
        if (!(discount >= 0 && discount < 1)) {
            throw new BadInput(
                    "the discount is %s, outside [0, 1)".formatted(discount),
                    "Choose one from 0 up to but not including 1, for example 0.95 or 0.9999.");
        }
        return discount;
    }
}
