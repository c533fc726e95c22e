package dev.revealed.data.panel;

import dev.revealed.data.ChoiceData;
import dev.revealed.data.PanelNotes;
import dev.revealed.mdp.Demonstrations;
import dev.revealed.mdp.choice.ChoiceModel;
import dev.revealed.mdp.choice.ClusterSums;
import dev.revealed.mdp.choice.ObservationCounts;
import dev.revealed.mdp.choice.Panel;
import dev.revealed.mdp.choice.Survey;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.numeric.task.TaskRunner;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * A panel that was counted: its different observations, and for each pair of rows which observation it is.
 *
 * @param of the observation of each pair of rows, by the pair's number among the counts
 */
public record CountedPanel(ChoiceModel model, PanelCounts counts, ObservationCounts observations, int[] of) {

    /** Thrown where the law rules out a pair of rows. */
    public static final class Impossible extends RuntimeException {
        private static final long serialVersionUID = 1;
        private final int before;
        private final int code;

        Impossible(int before, int code) {
            super("the law rules out that row %d follows on row %d".formatted(code, before));
            this.before = before;
            this.code = code;
        }

        public int before() {
            return before;
        }

        public int code() {
            return code;
        }
    }

    /**
     * What pairs of rows mean to a model.
     *
     * @param sampled whether weights are sampling weights, of which only the ratios matter
     * @param clustered whether individuals belong to named clusters
     */
    public static CountedPanel of(RowCodes codes, PanelCounts counts, boolean sampled, boolean clustered) {
        ChoiceModel model = codes.model(counts);
        int parts = model.law().parts().size();
        int[][] keys = new int[counts.size()][];
        int[] move = new int[2 * parts];
        for (int i = 0; i < keys.length; i++) {
            int before = counts.before(i);
            int code = counts.code(i);
            keys[i] = new int[1 + 2 * parts];
            Arrays.fill(keys[i], -1);
            if (codes.decided(code)) {
                keys[i][0] = codes.state(codes.place(code)) * codes.actions() + codes.action(code);
            }
            if (before != PanelCounts.NONE) {
                codes.move(model, before, code, move);
                for (int v = 0; v < parts; v++) {
                    if (move[2 * v] >= 0 && move[2 * v + 1] < 0) {
                        throw new Impossible(before, code);
                    }
                }
                System.arraycopy(move, 0, keys[i], 1, 2 * parts);
            }
        }
        return of(model, counts, keys, sampled, clustered);
    }

    private static CountedPanel of(
            ChoiceModel model, PanelCounts counts, int[][] keys, boolean sampled, boolean clustered) {
        int[] order = IntStream.range(0, keys.length)
                .boxed()
                .sorted(counts::compare)
                .mapToInt(i -> i)
                .toArray();
        int[] of = new int[keys.length];
        Map<List<Integer>, Integer> known = new HashMap<>();
        for (int i : order) {
            List<Integer> key = Arrays.stream(keys[i]).boxed().toList();
            Integer before = known.putIfAbsent(key, known.size());
            of[i] = before == null ? known.size() - 1 : before;
        }
        int n = known.size();
        int parts = model.law().parts().size();
        int[] row = new int[n];
        int[][] cell = new int[n][parts];
        int[][] outcome = new int[n][parts];
        double[] count = new double[n];
        double[] squares = new double[n];
        double scale = sampled ? scale(counts) : 1;
        for (int i : order) { // pairs of the same observation are added up in a fixed order
            int o = of[i];
            row[o] = keys[i][0];
            for (int v = 0; v < parts; v++) {
                cell[o][v] = keys[i][1 + 2 * v];
                outcome[o][v] = keys[i][2 + 2 * v];
            }
            count[o] += scale * counts.weight(i);
            squares[o] += sampled ? scale * scale * counts.squares(i) : counts.weight(i);
        }
        ObservationCounts observations = new ObservationCounts(
                row,
                cell,
                outcome,
                count,
                squares,
                counts.total(PanelCounts.Total.INDIVIDUALS),
                counts.total(PanelCounts.Total.DECISIONS),
                scale * counts.totalWeight(),
                uneven(counts, scale),
                counts.total(PanelCounts.Total.BREAKS) > 0,
                clustered);
        return new CountedPanel(model, counts, observations, of);
    }

    /** Sampling weights become multiples of their mean. */
    static double scale(PanelCounts counts) {
        return counts.total(PanelCounts.Total.INDIVIDUALS) / counts.totalWeight();
    }

    /** Whether some individuals count more than others. */
    private static boolean uneven(PanelCounts counts, double scale) {
        for (int i = 0; counts.weighted() && i < counts.size(); i++) {
            double times = counts.times(i);
            if (Math.abs(scale * counts.weight(i) - times) > 1e-9 * times
                    || Math.abs(scale * scale * counts.squares(i) - times) > 1e-9 * times) {
                return true;
            }
        }
        return false;
    }

    /** Reads a panel from the pieces of its table, which together may be larger than memory. */
    public static ChoiceData read(List<? extends TablePiece> pieces, PanelCoding coding, ProgressListener listener) {
        return read(pieces, coding, TaskRunner.THREADS, listener);
    }

    /** The same with the pieces as tasks, which other machines may do. */
    public static ChoiceData read(
            List<? extends TablePiece> pieces, PanelCoding coding, TaskRunner runner, ProgressListener listener) {
        PanelPass pass = new PanelPass(pieces, coding, listener);
        PanelCounts counts = pass.count(runner);
        String table = pieces.getFirst().name();
        BadInput.when(pass.empty(), table + ": there are no rows", "Give at least one decision.");
        coding.check(table, counts, pass.coders());
        BadInput.when(
                counts.total(PanelCounts.Total.INDIVIDUALS) == 0,
                table + ": no individual has a decision that counts",
                coding.rules().skip() == 0
                        ? "Give at least one."
                        : "The first %d of each are skipped; give more."
                                .formatted(coding.rules().skip()));
        boolean sampled =
                coding.structure().weight().isPresent() && coding.structure().kind() == Panel.Weights.SAMPLING;
        CountedPanel counted;
        try {
            counted = of(coding, counts, sampled, coding.structure().cluster().isPresent());
        } catch (Impossible e) {
            throw pass.refusal(e.before(), e.code());
        }
        CountedPanel made = counted;
        double scale = sampled ? scale(counts) : 1;
        CountedIndividuals individuals = new CountedIndividuals(
                made.observations,
                coding.actions(),
                sampled,
                scale,
                () -> made.store(pass, coding),
                runner == TaskRunner.THREADS
                        ? CountedIndividuals.Elsewhere.NOWHERE
                        : made.elsewhere(pass, coding, runner, scale));
        Panel panel = new Panel(
                individuals, coding.structure().kind(), coding.structure().covariates());
        PanelNotes notes = new PanelNotes(
                coding.structure(),
                counts.total(PanelCounts.Total.LINKS),
                counts.total(PanelCounts.Total.HOLES),
                counts.total(PanelCounts.Total.DROPPED),
                0);
        List<String> cautions = new ArrayList<>(pass.coders().getFirst().cautions(pass.coders()));
        cautions.addAll(notes.cautions());
        return new ChoiceData(made.model, panel, pass.unused(), cautions, notes.notes());
    }

    /** Individuals whose rows are read by the tasks of a runner, a piece of the table each. */
    private CountedIndividuals.Elsewhere elsewhere(
            PanelPass pass, PanelCoding coding, TaskRunner runner, double scale) {
        return new CountedIndividuals.Elsewhere() {
            @Override
            public Optional<ClusterSums> sums(double[][] contribution, boolean copies) {
                return pass.sums(
                                runner,
                                Demonstrations.sha256(
                                        Arrays.stream(contribution).map(CountedPanel::bytes)),
                                () -> new PathSums(CountedPanel.this, pass, scale, copies, contribution))
                        .map(PathSums::sums);
            }

            @Override
            public Optional<Survey> survey(String name, Survey.Answer answer) {
                return pass.apart()
                        ? Optional.empty()
                        : Optional.of(
                                new PiecedPaths(CountedPanel.this, pass, coding, scale).survey(runner, name, answer));
            }
        };
    }

    private static ByteBuffer bytes(double[] numbers) {
        ByteBuffer bytes = ByteBuffer.allocate(Double.BYTES * numbers.length);
        bytes.asDoubleBuffer().put(numbers);
        return bytes;
    }

    /** The observation that a pair of rows is. */
    int observation(PanelPass pass, int before, int code) {
        int pair = counts.find(before, code);
        if (pair < 0) {
            throw pass.changed();
        }
        return of[pair];
    }

    /** Reads the paths of all individuals. */
    private IndividualStore store(PanelPass pass, PanelCoding coding) {
        IndividualStore store =
                new IndividualStore(coding.structure().covariates().size());
        pass.run(() -> writing(store, pass, coding));
        store.end();
        return store;
    }

    /** Writes the paths of the individuals it receives. */
    PanelPass.Receiver writing(IndividualStore store, PanelPass pass, PanelCoding coding) {
        return new PanelPass.Receiver() {
            private final IndividualStore.Writer writer = store.new Writer();
            private int[] path = new int[64];

            @Override
            public void accept(IndividualRows rows, RowRules.Kept kept) {
                int n = kept.size();
                path = path.length < n ? new int[2 * n] : path;
                for (int t = 0; t < n; t++) {
                    path[t] = observation(pass, kept.before(t), kept.code(t));
                }
                int last = kept.decisions() == n ? -1 : coding.state(coding.place(kept.code(n - 1)));
                writer.add(rows, path, n, last);
            }

            @Override
            public void end() {
                writer.flush();
            }
        };
    }
}
