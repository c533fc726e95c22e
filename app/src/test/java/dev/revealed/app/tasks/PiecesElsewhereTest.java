package dev.revealed.app.tasks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.revealed.app.Cli;
import dev.revealed.data.ChoiceData;
import dev.revealed.data.RustBusFiles;
import dev.revealed.data.panel.BusCoding;
import dev.revealed.data.panel.CountedPanel;
import dev.revealed.data.panel.TableFiles;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.numeric.task.TaskList;
import dev.revealed.numeric.task.TaskRunner;
import dev.revealed.runs.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Pieces of a table that other machines have read count what they count here. */
class PiecesElsewhereTest {
    private static final RustBusFiles.Settings SETTINGS = RustBusFiles.Settings.of(Map.of());

    /** Ends a reading that has come to its list of tasks. */
    private static final class Listed extends RuntimeException {
        private static final long serialVersionUID = 1L;
        private final transient TaskList<?> tasks;

        Listed(TaskList<?> tasks) {
            this.tasks = tasks;
        }
    }

    private static TaskList<?> list(List<Path> files) {
        try {
            read(files, new TaskRunner() {
                @Override
                public <R> List<R> run(TaskList<R> tasks, ProgressListener listener) {
                    throw new Listed(tasks);
                }
            });
        } catch (Listed e) {
            return e.tasks;
        }
        throw new AssertionError("no tasks");
    }

    /** Another machine makes the list anew, does tasks in any order, and sends results as JSON. */
    private static TaskRunner elsewhere(List<Path> files) {
        return new TaskRunner() {
            @Override
            public <R> List<R> run(TaskList<R> tasks, ProgressListener listener) {
                TaskList<?> own = list(files);
                assertThat(own.inputs()).isEqualTo(tasks.inputs());
                List<String> found = new ArrayList<>(Collections.nCopies(tasks.count(), ""));
                for (int i = tasks.count() - 1; i >= 0; i--) {
                    found.set(i, Json.line(own.task().apply(i)));
                }
                return IntStream.range(0, tasks.count())
                        .mapToObj(i -> Json.whole(found.get(i), tasks.type()))
                        .toList();
            }
        };
    }

    @TempDir
    private Path folder = Path.of("");

    /** The rows of a simulated panel in files of so many. */
    private List<Path> files(List<String> rows, String header, int each) throws IOException {
        List<Path> files = new ArrayList<>();
        for (int from = 0; from < rows.size(); from += each) {
            Path file = folder.resolve("%d-%05d.csv".formatted(each, from));
            List<String> lines = new ArrayList<>(List.of(header));
            lines.addAll(rows.subList(from, Math.min(rows.size(), from + each)));
            files.add(Files.write(file, lines));
        }
        return files;
    }

    private static ChoiceData read(List<Path> files, TaskRunner runner) {
        return CountedPanel.read(TableFiles.pieces(files), new BusCoding(SETTINGS), runner, ProgressListener.NONE);
    }

    @Test
    void countsAreTheSame() throws IOException {
        Cli cli = new Cli();
        assertThat(cli.run(
                        "simulate",
                        "--model",
                        "rust-bus",
                        "--individuals",
                        "40",
                        "--periods",
                        "30",
                        "--out",
                        folder.resolve("buses").toString()))
                .as(cli::err)
                .isZero();
        List<String> lines = Files.readAllLines(folder.resolve("buses/panel.csv"));
        List<String> sorted = lines.subList(1, lines.size());
        List<String> scattered = new ArrayList<>(sorted);
        Collections.shuffle(scattered, new Random(3));
        for (List<String> rows : List.of(sorted, scattered)) {
            for (int each : new int[] {1, 17, 500, 5000}) {
                List<Path> files = files(rows, lines.getFirst(), each);
                ChoiceData here = read(files, TaskRunner.THREADS);
                ChoiceData elsewhere = read(files, elsewhere(files));
                assertThat(elsewhere.panel().size()).isEqualTo(40);
                assertThat(elsewhere.panel().hash()).isEqualTo(here.panel().hash());
                assertThat(elsewhere.unused()).isEqualTo(here.unused());
                assertThat(elsewhere.cautions()).isEqualTo(here.cautions());
            }
        }
    }
}
