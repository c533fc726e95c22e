package dev.revealed.app.train;

import dev.revealed.app.Main;
import dev.revealed.numeric.BadInput;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A file of runs: the options of one on each line, as they would be typed; empty lines and those with # are passed over. */
final class RunsFile {
    private static final String REMEDY = "Name a text file with the options of a run on each line.";

    private RunsFile() {}

    /** The words of each line, by where it is. */
    static Map<String, List<String>> read(Path path) {
        List<String> text;
        try {
            text = Files.readAllLines(Main.existing(path));
        } catch (CharacterCodingException e) {
            throw new BadInput(path + " is not a text file", REMEDY);
        } catch (IOException e) {
            throw new BadInput("%s cannot be read (%s)".formatted(path, BadInput.reason(e)), REMEDY);
        }
        Map<String, List<String>> lines = new LinkedHashMap<>();
        for (int i = 0; i < text.size(); i++) {
            String line = text.get(i).strip();
            if (!line.isEmpty() && !line.startsWith("#")) {
                lines.put("%s, line %d".formatted(path, i + 1), List.of(line.split("\\s+", -1)));
            }
        }
        if (lines.isEmpty()) {
            throw new BadInput(
                    "%s names no run".formatted(path),
                    "Write the options of a run on each line, such as: --task hopper --seed 3 --temperature auto");
        }
        return lines;
    }
}
