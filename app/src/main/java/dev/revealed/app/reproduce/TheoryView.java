package dev.revealed.app.reproduce;

import dev.revealed.app.Outcome;
import dev.revealed.app.view.LineChart;
import dev.revealed.app.view.LineChart.Mark;
import dev.revealed.app.view.LineChart.Series;
import dev.revealed.app.view.Numbers;
import dev.revealed.app.view.Panels;
import dev.revealed.app.view.Picture;
import dev.revealed.app.view.Report;
import dev.revealed.app.view.Scale;
import dev.revealed.app.view.Table;
import dev.revealed.app.view.Table.Column;
import dev.revealed.studies.Concentration;
import dev.revealed.studies.DualityStudy;
import dev.revealed.studies.Lemma1Study;
import dev.revealed.studies.Maximisers;
import dev.revealed.studies.Rates;
import dev.revealed.studies.TheoryStudy;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** Shows what became of the paper's guarantees: a table and a picture for each. */
final class TheoryView {
    private static final int WIDTH = 520;
    private static final int HEIGHT = 380;

    private final TheoryStudy.Result result;

    private TheoryView(TheoryStudy.Result result) {
        this.result = result;
    }

    static Outcome of(TheoryStudy.Result result) {
        TheoryView view = new TheoryView(result);
        Map<String, Picture> pictures = new LinkedHashMap<>();
        pictures.put("rates", view.ratesPicture());
        pictures.put("trace", view.tracePicture());
        pictures.put("floor", view.floorPicture());
        pictures.put("likelihoods", view.likelihoodsPicture());
        pictures.put("lemma1", view.lemma1Picture());
        Map<String, String> files = new LinkedHashMap<>();
        files.put("rates.csv", view.rates().toCsv());
        files.put(
                "floor.csv",
                csv(
                        view.floor(true),
                        "error,epsilon,iterations,meanPolicyError,"
                                + "policyErrorStandardError,meanSquaredGradientNorm,gradientNormStandardError"));
        files.put("trace.csv", view.trace().toCsv());
        files.put(
                "likelihoods.csv",
                csv(
                        view.likelihoods(),
                        "theta,trajectories,surrogateError,surrogateStandardError,"
                                + "empiricalError,empiricalStandardError"));
        files.put(
                "maximisers.csv",
                csv(
                        view.maximisers(),
                        "trajectories,surrogateExcess,surrogateStandardError,empiricalExcess,empiricalStandardError"));
        files.put("lemma1.csv", view.lemma1().toCsv());
        files.put("duality.csv", csv(view.duality(), "process,features,primal,dual,gap,policyDistance"));
        return new Outcome(result, view.text(), view.report(pictures), pictures, files);
    }

    /** The rows of a table people read, under names programs can use. */
    private static String csv(Table table, String header) {
        String rows = table.toCsv();
        return header + rows.substring(rows.indexOf('\n'));
    }

    private String text() {
        return String.join(
                "\n",
                slopes().toText(),
                floor(false).toText(),
                likelihoods().toText(),
                maximisers().toText(),
                lemma1Summary().toText(),
                duality().toText());
    }

    private Report report(Map<String, Picture> pictures) {
        TheoryStudy.Settings s = result.settings();
        return Report.titled("The guarantees, tried")
                .paragraph("""
                        A process with %d states, %d actions, discount %s and a reward linear in %d features \
                        within [-1, 1], small enough that everything the guarantees speak of is computed exactly. \
                        The expert's reward is in the class; the data are %d of its trajectories of %d decisions, \
                        after which nothing is left to discount.""".formatted(
                                s.states(),
                                s.actions(),
                                s.discount(),
                                s.features(),
                                s.demonstrations(),
                                result.setup().trajectoryLength()))
                .heading("Theorem 1: rates")
                .paragraph("""
                        Algorithm 1 with exact soft policy evaluation, one trajectory of the data and one of the \
                        agent per step, step %s / K^sigma. Means over all k below K, then over %d runs.\
                        """.formatted(s.alpha0(), s.runs()))
                .picture(picture(pictures, "rates"), "Bars are two standard errors; dashes have the guaranteed slope.")
                .table(slopes())
                .paragraph("""
                        The gradient follows the theorem. The policy does better than it: soft policy iteration is \
                        Newton's method, so after a step the policy is off by the square of how far the reward \
                        just moved, and the error falls like the larger of K^(-2 sigma) and the transient's 1/K.""")
                .picture(picture(pictures, "trace"), "Both quantities along one run.")
                .heading("Theorem 1: the floor an error in Q leaves")
                .paragraph("""
                        Noise of at most epsilon on Q, sigma 1/2. The policy stays off by about epsilon. An error \
                        that persists moves the gradient's floor by about the square of epsilon, less than the \
                        theorem allows; one that is drawn afresh at every step averages out.""")
                .picture(picture(pictures, "floor"), "Errors that persist.")
                .table(floor(false))
                .heading("Section 3: which approximation of the likelihood")
                .paragraph("""
                        Both fall like one over the square root of the number of trajectories. The paper argues \
                        that the surrogate is the more accurate one, since the empirical likelihood carries an \
                        error term from observed transitions. At the truth of this process it is the other way \
                        round: that term cancels noise which the surrogate keeps. For estimates this is a \
                        theorem: at the truth the \
                        surrogate's score is the empirical one's plus independent noise from start states and \
                        transitions, so its maximiser has the larger variance. What speaks for the surrogate is \
                        that, for demonstrations that never end, it is concave for linear rewards, and that it needs \
                        no actions for state-only ones. The tail of cut demonstrations is convex and can undo the \
                        former.""")
                .picture(picture(pictures, "likelihoods"), "Bars are two standard errors.")
                .table(likelihoods())
                .table(maximisers())
                .heading("Lemma 1: coverage and slack")
                .picture(
                        picture(pictures, "lemma1"),
                        "How |L - L^| is distributed over data sets, as a share of the bound.")
                .table(lemma1Summary())
                .paragraph("""
                        Lemma 1 is about a theta fixed before the data were seen. Read at the estimate it can fail \
                        on every data set: with %d states, one decision and any reward within [0, 1], %d \
                        observations leave the maximiser of L^ off by %s on average, where the lemma's formula \
                        says at most %s. The bound over the whole class, %s, holds, and is vacuous: that class is \
                        too large for so few data.""".formatted(
                                result.lemma1().atEstimate().states(),
                                result.lemma1().atEstimate().trajectories(),
                                Numbers.significant(result.lemma1().atEstimate().meanError(), 3),
                                Numbers.significant(result.lemma1().atEstimate().bound(), 3),
                                Numbers.significant(result.lemma1().atEstimate().uniformBound(), 3)))
                .heading("Theorem 2: the gap")
                .paragraph("""
                        The maximum-entropy problem over occupancy measures by Newton's method on its optimality \
                        conditions, the likelihood by L-BFGS over soft-optimal policies; neither knows of the \
                        other.""")
                .table(duality())
                .code("./revealed reproduce theory --seed " + s.seed())
                .provenance("seed", s.seed());
    }

    private static Picture picture(Map<String, Picture> pictures, String name) {
        Picture picture = pictures.get(name);
        if (picture == null) {
            throw new IllegalArgumentException("there is no picture " + name);
        }
        return picture;
    }

    private Table slopes() {
        Table table = Table.of(
                        Column.number("sigma", 3),
                        Column.decimals("policy error", 3),
                        Column.decimals("guaranteed", 3),
                        Column.decimals("squared gradient", 3),
                        Column.decimals("guaranteed", 3))
                .titled("Theorem 1: slopes in log K");
        for (Rates.Slope slope : result.slopes()) {
            table = table.row(
                    slope.sigma(),
                    slope.policyErrorSlope(),
                    slope.guaranteedPolicyError(),
                    slope.gradientNormSlope(),
                    slope.guaranteedGradientNorm());
        }
        List<Integer> iterations = result.settings().iterations();
        return table.note("K from %d to %d, %d runs each."
                .formatted(
                        iterations.getFirst(),
                        iterations.getLast(),
                        result.settings().runs()));
    }

    private Table rates() {
        Table table = Table.of(
                Column.number("sigma", 3),
                Column.number("iterations", 6),
                Column.number("meanPolicyError", 4),
                Column.number("policyErrorStandardError", 2),
                Column.number("meanSquaredGradientNorm", 4),
                Column.number("gradientNormStandardError", 2),
                Column.number("runs", 4));
        for (Rates.Rate rate : result.rates()) {
            table = table.row(
                    rate.sigma(),
                    rate.iterations(),
                    rate.meanPolicyError(),
                    rate.policyErrorStandardError(),
                    rate.meanSquaredGradientNorm(),
                    rate.gradientNormStandardError(),
                    rate.runs());
        }
        return table;
    }

    /** All rows, or those of the most iterations alone. */
    private Table floor(boolean all) {
        int most = result.settings().floorIterations().getLast();
        Table table = Table.of(
                        Column.text("error"),
                        Column.number("epsilon", 3),
                        Column.number("iterations", 6),
                        Column.number("policy error", 4),
                        Column.number("s.e.", 2),
                        Column.number("squared gradient", 4),
                        Column.number("s.e.", 2))
                .titled("Theorem 1: the floor of an error in Q, sigma 1/2");
        for (Rates.Floor row : result.floor()) {
            if (all || row.iterations() == most) {
                table = table.row(
                        row.persistent() ? "persistent" : "fresh",
                        row.epsilon(),
                        row.iterations(),
                        row.meanPolicyError(),
                        row.policyErrorStandardError(),
                        row.meanSquaredGradientNorm(),
                        row.gradientNormStandardError());
            }
        }
        return table;
    }

    private Table trace() {
        Table table = Table.of(
                Column.number("iteration", 6),
                Column.number("policyError", 6),
                Column.number("squaredGradientNorm", 6));
        for (Rates.Moment moment : result.trace()) {
            table = table.row(moment.iteration(), moment.policyError(), moment.squaredGradientNorm());
        }
        return table;
    }

    private Table likelihoods() {
        Table table = Table.of(
                        Column.text("theta"),
                        Column.number("trajectories", 6),
                        Column.number("mean |L - L^|", 3),
                        Column.number("s.e.", 2),
                        Column.number("mean |L - L~|", 3),
                        Column.number("s.e.", 2))
                .titled("Section 3: surrogate L^ and empirical likelihood L~");
        for (Concentration.Likelihoods row : result.likelihoods()) {
            table = table.row(
                    row.theta(),
                    row.trajectories(),
                    row.surrogateError(),
                    row.surrogateStandardError(),
                    row.empiricalError(),
                    row.empiricalStandardError());
        }
        return table;
    }

    private Table maximisers() {
        Table table = Table.of(
                        Column.number("trajectories", 6),
                        Column.number("of L^", 3),
                        Column.number("s.e.", 2),
                        Column.number("of L~", 3),
                        Column.number("s.e.", 2))
                .titled("What the maximiser loses: mean L(theta*) - L(theta)");
        for (Maximisers.Excess row : result.maximisers()) {
            table = table.row(
                    row.trajectories(),
                    row.surrogateExcess(),
                    row.surrogateStandardError(),
                    row.empiricalExcess(),
                    row.empiricalStandardError());
        }
        return table;
    }

    private Table lemma1() {
        Table table =
                Table.of(Column.number("probability", 4), Column.number("error", 4), Column.number("shareOfBound", 4));
        for (Lemma1Study.Quantile quantile : result.lemma1().quantiles()) {
            table = table.row(quantile.probability(), quantile.error(), quantile.shareOfBound());
        }
        return table;
    }

    private Table lemma1Summary() {
        Lemma1Study.Details lemma = result.lemma1();
        Lemma1Study.AtEstimate wrong = lemma.atEstimate();
        return Table.of(
                        Column.text("where"),
                        Column.number("bound", 4),
                        Column.number("coverage", 4),
                        Column.number("tightness", 3))
                .titled("Lemma 1 on %s data sets of %d trajectories, delta %s"
                        .formatted(Numbers.count(result.lemma1Datasets()), lemma.trajectories(), result.lemma1Delta()))
                .row("theta fixed beforehand", lemma.bound(), lemma.coverage(), lemma.tightness())
                .row("the same, every return extreme", lemma.bound(), Double.NaN, lemma.worstCaseTightness())
                .row(
                        "misread at the estimate, %d states".formatted(wrong.states()),
                        wrong.bound(),
                        wrong.coverage(),
                        Double.NaN)
                .row(
                        "uniform over that class" + (wrong.uniformVacuous() ? " (vacuous)" : ""),
                        wrong.uniformBound(),
                        wrong.uniformCoverage(),
                        Double.NaN)
                .note("Tightness: the (1 - delta)-quantile of |L - L^| over the bound.");
    }

    private Table duality() {
        Table table = Table.of(
                        Column.number("process", 3),
                        Column.number("features", 3),
                        Column.number("entropy (primal)", 10),
                        Column.number("-L^ (dual)", 10),
                        Column.number("gap", 2),
                        Column.number("policies differ by", 2))
                .titled("Theorem 2: both problems solved on their own");
        for (DualityStudy.Gap row : result.duality()) {
            table = table.row(row.process(), row.features(), row.primal(), row.dual(), row.gap(), row.policyDistance());
        }
        return table;
    }

    private Picture ratesPicture() {
        return Panels.row(
                "Theorem 1: rates",
                rates(
                        "Mean log-policy error",
                        Rates.Rate::meanPolicyError,
                        Rates.Rate::policyErrorStandardError,
                        Rates.Slope::guaranteedPolicyError),
                rates(
                        "Mean squared gradient norm",
                        Rates.Rate::meanSquaredGradientNorm,
                        Rates.Rate::gradientNormStandardError,
                        Rates.Slope::guaranteedGradientNorm));
    }

    private LineChart rates(
            String title,
            ToDoubleFunction<Rates.Rate> value,
            ToDoubleFunction<Rates.Rate> error,
            ToDoubleFunction<Rates.Slope> guaranteed) {
        LineChart chart = LineChart.titled(title)
                .size(WIDTH, HEIGHT)
                .x("iterations K", Scale.LOG10)
                .y("", Scale.LOG10);
        Series reference = Series.of("", new double[0]);
        for (Rates.Slope slope : result.slopes()) {
            List<Rates.Rate> own = result.rates().stream()
                    .filter(rate -> rate.sigma() == slope.sigma())
                    .toList();
            double[] k = own.stream().mapToDouble(Rates.Rate::iterations).toArray();
            double[] y = own.stream().mapToDouble(value).toArray();
            double[] low = own.stream()
                    .mapToDouble(rate -> value.applyAsDouble(rate) - 2 * error.applyAsDouble(rate))
                    .toArray();
            double[] high = own.stream()
                    .mapToDouble(rate -> value.applyAsDouble(rate) + 2 * error.applyAsDouble(rate))
                    .toArray();
            chart = chart.with(Series.of("sigma = " + Numbers.significant(slope.sigma(), 3), k, y)
                    .bars(low, high)
                    .as(Mark.LINE_AND_POINTS));
            if (slope.sigma() == 0.5) {
                double exponent = guaranteed.applyAsDouble(slope);
                reference =
                        Series.of("K^" + exponent, k, power(k, y[0], exponent)).as(Mark.DASHES);
            }
        }
        return chart.with(reference);
    }

    /** Through the first point with a given slope. */
    private static double[] power(double[] x, double first, double exponent) {
        double[] y = new double[x.length];
        for (int i = 0; i < x.length; i++) {
            y[i] = first * Math.pow(x[i] / x[0], exponent);
        }
        return y;
    }

    private Picture tracePicture() {
        List<Rates.Moment> trace = result.trace();
        double[] k =
                trace.stream().mapToDouble(moment -> moment.iteration() + 1.0).toArray();
        return LineChart.titled("Along one run, K = %d, sigma = 1/2"
                        .formatted(result.settings().iterations().getLast()))
                .x("iteration k + 1", Scale.LOG10)
                .y("", Scale.LOG10)
                .with(
                        Series.of(
                                "log-policy error",
                                k,
                                trace.stream()
                                        .mapToDouble(Rates.Moment::policyError)
                                        .toArray()),
                        Series.of(
                                "squared gradient norm",
                                k,
                                trace.stream()
                                        .mapToDouble(Rates.Moment::squaredGradientNorm)
                                        .toArray()));
    }

    private Picture floorPicture() {
        return Panels.row(
                "Theorem 1: the floor of a persistent error in Q, sigma = 1/2",
                floor("Mean log-policy error", Rates.Floor::meanPolicyError),
                floor("Mean squared gradient norm", Rates.Floor::meanSquaredGradientNorm));
    }

    private LineChart floor(String title, ToDoubleFunction<Rates.Floor> value) {
        LineChart chart = LineChart.titled(title)
                .size(WIDTH, HEIGHT)
                .x("iterations K", Scale.LOG10)
                .y("", Scale.LOG10);
        for (double epsilon : result.settings().epsilons()) {
            List<Rates.Floor> own = result.floor().stream()
                    .filter(row -> row.persistent() && row.epsilon() == epsilon)
                    .toList();
            chart = chart.with(Series.of(
                            "epsilon = " + Numbers.significant(epsilon, 3),
                            own.stream().mapToDouble(Rates.Floor::iterations).toArray(),
                            own.stream().mapToDouble(value).toArray())
                    .as(Mark.LINE_AND_POINTS));
        }
        return chart;
    }

    private Picture likelihoodsPicture() {
        LineChart errors = LineChart.titled("Error of the likelihood at the truth")
                .size(WIDTH, HEIGHT)
                .x("trajectories |D|", Scale.LOG10)
                .y("", Scale.LOG10);
        List<Concentration.Likelihoods> truth = result.likelihoods().stream()
                .filter(row -> row.theta().equals("truth"))
                .toList();
        double[] n = truth.stream()
                .mapToDouble(Concentration.Likelihoods::trajectories)
                .toArray();
        double[] surrogate = truth.stream()
                .mapToDouble(Concentration.Likelihoods::surrogateError)
                .toArray();
        errors = errors.with(
                Series.of("surrogate |L - L^|", n, surrogate).as(Mark.LINE_AND_POINTS),
                Series.of(
                                "empirical |L - L~|",
                                n,
                                truth.stream()
                                        .mapToDouble(Concentration.Likelihoods::empiricalError)
                                        .toArray())
                        .as(Mark.LINE_AND_POINTS),
                Series.of("|D|^-0.5", n, power(n, surrogate[0], -0.5)).as(Mark.DASHES));
        List<Maximisers.Excess> rows = result.maximisers();
        double[] size =
                rows.stream().mapToDouble(Maximisers.Excess::trajectories).toArray();
        LineChart losses = LineChart.titled("What the maximiser loses, L(theta*) - L(theta)")
                .size(WIDTH, HEIGHT)
                .x("trajectories |D|", Scale.LOG10)
                .y("", Scale.LOG10)
                .with(
                        loss(
                                "maximiser of L^",
                                size,
                                Maximisers.Excess::surrogateExcess,
                                Maximisers.Excess::surrogateStandardError),
                        loss(
                                "maximiser of L~",
                                size,
                                Maximisers.Excess::empiricalExcess,
                                Maximisers.Excess::empiricalStandardError));
        return Panels.row("Section 3: surrogate and empirical likelihood", errors, losses);
    }

    private Series loss(
            String name,
            double[] size,
            ToDoubleFunction<Maximisers.Excess> value,
            ToDoubleFunction<Maximisers.Excess> error) {
        double[] mean = result.maximisers().stream().mapToDouble(value).toArray();
        double[] spread = result.maximisers().stream().mapToDouble(error).toArray();
        double[] low = mean.clone();
        double[] high = mean.clone();
        for (int i = 0; i < mean.length; i++) {
            low[i] -= 2 * spread[i];
            high[i] += 2 * spread[i];
        }
        return Series.of(name, size, mean).bars(low, high).as(Mark.LINE_AND_POINTS);
    }

    private Picture lemma1Picture() {
        List<Lemma1Study.Quantile> quantiles = result.lemma1().quantiles();
        double level = 1 - result.lemma1Delta();
        return LineChart.titled("Lemma 1: |L - L^| as a share of the bound")
                .x("|L - L^| / bound", Scale.LINEAR)
                .y("share of data sets at most this", Scale.LINEAR)
                .with(
                        Series.of(
                                        "simulated",
                                        quantiles.stream()
                                                .mapToDouble(Lemma1Study.Quantile::shareOfBound)
                                                .toArray(),
                                        quantiles.stream()
                                                .mapToDouble(Lemma1Study.Quantile::probability)
                                                .toArray())
                                .as(Mark.LINE_AND_POINTS),
                        Series.of("1 - delta", new double[] {0, 1}, new double[] {level, level})
                                .as(Mark.DASHES),
                        Series.of("the bound", new double[] {1, 1}, new double[] {0, 1})
                                .as(Mark.DASHES));
    }
}
