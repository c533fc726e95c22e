package dev.revealed.app;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** The checkout that tests run in. */
public final class Repository {
    private Repository() {}

    public static Path root() {
        Path root = Path.of("").toAbsolutePath();
        while (!Files.isDirectory(root.resolve("results/table1"))) {
            root = Objects.requireNonNull(root.getParent());
        }
        return root;
    }

    /** Every Markdown page, but for what builds made. */
    public static List<Path> pages() throws IOException {
        return pages(root());
    }

    /** Every Markdown page below a folder, but for what builds made. */
    public static List<Path> pages(Path folder) throws IOException {
        List<Path> pages = new ArrayList<>();
        Files.walkFileTree(folder, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path dir, BasicFileAttributes attributes) {
                String name = String.valueOf(dir.getFileName());
                boolean built = name.startsWith(".") || name.startsWith("target") || name.equals("out");
                boolean ours = dir.equals(folder) || !built;
                return ours ? FileVisitResult.CONTINUE : FileVisitResult.SKIP_SUBTREE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                if (file.toString().endsWith(".md")) {
                    pages.add(file);
                }
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        pages.sort(null);
        return pages;
    }
}
