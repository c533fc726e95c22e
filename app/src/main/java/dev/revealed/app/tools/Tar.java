package dev.revealed.app.tools;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/** Writes an archive in tar's format (ustar). Owners and times are constants: same files, same bytes. */
final class Tar implements AutoCloseable {
    private static final int BLOCK = 512;
    private static final long TIME = 1_767_225_600L; // 2026-01-01; tar complains of files from 1970

    private final OutputStream out;

    Tar(OutputStream out) {
        this.out = out;
    }

    void file(String name, Path file) throws IOException {
        header(name, Files.size(file), Files.isExecutable(file) ? 0755 : 0644);
        pad(Files.copy(file, out));
    }

    void file(String name, String content, boolean executable) throws IOException {
        byte[] bytes = content.getBytes(StandardCharsets.UTF_8);
        header(name, bytes.length, executable ? 0755 : 0644);
        out.write(bytes);
        pad(bytes.length);
    }

    /** Name, mode, owner, group, size, time, checksum, kind, ...: fields of fixed width, numbers in octal digits. */
    private void header(String name, long size, int mode) throws IOException {
        byte[] block = new byte[BLOCK];
        int split =
                name.length() <= 100 ? -1 : name.indexOf('/', name.length() - 101); // long ones are kept in two parts
        text(block, 0, 100, name.substring(split + 1));
        text(block, 345, 155, split < 0 ? "" : name.substring(0, split));
        octal(block, 100, 8, mode);
        octal(block, 108, 8, 0);
        octal(block, 116, 8, 0);
        octal(block, 124, 12, size);
        octal(block, 136, 12, TIME);
        Arrays.fill(block, 148, 156, (byte) ' ');
        block[156] = '0'; // a plain file
        text(block, 257, 8, "ustar\00000");
        int sum = 0;
        for (byte b : block) {
            sum += b & 0xFF;
        }
        octal(block, 148, 7, sum);
        out.write(block);
    }

    private static void text(byte[] block, int at, int width, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        if (bytes.length > width) {
            throw new IllegalArgumentException("too long a name for an archive: " + text);
        }
        System.arraycopy(bytes, 0, block, at, bytes.length);
    }

    private static void octal(byte[] block, int at, int width, long value) {
        text(block, at, width - 1, ("%0" + (width - 1) + "o").formatted(value));
    }

    private void pad(long written) throws IOException {
        out.write(new byte[(int) (-written & (BLOCK - 1))]);
    }

    /** Two empty blocks end an archive. */
    @Override
    public void close() throws IOException {
        out.write(new byte[2 * BLOCK]);
        out.close();
    }
}
