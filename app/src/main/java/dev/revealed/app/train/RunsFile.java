package dev.revealed.app.train;

import dev.revealed.app.Main;
import dev.revealed.numeric.BadInput;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A file of runs: the options of one on each line, as they would be typed; empty lines and those with # are passed over. */
record RunsFile(Path path, List<Line> lines) {

    /** The words of a line, and its number from 1. */
    record Line(int number, List<String> words) {}

    static RunsFile read(Path path) {
        List<String> text;
        try {
            text = Files.readAllLines(Main.existing(path));
        } catch (CharacterCodingException e) {
            throw new BadInput(path + " is no text file", "Name a text file with the options of a run on each line.");
        } catch (IOException e) {
            throw new BadInput(
                    "%s cannot be read (%s)".formatted(path, e),
                    "Name a text file with the options of a run on each line.");
        }
        List<Line> lines = new ArrayList<>();
        for (int i = 0; i < text.size(); i++) {
            String line = text.get(i).strip();
            if (!line.isEmpty() && !line.startsWith("#")) {
                lines.add(new Line(i + 1, List.of(line.split("\\s+", -1))));
            }
        }
        if (lines.isEmpty()) {
            throw new BadInput(
                    "%s names no run".formatted(path),
                    "Write the options of a run on each line, such as: --task hopper --seed 3 --temperature auto");
        }
        return new RunsFile(path, lines);
    }

    /** Where a line is, for messages. */
    String place(Line line) {
        return "%s, line %d".formatted(path, line.number);
    }
}
