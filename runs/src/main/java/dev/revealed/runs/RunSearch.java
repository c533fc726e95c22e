package dev.revealed.runs;

import dev.revealed.numeric.BadInput;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.FileVisitor;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Finds run folders below a folder. Links are not followed, and what cannot be read is passed over. */
public final class RunSearch {
    private static final int DEEPEST = 12;

    private RunSearch() {}

    /**
     * The folders that have a spec, by their names; a run may lie in the folder of a command that made many.
     *
     * @param most to look for no further
     */
    public static List<Path> under(Path top, int most) {
        if (!Files.isDirectory(top)) {
            throw new BadInput("there is no folder " + top, "Name one that holds run folders.");
        }
        try {
            Path real = top.toRealPath();
            Visitor visitor = new Visitor(real, most, new ArrayList<>());
            Files.walkFileTree(real, Set.of(), DEEPEST, visitor);
            return visitor.found.stream().sorted().toList();
        } catch (IOException e) {
            throw new BadInput("%s cannot be read (%s)".formatted(top, BadInput.reason(e)), "Check its permissions.");
        }
    }

    private record Visitor(Path top, int most, List<Path> found) implements FileVisitor<Path> {
        @Override
        public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
            String name = String.valueOf(folder.getFileName());
            if (name.equals(RunFiles.CHECKPOINT) || (name.startsWith(".") && !folder.equals(top))) {
                return FileVisitResult.SKIP_SUBTREE;
            }
            if (RunState.isFile(folder.resolve(RunFiles.SPEC))) {
                found.add(folder);
            }
            return found.size() < most ? FileVisitResult.CONTINUE : FileVisitResult.TERMINATE;
        }

        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFileFailed(Path file, IOException e) {
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult postVisitDirectory(Path folder, @Nullable IOException e) {
            return FileVisitResult.CONTINUE;
        }
    }
}
