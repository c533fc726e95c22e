package dev.revealed.estimate.choice.inference;

import dev.revealed.estimate.choice.ChoiceProblem;
import dev.revealed.estimate.choice.DataChecks;
import dev.revealed.estimate.choice.Fit;
import dev.revealed.estimate.choice.Observations;
import dev.revealed.estimate.choice.PanelMethod;
import dev.revealed.mdp.choice.ChoiceModel;
import dev.revealed.mdp.choice.Panel;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.Interval;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Vec;
import dev.revealed.numeric.task.TaskList;
import dev.revealed.numeric.task.TaskRunner;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * How an estimate varies over panels that might have been observed instead: each replication draws a panel and estimates
 * both steps from it. Replications are independent of each other and of the order they are run in, so that any number of
 * threads, and any number of interruptions, leads to the same numbers.
 *
 * @param fit what the method found on the observed panel
 * @param stream of all replications; its {@code at(i)} is that of the i-th
 */
public record Bootstrap(
        ChoiceProblem problem, PanelMethod method, Fit fit, Resampling resampling, RandomStream stream) {
    /** With fewer replications than this the ends of an interval are noise. */
    private static final int FEW = 100;

    public Bootstrap {
        stream = stream.named("bootstrap " + resampling.name());
    }

    /** Resamples individuals. */
    public static Bootstrap ofIndividuals(ChoiceProblem problem, PanelMethod method, Fit fit, RandomStream stream) {
        return new Bootstrap(problem, method, fit, new Resampling.OfIndividuals(problem.panel()), stream);
    }

    /** Simulates panels of the same shape from the fitted model. */
    public static Bootstrap parametric(ChoiceProblem problem, PanelMethod method, Fit fit, RandomStream stream) {
        Resampling simulated = new Resampling.Parametric(problem.model(), problem.panel(), fit.theta(), fit.phi());
        return new Bootstrap(problem, method, fit, simulated, stream);
    }

    /**
     * One estimate on one drawn panel.
     *
     * @param failure why there is none, or empty; theta and phi are then empty
     */
    public record Replication(double[] theta, double[] phi, String failure) {
        static Replication failed(String why) {
            return new Replication(new double[0], new double[0], why);
        }

        public boolean succeeded() {
            return failure.isEmpty();
        }
    }

    /** Runs the replications. */
    public Result run(int replications, TaskRunner runner, ProgressListener listener) {
        if (replications < 2) {
            throw new BadInput(
                    "%d bootstrap replications".formatted(replications), "Ask for at least 2; 500 is usual.");
        }
        List<Replication> all = runner.run(tasks(replications), listener);
        for (int number = 0; number < all.size(); number++) {
            Replication done = all.get(number);
            BadInput.when(
                    done.succeeded()
                            && !(done.theta().length == fit.theta().length
                                    && done.phi().length == fit.phi().length
                                    && Vec.isFinite(done.theta())
                                    && Vec.isFinite(done.phi())),
                    "the kept replication %d is not one of this estimate".formatted(number),
                    "Its file is damaged: begin again in another folder.");
        }
        return result(all);
    }

    private TaskList<Replication> tasks(int replications) {
        return new TaskList<>("bootstrap", fingerprint(), Replication.class, replications, this::replicate);
    }

    private Replication replicate(int number) {
        RandomStream own = stream.at(number);
        try {
            ChoiceProblem drawn = problem.withPanel(resampling.draw(own.named("panel")));
            Fit found = new CheckedSearch(drawn, drawn.firstStage(), method, own.named("method"), ProgressListener.NONE)
                    .fit(true);
            if (!found.converged()) {
                return Replication.failed("did not converge: " + found.status());
            }
            if (!Vec.isFinite(found.theta()) || !Vec.isFinite(found.phi())) {
                return Replication.failed("the estimates are not finite");
            }
            if (problem.model().utility().rules().none()
                    && !method.heedsHidden()
                    && method.names(problem.model())
                            .equals(problem.model().utility().names())
                    && DataChecks.noMaximum(drawn, found.theta(), found.phi())) {
                return Replication.failed("the likelihood of the drawn panel has no maximum");
            }
            return new Replication(found.theta(), found.phi(), "");
        } catch (BadInput e) {
            return Replication.failed(e.problem());
        } catch (ArithmeticException | IllegalStateException e) {
            return Replication.failed(String.valueOf(e.getMessage()));
        }
    }

    private Result result(List<Replication> replications) {
        double[][] draws = replications.stream()
                .filter(Replication::succeeded)
                .map(r -> Vec.joined(r.theta(), r.phi()))
                .toArray(double[][]::new);
        Map<String, Long> reasons = replications.stream()
                .filter(r -> !r.succeeded())
                .collect(Collectors.groupingBy(Replication::failure, TreeMap::new, Collectors.counting()));
        String commonest = reasons.entrySet().stream()
                .max(Map.Entry.comparingByValue())
                .map(Map.Entry::getKey)
                .orElse("");
        int failed = replications.size() - draws.length;
        if (draws.length < 2) {
            throw new BadInput(
                    "%d of %d bootstrap replications failed, most of them so: %s"
                            .formatted(failed, replications.size(), commonest),
                    "Take other standard errors; the data are too few to be resampled, or the method too frail.");
        }
        List<String> warnings = new ArrayList<>();
        if (failed > 0) {
            warnings.add(
                    "%d of %d bootstrap replications failed and are left out, which makes standard errors too small where failures are those of unlucky panels; most of them so: %s"
                            .formatted(failed, replications.size(), commonest));
        }
        if (draws.length < FEW) {
            warnings.add("%d bootstrap replications are few: 500 are usual, and intervals deserve 1000"
                    .formatted(draws.length));
        }
        if (resampling instanceof Resampling.OfIndividuals) {
            DataChecks.fewIndividuals(problem).ifPresent(warnings::add);
        }
        List<String> names = new ArrayList<>(method.names(problem.model()));
        names.addAll(problem.model().law().names());
        return new Result(names, fit.parameters(), draws, failed, List.copyOf(warnings));
    }

    /**
     * What the replications depend on, in a few letters: the model, the panel, the method's name, the estimate and the
     * stream of chance. Replications kept under another fingerprint are of another problem.
     */
    public String fingerprint() {
        MessageDigest digest = sha256();
        ChoiceModel model = problem.model();
        for (String text : List.of(
                resampling.name(), method.name(), model.name(), model.actions().toString())) {
            digest.update((text + "\n").getBytes(StandardCharsets.UTF_8));
        }
        digest.update((model.utility().names() + "\n" + model.law().names()).getBytes(StandardCharsets.UTF_8));
        double[] utility = new double[model.utility().rows()];
        model.utility().values(Arrays.copyOf(fit.theta(), model.utility().parameters()), utility);
        for (double[] numbers : List.of(new double[] {model.discount()}, fit.theta(), fit.phi(), utility)) {
            ByteBuffer bytes = ByteBuffer.allocate(Double.BYTES * numbers.length);
            bytes.asDoubleBuffer().put(numbers);
            digest.update(bytes);
        }
        Panel panel = problem.panel();
        if (panel.counts().isPresent()) {
            digest.update(panel.hash().getBytes(StandardCharsets.UTF_8));
        }
        for (Panel.Individual individual :
                panel.counts().isPresent() ? List.<Panel.Individual>of() : panel.individuals()) {
            add(digest, individual.choices().states());
            int[] actions = individual.choices().actions();
            add(digest, actions == null ? new int[0] : actions);
            for (int v = 0; v < individual.cells().length; v++) {
                add(digest, individual.cells()[v]);
                add(digest, individual.outcomes()[v]);
            }
        }
        for (Panel.CommonMoves period : panel.common()) {
            add(digest, period.cells());
            add(digest, period.outcomes());
        }
        digest.update(ByteBuffer.allocate(Long.BYTES).putLong(0, stream.checkpoint()[0]));
        return HexFormat.of().formatHex(digest.digest(), 0, 12);
    }

    private static void add(MessageDigest digest, int[] numbers) {
        ByteBuffer bytes = ByteBuffer.allocate(Integer.BYTES * (numbers.length + 1));
        bytes.asIntBuffer().put(numbers.length).put(numbers);
        digest.update(bytes);
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e); // every Java has it
        }
    }

    /**
     * What the replications say of theta, then phi.
     *
     * @param estimate on the observed panel
     * @param draws those that succeeded, {@code [replication][parameter]}
     * @param failed how many did not
     */
    public record Result(List<String> names, double[] estimate, double[][] draws, int failed, List<String> warnings) {

        public double[] mean() {
            return Observations.sum(1.0 / draws.length, draws);
        }

        /** Mean of the replications less the estimate. */
        public double[] bias() {
            return Vec.plus(mean(), -1, estimate);
        }

        public double[] standardErrors() {
            double[] errors = new double[estimate.length];
            Arrays.setAll(errors, j -> Vec.standardError(draws(j)) * Math.sqrt(draws.length));
            return errors;
        }

        /** Covariance of the first so many parameters; a transition law may have too many for all. */
        public double[][] covariance(int parameters) {
            double[] mean = mean();
            double[][] covariance = new double[parameters][parameters];
            for (double[] draw : draws) {
                double[] centred = Arrays.copyOf(Vec.plus(draw, -1, mean), parameters);
                for (int j = 0; j < parameters; j++) {
                    Vec.axpy(centred[j] / (draws.length - 1), centred, covariance[j]);
                }
            }
            return covariance;
        }

        /** Percentile interval of a parameter: the shares (1 - level)/2 of the draws lie below and above it. */
        public double[] interval(int parameter, double level) {
            Interval interval = Interval.percentile(draws(parameter), level);
            return new double[] {interval.low(), interval.high()};
        }

        private double[] draws(int parameter) {
            return Arrays.stream(draws).mapToDouble(draw -> draw[parameter]).toArray();
        }
    }
}
