package dev.revealed.data.panel;

import dev.revealed.mdp.choice.Paths;
import dev.revealed.mdp.choice.Survey;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.numeric.task.TaskList;
import dev.revealed.numeric.task.TaskRunner;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The paths of individuals, kept on disk by whoever reads their piece of the table: a task reads its piece once, and
 * answers any number of questions. A task that is done elsewhere the next time, since its machine was lost, reads again.
 */
final class PiecedPaths {
    /** What the first question asks: who stands at the edges of the piece, and how many inside. */
    private static final double[] READING = {};

    private final CountedPanel panel;
    private final PanelPass pass;
    private final PanelCoding coding;
    private final double scale;
    private final Map<Integer, Piece> read = new ConcurrentHashMap<>();

    /** @param scale what weights in the table are multiplied by */
    PiecedPaths(CountedPanel panel, PanelPass pass, PanelCoding coding, double scale) {
        this.panel = panel;
        this.pass = pass;
        this.coding = coding;
        this.scale = scale;
    }

    /** A piece as it was read. */
    private record Piece(List<PieceCounts.EdgeRows> edges, IndividualStore inside) {}

    /**
     * What a task finds, in a form that can travel.
     *
     * @param edges the first and the last individual, and {@code inside}, how many are between: of the first answer only
     * @param found the answer, for the individuals inside
     */
    public record Answered(List<PieceCounts.EdgeRows> edges, int inside, double[][] found) {}

    Survey survey(TaskRunner runner, String name, Survey.Answer answer) {
        TaskList<Answered> tasks = new TaskList<>(
                name, pass.inputs(), Answered.class, pass.pieces(), (q, p) -> answered(q, p, answer), new double[][] {
                    READING
                });
        List<Answered> first = runner.run(tasks, pass.listener());
        IndividualStore edges = store();
        int[] before = new int[first.size()]; // individuals at edges who come before those inside of a piece
        PanelPass.Receiver writing = panel.writing(edges, pass, coding);
        int[] written = {0};
        PanelPass.Receiver counting = (rows, kept) -> {
            writing.accept(rows, kept);
            written[0]++;
        };
        pass.between(first.stream().map(Answered::edges).toList(), counting, p -> before[p] = written[0]);
        writing.end();
        edges.end();
        int[] inside = first.stream().mapToInt(Answered::inside).toArray();
        if (Arrays.stream(inside).sum() + edges.size() != panel.observations().individuals()) {
            throw pass.changed();
        }
        double[] starts = new double[inside.length];
        int sum = 0;
        for (int p = 0; p < inside.length; p++) {
            starts[p] = sum + before[p];
            sum += inside[p];
        }
        return question -> {
            double[][] sent = new double[question.length + 1][];
            sent[0] = starts;
            System.arraycopy(question, 0, sent, 1, question.length);
            List<Answered> found = runner.run(tasks.asking(sent), ProgressListener.NONE);
            List<double[][]> all = new ArrayList<>();
            int at = 0;
            for (int p = 0; p < inside.length; p++) {
                if (before[p] > at) {
                    all.add(answer.to(question, paths(edges, at, before[p], (int) starts[p] - before[p] + at)));
                    at = before[p];
                }
                if (inside[p] > 0) {
                    all.add(found.get(p).found());
                }
            }
            if (edges.size() > at) {
                all.add(answer.to(
                        question,
                        paths(
                                edges,
                                at,
                                edges.size(),
                                Math.toIntExact(panel.observations().individuals()) - edges.size() + at)));
            }
            return all;
        };
    }

    private Answered answered(double[][] question, int p, Survey.Answer answer) {
        Piece piece = read.computeIfAbsent(p, this::read);
        if (question[0].length == 0) {
            return new Answered(piece.edges, piece.inside.size(), new double[0][]);
        }
        double[][] own = Arrays.copyOfRange(question, 1, question.length);
        return new Answered(
                List.of(), 0, answer.to(own, paths(piece.inside, 0, piece.inside.size(), (int) question[0][p])));
    }

    private Piece read(int p) {
        IndividualStore inside = store();
        List<PieceCounts.EdgeRows> edges = pass.inside(p, panel.writing(inside, pass, coding));
        inside.end();
        return new Piece(edges, inside);
    }

    private IndividualStore store() {
        return new IndividualStore(coding.structure().covariates().size());
    }

    /** @param number of the first among all individuals */
    private Paths paths(IndividualStore store, int from, int to, int number) {
        return visitor -> {
            IndividualStore.Reader reader = store.new Reader();
            for (int i = from; i < to; i++) {
                reader.read(i);
                visitor.see(number + i - from, scale * reader.weight, reader.path, reader.length);
            }
        };
    }
}
