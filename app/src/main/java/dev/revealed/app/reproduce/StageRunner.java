package dev.revealed.app.reproduce;

import dev.revealed.app.Device;
import dev.revealed.app.Main;
import dev.revealed.app.Words;
import dev.revealed.numeric.BadInput;
import dev.revealed.runs.RunFolder;
import dev.revealed.studies.tables.Stage;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Makes what is missing of a table: each stage by its own command, which goes on where it was interrupted, or begins again
 * where it trains nothing.
 *
 * @param top the folder of the table's runs
 * @param atOnce how many runs train at a time; by the device where it is null
 */
record StageRunner(Path top, Device device, @Nullable Integer atOnce, int threads, Consumer<String> notice) {
    /** Runs the stages that are not finished, in their order. */
    void run(List<Stage> stages) {
        for (Stage stage : stages) {
            Stage.State state = stage.state(top);
            if (state != Stage.State.FINISHED) {
                execute(stage, state == Stage.State.INTERRUPTED);
            }
        }
    }

    private void execute(Stage stage, boolean interrupted) {
        if (interrupted && !stage.trains()) {
            RunFolder.reopen(top.resolve(stage.folder())).discard(); // it begins again, and no run is ever overwritten
        }
        List<String> words = interrupted && stage.trains() ? resumed(stage) : begun(stage);
        notice.accept(Words.typed(words));
        PrintStream out = System.out;
        System.setOut(System.err); // what a stage prints is on the way to the table, not the table
        int code;
        try {
            code = Main.commandLine().execute(words.toArray(String[]::new));
        } finally {
            System.setOut(out);
        }
        if (code != 0 || stage.state(top) != Stage.State.FINISHED) {
            throw new BadInput(
                    "some runs in %s did not finish".formatted(top.resolve(stage.folder())),
                    "The messages above say why. The same command continues from there.");
        }
    }

    private List<String> resumed(Stage stage) {
        List<String> words = new ArrayList<>(List.of(stage.verb(), "--resume"));
        words.addAll(more(stage));
        return words;
    }

    private List<String> begun(Stage stage) {
        Path file = top.resolve(stage.folder() + ".txt");
        try {
            Files.createDirectories(top);
            if (!stage.runs().isEmpty()) {
                Files.writeString(file, RunCommands.lines(stage));
            }
        } catch (IOException e) {
            throw new BadInput(
                    "%s cannot be written (%s)".formatted(file, BadInput.reason(e)),
                    "Check the permissions of that folder.");
        }
        List<String> words = RunCommands.words(stage, file.toString());
        words.addAll(more(stage));
        return words;
    }

    private List<String> more(Stage stage) {
        List<String> words = new ArrayList<>(List.of(
                "--threads",
                Integer.toString(threads),
                "--out",
                top.resolve(stage.folder()).toString()));
        if (stage.onDevice() && device == Device.CUDA) {
            words.addAll(List.of("--device", device.toString()));
        }
        if (!stage.runs().isEmpty() && atOnce != null) {
            words.addAll(List.of("--at-once", atOnce.toString()));
        }
        return words;
    }
}
