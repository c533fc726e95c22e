package dev.revealed.app.reproduce;

import static dev.revealed.app.view.Table.Field.decimals;
import static dev.revealed.app.view.Table.Field.number;
import static dev.revealed.app.view.Table.Field.text;

import dev.revealed.app.Outcome;
import dev.revealed.app.view.LineChart;
import dev.revealed.app.view.LineChart.Mark;
import dev.revealed.app.view.LineChart.Series;
import dev.revealed.app.view.Numbers;
import dev.revealed.app.view.Panels;
import dev.revealed.app.view.Picture;
import dev.revealed.app.view.Scale;
import dev.revealed.app.view.Table;
import dev.revealed.app.view.Table.Column;
import dev.revealed.studies.theory.Concavity.Line;
import dev.revealed.studies.theory.Concavity.Point;
import dev.revealed.studies.theory.Concentration.Likelihoods;
import dev.revealed.studies.theory.Convergence.Allowed;
import dev.revealed.studies.theory.Convergence.Distance;
import dev.revealed.studies.theory.Convergence.Exceedance;
import dev.revealed.studies.theory.DualityStudy.Gap;
import dev.revealed.studies.theory.Lemma1Study;
import dev.revealed.studies.theory.Lemma1Study.Quantile;
import dev.revealed.studies.theory.Maximisers.Excess;
import dev.revealed.studies.theory.Rates.Floor;
import dev.revealed.studies.theory.Rates.Means;
import dev.revealed.studies.theory.Rates.Moment;
import dev.revealed.studies.theory.Rates.Rate;
import dev.revealed.studies.theory.Rates.Slope;
import dev.revealed.studies.theory.TheoryStudy;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/** Shows what became of the paper's guarantees: a table and a picture for each. */
final class TheoryView {
    private static final String[] NOT_IN_CSV = {"states", "actions", "discount", "newtonSteps", "dualIterations"};

    private final TheoryStudy.Result result;

    private TheoryView(TheoryStudy.Result result) {
        this.result = result;
    }

    static Outcome of(TheoryStudy.Result result) {
        return new TheoryView(result).outcome();
    }

    private Outcome outcome() {
        TheoryStudy.Settings s = result.settings();
        Lemma1Study.AtEstimate wrong = result.lemma1().atEstimate();
        return Outcome.of(result, "The guarantees, tried")
                .paragraph("""
                        A process with %d states, %d actions, discount %s and a reward linear in %d features \
                        within [-1, 1], small enough that everything the guarantees speak of is computed exactly. \
                        The expert's reward is in the class; the data are %d of its trajectories of %d decisions, \
                        after which nothing is left to discount.""".formatted(
                                s.process().states(),
                                s.process().actions(),
                                s.process().discount(),
                                s.process().features(),
                                s.demonstrations(),
                                result.setup().trajectoryLength()))
                .heading("Theorem 1: rates")
                .paragraph("""
                        Algorithm 1 with exact soft policy evaluation, one trajectory of the data and one of the \
                        agent per step, step %s / K^sigma. Means over all k below K, then over %d runs.\
                        """.formatted(s.alpha0(), s.runs()))
                .picture("rates", ratesPicture(), "Bars are two standard errors; dashes have the guaranteed slope.")
                .table(slopes())
                .paragraph("""
                        The gradient follows the theorem. The policy does better than it: soft policy iteration is \
                        Newton's method, so after a step the policy is off by the square of how far the reward \
                        just moved, and the error falls like the larger of K^(-2 sigma) and the transient's 1/K.""")
                .picture("trace", tracePicture(), "Both quantities along one run.")
                .heading("Theorem 1: the floor an error in Q leaves")
                .paragraph("""
                        Noise of at most epsilon on Q, sigma 1/2. The policy stays off by about epsilon. An error \
                        that persists moves the gradient's floor by about the square of epsilon, less than the \
                        theorem allows; one that is drawn afresh at every step averages out.""")
                .picture("floor", floorPicture(), "Errors that persist.")
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
                .picture("likelihoods", likelihoodsPicture(), "Bars are two standard errors.")
                .table(likelihoods())
                .table(maximisers())
                .heading("Lemma 1: coverage and slack")
                .picture(
                        "lemma1",
                        lemma1Picture(),
                        "How |L - L^| is distributed over data sets, as a share of the bound.")
                .table(lemma1Summary())
                .paragraph("""
                        Lemma 1 is about a theta fixed before the data were seen. Read at the estimate it can fail \
                        on every data set: with %d states, one decision and any reward within [0, 1], %d \
                        observations leave the maximiser of L^ off by %s on average, where the lemma's formula \
                        says at most %s. The bound over the whole class, %s, holds, and is vacuous: that class is \
                        too large for so few data.""".formatted(
                                wrong.states(),
                                wrong.trajectories(),
                                Numbers.significant(wrong.meanError(), 3),
                                Numbers.significant(wrong.bound(), 3),
                                Numbers.significant(wrong.uniformBound(), 3)))
                .heading("Theorem 2: the gap")
                .paragraph("""
                        The maximum-entropy problem over occupancy measures by Newton's method on its optimality \
                        conditions, the likelihood by L-BFGS over soft-optimal policies; neither knows of the \
                        other.""")
                .table(duality())
                .heading("Corollary 1: concavity")
                .paragraph("""
                        For a reward linear in its parameters the surrogate of demonstrations that never end is concave: \
                        along any line it lies above its chord, and no eigenvalue of its Hessian is positive. The \
                        likelihood of observed choices, which counts every decision alike, need not be concave. The \
                        example is the paper's, Rust's group 2, in which no engine was replaced: as upkeep \
                        rises the likelihood bends upwards.""")
                .picture(
                        "concavity",
                        concavityPicture(),
                        "Above: the likelihood along a line and its chord. Below: the eigenvalues of its Hessian.")
                .table(concavity())
                .heading("Corollary 2: convergence in probability")
                .paragraph("""
                        Left: how often the estimate is more than epsilon worse than the truth, L(theta*) - L(theta^), over %s \
                        data sets for each number of trajectories; dashes are the chance that Corollary 2 allows as \
                        printed. Right: how often Algorithm 1's iterate with the smallest gradient is further than a \
                        distance from the maximiser of the surrogate, over %s runs for each number of iterations. Both \
                        fall to zero; the bound asks for far more trajectories than are needed, since it knows \
                        nothing but the range of the reward.""".formatted(
                                Numbers.count(s.corollary().datasets()),
                                Numbers.count(s.corollary().runs())))
                .picture("convergence", convergencePicture(), "Solid: simulated. Dashed: what the corollary allows.")
                .table(convergence())
                .table(loopConvergence())
                .report(page -> page.code("./revealed reproduce theory --seed " + s.seed())
                        .provenance("seed", s.seed()))
                .file("rates.csv", Table.csv(Rate.class, result.rates()))
                .file(
                        "floor.csv",
                        floor(true)
                                .toCsv()
                                .replaceFirst(
                                        ".*",
                                        "error,epsilon,iterations,meanPolicyError,policyErrorStandardError,"
                                                + "meanSquaredGradientNorm,gradientNormStandardError"))
                .file("trace.csv", Table.csv(Moment.class, result.trace()))
                .file("likelihoods.csv", Table.csv(Likelihoods.class, result.likelihoods(), "likelihood", "datasets"))
                .file("maximisers.csv", Table.csv(Excess.class, result.maximisers(), "datasets"))
                .file("lemma1.csv", Table.csv(Quantile.class, result.lemma1().quantiles()))
                .file("duality.csv", Table.csv(Gap.class, result.duality(), NOT_IN_CSV))
                .file("concavity.csv", concavityCsv())
                .file("convergence.csv", Table.csv(Exceedance.class, result.convergence()))
                .file("loop-convergence.csv", Table.csv(Distance.class, result.loopConvergence()));
    }

    private Table slopes() {
        TheoryStudy.Settings settings = result.settings();
        List<Integer> iterations = settings.iterations();
        return Table.of(
                        result.slopes(),
                        number("sigma", 3, Slope::sigma),
                        decimals("policy error", 3, Slope::policyErrorSlope),
                        decimals("guaranteed", 3, Slope::guaranteedPolicyError),
                        decimals("squared gradient", 3, Slope::gradientNormSlope),
                        decimals("guaranteed", 3, Slope::guaranteedGradientNorm))
                .titled("Theorem 1: slopes in log K")
                .note("K from %d to %d, %d runs each."
                        .formatted(iterations.getFirst(), iterations.getLast(), settings.runs()));
    }

    /** All rows, or those of the most iterations alone. */
    private Table floor(boolean all) {
        int most = result.settings().floorIterations().getLast();
        return Table.of(
                        result.floor().stream()
                                .filter(row -> all || row.iterations() == most)
                                .toList(),
                        text("error", row -> row.persistent() ? "persistent" : "fresh"),
                        number("epsilon", 3, Floor::epsilon),
                        number("iterations", 6, Floor::iterations),
                        number("policy error", 4, row -> row.means().meanPolicyError()),
                        number("s.e.", 2, row -> row.means().policyErrorStandardError()),
                        number("squared gradient", 4, row -> row.means().meanSquaredGradientNorm()),
                        number("s.e.", 2, row -> row.means().gradientNormStandardError()))
                .titled("Theorem 1: the floor of an error in Q, sigma 1/2");
    }

    private Table likelihoods() {
        return Table.of(
                        result.likelihoods(),
                        text("theta", Likelihoods::theta),
                        number("trajectories", 6, Likelihoods::trajectories),
                        number("mean |L - L^|", 3, Likelihoods::surrogateError),
                        number("s.e.", 2, Likelihoods::surrogateStandardError),
                        number("mean |L - L~|", 3, Likelihoods::empiricalError),
                        number("s.e.", 2, Likelihoods::empiricalStandardError))
                .titled("Section 3: surrogate L^ and empirical likelihood L~");
    }

    private Table maximisers() {
        return Table.of(
                        result.maximisers(),
                        number("trajectories", 6, Excess::trajectories),
                        number("of L^", 3, Excess::surrogateExcess),
                        number("s.e.", 2, Excess::surrogateStandardError),
                        number("of L~", 3, Excess::empiricalExcess),
                        number("s.e.", 2, Excess::empiricalStandardError))
                .titled("What the maximiser loses: mean L(theta*) - L(theta)");
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
                        .formatted(
                                Numbers.count(result.summary().lemma1Datasets()),
                                lemma.trajectories(),
                                result.summary().lemma1Delta()))
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
        return Table.of(
                        result.duality(),
                        number("process", 3, Gap::process),
                        number("features", 3, Gap::features),
                        number("entropy (primal)", 10, Gap::primal),
                        number("-L^ (dual)", 10, Gap::dual),
                        number("gap", 2, Gap::gap),
                        number("policies differ by", 2, Gap::policyDistance))
                .titled("Theorem 2: both problems solved on their own");
    }

    private Table concavity() {
        return Table.of(
                        result.concavity(),
                        text("likelihood", Line::likelihood),
                        text("data", Line::data),
                        text("along", Line::parameter),
                        number(
                                "largest eigenvalue",
                                3,
                                line -> line.points().stream()
                                        .mapToDouble(Point::largest)
                                        .max()
                                        .orElse(Double.NaN)),
                        text("concave", line -> line.concave() ? "yes" : "NO"))
                .titled("Corollary 1: the largest eigenvalue of the Hessian along a line");
    }

    private String concavityCsv() {
        record Row(String likelihood, double position, double value, double chord, double smallest, double largest) {}
        return Table.csv(
                Row.class,
                result.concavity().stream()
                        .flatMap(line -> line.points().stream()
                                .map(point -> new Row(
                                        line.likelihood(),
                                        point.position(),
                                        point.likelihood(),
                                        point.chord(),
                                        point.smallest(),
                                        point.largest())))
                        .toList());
    }

    private Picture concavityPicture() {
        Stream<LineChart> likelihoods = result.concavity().stream()
                .map(line -> LineChart.titled("%s: %s".formatted(line.likelihood(), line.data()))
                        .size(520, 340)
                        .x(line.parameter(), Scale.LINEAR)
                        .y("", Scale.LINEAR)
                        .with(
                                Series.of("likelihood", line.points(), Point::position, Point::likelihood),
                                Series.of("chord", line.points(), Point::position, Point::chord)
                                        .as(Mark.DASHES)));
        Stream<LineChart> eigenvalues = result.concavity().stream()
                .map(line -> LineChart.titled("Largest eigenvalue of the Hessian")
                        .size(520, 280)
                        .x(line.parameter(), Scale.LINEAR)
                        .y("", Scale.LINEAR)
                        .with(
                                Series.of("largest eigenvalue", line.points(), Point::position, Point::largest),
                                Series.level(
                                        "zero",
                                        line.points().getFirst().position(),
                                        line.points().getLast().position(),
                                        0)));
        return Panels.grid(
                "Corollary 1: a concave likelihood and one that is not",
                result.concavity().size(),
                Stream.concat(likelihoods, eigenvalues).toArray(Picture[]::new));
    }

    private Table convergence() {
        return Table.of(
                        result.convergence(),
                        number("trajectories", 6, Exceedance::trajectories),
                        number("epsilon", 3, Exceedance::epsilon),
                        number("share above", 3, Exceedance::share),
                        number("allowed as printed", 3, Exceedance::printed),
                        number("allowed at an estimate", 3, Exceedance::uniform))
                .titled("Corollary 2: L(theta*) - L(theta^) above epsilon")
                .note("Allowed: the chance that the bound leaves, 1 where it says nothing.");
    }

    private Table loopConvergence() {
        return Table.of(
                        result.loopConvergence(),
                        number("iterations", 6, Distance::iterations),
                        number("distance", 3, Distance::distance),
                        number("share further away", 3, Distance::share))
                .titled("Corollary 2: Algorithm 1's best iterate and the maximiser of L^");
    }

    private Picture convergencePicture() {
        LineChart byTrajectories = LineChart.titled("Share of data sets with a gap above epsilon")
                .size(520, 380)
                .x("trajectories |D|", Scale.LOG10)
                .y("", Scale.LINEAR);
        for (double epsilon : result.settings().corollary().gaps()) {
            byTrajectories = byTrajectories.with(Series.of(
                            "epsilon = " + Numbers.significant(epsilon, 3),
                            result.convergence().stream()
                                    .filter(row -> row.epsilon() == epsilon)
                                    .toList(),
                            Exceedance::trajectories,
                            Exceedance::share)
                    .as(Mark.LINE_AND_POINTS));
        }
        for (double epsilon : result.settings().corollary().gaps()) {
            byTrajectories = byTrajectories.with(Series.of(
                            "bound, " + Numbers.significant(epsilon, 3),
                            result.allowed().stream()
                                    .filter(row -> row.epsilon() == epsilon)
                                    .toList(),
                            Allowed::trajectories,
                            Allowed::printed)
                    .as(Mark.DASHES));
        }
        LineChart byIterations = LineChart.titled("Share of runs further than a distance from the maximiser")
                .size(520, 380)
                .x("iterations K", Scale.LOG10)
                .y("", Scale.LINEAR);
        for (double distance : result.settings().corollary().distances()) {
            byIterations = byIterations.with(Series.of(
                            "distance " + Numbers.significant(distance, 3),
                            result.loopConvergence().stream()
                                    .filter(row -> row.distance() == distance)
                                    .toList(),
                            Distance::iterations,
                            Distance::share)
                    .as(Mark.LINE_AND_POINTS));
        }
        return Panels.row("Corollary 2: convergence in probability", byTrajectories, byIterations);
    }

    private static LineChart chart(String title, String x) {
        return LineChart.titled(title).size(520, 380).x(x, Scale.LOG10).y("", Scale.LOG10);
    }

    private Picture ratesPicture() {
        return Panels.row(
                "Theorem 1: rates",
                rates(
                        "Mean log-policy error",
                        Means::meanPolicyError,
                        Means::policyErrorStandardError,
                        Slope::guaranteedPolicyError),
                rates(
                        "Mean squared gradient norm",
                        Means::meanSquaredGradientNorm,
                        Means::gradientNormStandardError,
                        Slope::guaranteedGradientNorm));
    }

    private LineChart rates(
            String title,
            ToDoubleFunction<Means> value,
            ToDoubleFunction<Means> error,
            ToDoubleFunction<Slope> guaranteed) {
        LineChart chart = chart(title, "iterations K");
        Series reference = Series.of("", new double[0]);
        for (Slope slope : result.slopes()) {
            List<Rate> own = result.rates().stream()
                    .filter(rate -> rate.sigma() == slope.sigma())
                    .toList();
            String name = "sigma = " + Numbers.significant(slope.sigma(), 3);
            Series measured = Series.of(name, own, Rate::iterations, rate -> value.applyAsDouble(rate.means()))
                    .bars(own, rate -> 2 * error.applyAsDouble(rate.means()))
                    .as(Mark.LINE_AND_POINTS);
            chart = chart.with(measured);
            if (slope.sigma() == 0.5) {
                double exponent = guaranteed.applyAsDouble(slope);
                reference = power("K^" + exponent, measured, exponent);
            }
        }
        return chart.with(reference);
    }

    /** Through the first point of a series with a given slope. */
    private static Series power(String name, Series through, double exponent) {
        LineChart.Point first = through.points().getFirst();
        ToDoubleFunction<LineChart.Point> y = point -> first.y() * Math.pow(point.x() / first.x(), exponent);
        return Series.of(name, through.points(), LineChart.Point::x, y).as(Mark.DASHES);
    }

    private Picture tracePicture() {
        ToDoubleFunction<Moment> iteration = moment -> moment.iteration() + 1.0;
        return LineChart.titled("Along one run, K = %d, sigma = 1/2"
                        .formatted(result.settings().iterations().getLast()))
                .x("iteration k + 1", Scale.LOG10)
                .y("", Scale.LOG10)
                .with(
                        Series.of("log-policy error", result.trace(), iteration, Moment::policyError),
                        Series.of("squared gradient norm", result.trace(), iteration, Moment::squaredGradientNorm));
    }

    private Picture floorPicture() {
        return Panels.row(
                "Theorem 1: the floor of a persistent error in Q, sigma = 1/2",
                floor("Mean log-policy error", Means::meanPolicyError),
                floor("Mean squared gradient norm", Means::meanSquaredGradientNorm));
    }

    private LineChart floor(String title, ToDoubleFunction<Means> value) {
        LineChart chart = chart(title, "iterations K");
        for (double epsilon : result.settings().epsilons()) {
            List<Floor> own = result.floor().stream()
                    .filter(row -> row.persistent() && row.epsilon() == epsilon)
                    .toList();
            String name = "epsilon = " + Numbers.significant(epsilon, 3);
            chart = chart.with(Series.of(name, own, Floor::iterations, row -> value.applyAsDouble(row.means()))
                    .as(Mark.LINE_AND_POINTS));
        }
        return chart;
    }

    private Picture likelihoodsPicture() {
        List<Likelihoods> truth = result.likelihoods().stream()
                .filter(row -> row.theta().equals("truth"))
                .toList();
        Series surrogate = errors("surrogate |L - L^|", truth, Likelihoods::surrogateError);
        return Panels.row(
                "Section 3: surrogate and empirical likelihood",
                chart("Error of the likelihood at the truth", "trajectories |D|")
                        .with(
                                surrogate,
                                errors("empirical |L - L~|", truth, Likelihoods::empiricalError),
                                power("|D|^-0.5", surrogate, -0.5)),
                chart("What the maximiser loses, L(theta*) - L(theta)", "trajectories |D|")
                        .with(
                                loss("maximiser of L^", Excess::surrogateExcess, Excess::surrogateStandardError),
                                loss("maximiser of L~", Excess::empiricalExcess, Excess::empiricalStandardError)));
    }

    private static Series errors(String name, List<Likelihoods> rows, ToDoubleFunction<Likelihoods> value) {
        return Series.of(name, rows, Likelihoods::trajectories, value).as(Mark.LINE_AND_POINTS);
    }

    private Series loss(String name, ToDoubleFunction<Excess> value, ToDoubleFunction<Excess> error) {
        return Series.of(name, result.maximisers(), Excess::trajectories, value)
                .bars(result.maximisers(), row -> 2 * error.applyAsDouble(row))
                .as(Mark.LINE_AND_POINTS);
    }

    private Picture lemma1Picture() {
        List<Quantile> quantiles = result.lemma1().quantiles();
        return LineChart.titled("Lemma 1: |L - L^| as a share of the bound")
                .x("|L - L^| / bound", Scale.LINEAR)
                .y("share of data sets at most this", Scale.LINEAR)
                .with(
                        Series.of("simulated", quantiles, Quantile::shareOfBound, Quantile::probability)
                                .as(Mark.LINE_AND_POINTS),
                        Series.level("1 - delta", 0, 1, 1 - result.summary().lemma1Delta()),
                        Series.of("the bound", new double[] {1, 1}, new double[] {0, 1})
                                .as(Mark.DASHES));
    }
}
