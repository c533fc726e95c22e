package dev.revealed.app.estimate;

import dev.revealed.app.Outcome;
import dev.revealed.app.view.CoefficientTable;
import dev.revealed.app.view.LineChart;
import dev.revealed.app.view.Numbers;
import dev.revealed.app.view.Picture;
import dev.revealed.app.view.Scale;
import dev.revealed.app.view.Table;
import dev.revealed.data.StataFile;
import dev.revealed.estimate.Directions;
import dev.revealed.estimate.Estimate;
import dev.revealed.estimate.choice.SolvedScore;
import dev.revealed.estimate.choice.inference.Bootstrap;
import dev.revealed.estimate.choice.inference.ChoiceEstimate;
import dev.revealed.estimate.choice.inference.FitTest;
import dev.revealed.estimate.choice.inference.Profile;
import dev.revealed.estimate.choice.inference.TestResult;
import dev.revealed.estimate.choice.mixed.MixedEstimator;
import dev.revealed.estimate.choice.mixed.Population;
import dev.revealed.mdp.choice.ChoiceModel;
import dev.revealed.numeric.Dense;
import dev.revealed.numeric.Interval;
import dev.revealed.numeric.Normal;
import dev.revealed.settings.Part;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Shows an estimated choice model: the table economists know, pictures against the data, and the document of the fit. */
record ChoiceView(
        ChoiceModels.Named named,
        ChoiceEstimate found,
        ChoiceEstimation.Tests tests,
        ChoiceEstimation.Judgement judgement,
        Optional<Population> population,
        Optional<HiddenView> hidden,
        double level,
        long seed) {
    /** Transition laws counted cell by cell have very many parameters; the table shows the first. */
    private static final int LAW_SHOWN = 20;

    /** And the document no more than these; estimate.csv has all. */
    private static final int LAW_IN_DOCUMENT = 200;

    /** Beyond this condition number of the scaled information, the weakest direction is named. */
    private static final double ILL_CONDITIONED = 1e4;

    private ChoiceModel model() {
        return named.model();
    }

    Estimate estimate() {
        return found.estimate();
    }

    private List<String> warnings() {
        return Stream.of(
                        estimate().warnings().stream(),
                        named.warnings().stream(),
                        tests.done().stream().flatMap(test -> test.warnings().stream()),
                        tests.failed().stream(),
                        judgement.profiles().stream().filter(Profile::flat).map(Profile::describe),
                        hidden.filter(own -> estimate().converged()).flatMap(HiddenView::warning).stream())
                .flatMap(said -> said)
                .toList();
    }

    /** The contract of {@code result.json} for a choice model(). */
    record Document(
            FitDocument fit,
            Studied studied,
            List<Parameter> parameters,
            OptionalInt iterationsToWithin1e3,
            String standardErrors,
            double level,
            double[][] covariance,
            Identified identified,
            ChoiceEstimation.Judgement judgement,
            List<TestResult> tests,
            Optional<SolvedScore> solvedScore,
            Optional<Resampled> bootstrap,
            List<String> warnings,
            List<String> notes,
            Optional<ChoiceResult> choice) {}

    /** How a hidden variable was summed over, and by how much the log-likelihood differs with twice the nodes. */
    record Quadrature(int nodes, double error) {}

    /**
     * The model and the panel.
     *
     * @param model as typed: the name of a built-in one, or a file
     * @param modelName what the model calls itself
     * @param modelHash SHA-256 of the model's file, where it has one
     */
    @Part
    record Studied(
            String model,
            String modelName,
            Optional<String> modelHash,
            Map<String, Object> settings,
            String data,
            int individuals,
            long observations,
            int states,
            List<String> actions,
            double discount,
            int transitionParameters) {}

    /** What the information says of the parameters, and how well a hidden variable was summed over, where there is one. */
    @Part
    record Identified(double[] spectrum, OptionalDouble conditionNumber, Optional<Quadrature> hidden) {}

    /** A parameter with what follows from its standard error, where it has one. */
    record Parameter(
            String name,
            double value,
            OptionalDouble standardError,
            OptionalDouble z,
            OptionalDouble pValue,
            OptionalDouble low,
            OptionalDouble high) {}

    /** What a bootstrap adds to the standard errors. */
    record Resampled(int replications, int failed, double[] bias, double[][] percentileIntervals) {}

    Outcome outcome(boolean latex) {
        Table table = table(LAW_SHOWN);
        Outcome fitted =
                Outcome.of(document(), "An estimated choice model").table(table).warnings(warnings());
        if (!named.notes().isEmpty()) {
            fitted = fitted.notes(named.notes());
        }
        Outcome outcome = pictures()
                .addTo(fitted, "")
                .report(page -> ChoiceResult.model(page, named.name(), named.text())
                        .provenance("data", named.file())
                        .provenance("hash of the choices", estimate().dataHash()))
                .file("estimate.csv", table(Integer.MAX_VALUE).toCsv())
                .file("estimate.tex", table.toLatex());
        if (found.bootstrap().isPresent()) {
            Bootstrap.Result result = found.bootstrap().get();
            outcome = outcome.file("bootstrap.csv", csv(result.names(), result.draws(), false));
        }
        if (found.types().isPresent()) {
            double[][] posterior = found.types().get();
            outcome = outcome.file("types.csv", csv(typeNames(posterior), posterior, true));
        }
        for (Profile profile : judgement.profiles()) {
            String name = "profile-" + profile.parameter();
            outcome = outcome.table(name, profileTable(profile))
                    .picture(name, profilePicture(profile), profile.describe())
                    .file(name + ".csv", profileTable(profile).toCsv());
        }
        if (!judgement.fitTests().isEmpty()) {
            outcome = outcome.table("fit", cells()).file("fit.csv", cells().toCsv());
        }
        outcome = outcome.writing(folder -> folder.write("estimate.dta", stata()));
        String commented =
                warnings().stream().map("%% warning: %s\n"::formatted).collect(Collectors.joining());
        return latex ? outcome.printing(table.toLatex() + commented) : outcome;
    }

    private static Table profileTable(Profile profile) {
        double most = profile.points().stream()
                .filter(Profile.Point::converged)
                .mapToDouble(Profile.Point::logLikelihood)
                .max()
                .orElse(Double.NaN);
        return Table.of(
                        profile.points(),
                        Table.Field.number(profile.parameter(), 6, Profile.Point::value),
                        Table.Field.decimals("choice log-lik.", 3, Profile.Point::logLikelihood),
                        Table.Field.decimals("below the best", 3, point -> most - point.logLikelihood()),
                        Table.Field.text("converged", point -> point.converged() ? "yes" : "NO"))
                .titled("Profile of " + profile.parameter())
                .note(profile.describe());
    }

    private static Picture profilePicture(Profile profile) {
        List<Profile.Point> found =
                profile.points().stream().filter(Profile.Point::converged).toList();
        return LineChart.titled("Profile of " + profile.parameter())
                .x(profile.parameter(), Scale.LINEAR)
                .y("log-likelihood of the choices", Scale.LINEAR)
                .with(LineChart.Series.of(
                        "",
                        found.stream().mapToDouble(Profile.Point::value).toArray(),
                        found.stream().mapToDouble(Profile.Point::logLikelihood).toArray()));
    }

    /** Observed and predicted choices by group of states. */
    private Table cells() {
        List<FitCell> all = judgement.fitTests().stream()
                .flatMap(test -> test.cells().stream().map(cell -> new FitCell(test.by(), cell)))
                .toList();
        return Table.of(
                        all,
                        Table.Field.text("by", FitCell::by),
                        Table.Field.text("values", own -> own.cell.group()),
                        Table.Field.text("action", own -> own.cell.action()),
                        Table.Field.decimals("observed", 1, own -> own.cell.observed()),
                        Table.Field.decimals("predicted", 1, own -> own.cell.expected()))
                .titled("Observed and predicted choices");
    }

    private record FitCell(String by, FitTest.Cell cell) {}

    private byte[] stata() {
        List<Parameter> all = parameters();
        return StataFile.write(List.of(
                StataFile.Variable.of(
                        "parameter",
                        "parameter",
                        all.stream().map(Parameter::name).toList()),
                stata("estimate", all, Parameter::value),
                stata("se", all, p -> p.standardError.orElse(Double.NaN)),
                stata("z", all, p -> p.z.orElse(Double.NaN)),
                stata("p", all, p -> p.pValue.orElse(Double.NaN)),
                stata("low", all, p -> p.low.orElse(Double.NaN)),
                stata("high", all, p -> p.high.orElse(Double.NaN))));
    }

    private static StataFile.Variable stata(String name, List<Parameter> all, ToDoubleFunction<Parameter> value) {
        return StataFile.Variable.of(name, name, all.stream().mapToDouble(value).toArray());
    }

    /** The estimate against its data; of each type where there are several. */
    ChoicePictures pictures() {
        Map<String, Double> values = new HashMap<>();
        estimate().parameters().forEach(p -> values.put(p.name(), p.value()));
        List<String> names = model().utility().names();
        List<double[]> thetas = new ArrayList<>();
        do { // type k has RC[k] where types differ in RC, and RC where they do not
            String own = "[" + (thetas.size() + 1) + "]";
            thetas.add(names.stream()
                    .mapToDouble(name -> values.getOrDefault(name + own, values.getOrDefault(name, Double.NaN)))
                    .toArray());
        } while (names.stream().anyMatch(name -> values.containsKey(name + "[" + (thetas.size() + 1) + "]")));
        double[] all = estimate().theta();
        double[] phi = Arrays.copyOfRange(all, all.length - model().law().parameters(), all.length);
        Optional<double[]> mixture = hidden.map(own -> own.smoothed().expected())
                .or(() -> population.map(own -> MixedEstimator.expectedChoices(named.problem(), own, found.fit())));
        ChoiceModel fitted = population
                .filter(Population::discount)
                .map(own -> model().withDiscount(values.getOrDefault("discount", Double.NaN)))
                .orElse(model());
        return new ChoicePictures(
                fitted,
                named.panel(),
                thetas,
                phi,
                population.isEmpty() ? estimate().covariance() : new double[0][],
                mixture,
                level);
    }

    Document document() {
        return new Document(
                FitDocument.of(estimate(), seed),
                new Studied(
                        named.name(),
                        model().name(),
                        named.text().map(ChoiceModels::hash),
                        named.settings(),
                        named.file().toString(),
                        named.panel().size(),
                        named.panel().decisions(),
                        model().states(),
                        model().actions(),
                        model().discount(),
                        model().law().parameters()),
                parameters(),
                iterationsToWithin(1e-3),
                standardErrors(),
                level,
                estimate().covariance(),
                new Identified(
                        estimate().spectrum(),
                        conditionNumber(),
                        hidden.map(own -> new Quadrature(own.nodes(), own.error()))),
                judgement,
                tests.done(),
                found.fit().score(),
                found.bootstrap().map(this::resampled),
                warnings(),
                named.notes(),
                found.types().isEmpty() || population.isPresent()
                        ? Optional.of(ChoiceResult.of(named, estimate(), population, visits()))
                        : Optional.empty());
    }

    /** How often a decision was made in each state; hidden ones as they are expected to have been. */
    private double[] visits() {
        return hidden.map(own -> own.smoothed().visits())
                .orElseGet(() -> named.problem().visits());
    }

    private Resampled resampled(Bootstrap.Result result) {
        double[][] intervals = new double[parameters().size()][];
        Arrays.setAll(intervals, j -> result.interval(j, level));
        return new Resampled(
                result.draws().length + result.failed(),
                result.failed(),
                Arrays.copyOf(result.bias(), intervals.length),
                intervals);
    }

    private static List<String> typeNames(double[][] posterior) {
        return Stream.concat(
                        Stream.of("individual"),
                        IntStream.rangeClosed(1, posterior[0].length).mapToObj(k -> "type " + k))
                .toList();
    }

    /** @param individuals whether each row begins with the name of an individual */
    private String csv(List<String> header, double[][] rows, boolean individuals) {
        StringBuilder csv = new StringBuilder(Table.csvLine(header));
        for (int i = 0; i < rows.length; i++) {
            csv.append(Table.csvLine(Stream.concat(
                            individuals
                                    ? Stream.of(
                                            named.panel().individuals().get(i).name())
                                    : Stream.empty(),
                            Arrays.stream(rows[i]).mapToObj(Double::toString))
                    .toList()));
        }
        return csv.toString();
    }

    private List<Parameter> parameters() {
        return estimate().parameters().stream()
                .limit(own() + LAW_IN_DOCUMENT)
                .map(p -> {
                    double error = p.standardError().orElse(Double.NaN);
                    boolean known = error > 0;
                    Interval interval = p.interval(level);
                    double z = p.value() / error;
                    return new Parameter(
                            p.name(),
                            p.value(),
                            p.standardError(),
                            known ? OptionalDouble.of(z) : OptionalDouble.empty(),
                            known ? OptionalDouble.of(2 * Normal.cdf(-Math.abs(z))) : OptionalDouble.empty(),
                            known ? OptionalDouble.of(interval.low()) : OptionalDouble.empty(),
                            known ? OptionalDouble.of(interval.high()) : OptionalDouble.empty());
                })
                .toList();
    }

    /** The first recorded iteration of a converged run whose log-likelihood is so close to the maximum. */
    private OptionalInt iterationsToWithin(double distance) {
        double most = estimate().choiceLogLikelihood().orElse(Double.NaN);
        return estimate().trace().stream()
                .filter(point -> estimate().converged() && point.logLikelihood() >= most - distance)
                .mapToInt(Estimate.TracePoint::iteration)
                .findFirst();
    }

    /** How many parameters are not those of the transition law. */
    private int own() {
        return estimate().parameters().size() - model().law().parameters();
    }

    private OptionalDouble conditionNumber() {
        double[] spectrum = estimate().spectrum();
        return spectrum.length == 0
                ? OptionalDouble.empty()
                : OptionalDouble.of(spectrum[spectrum.length - 1] / Math.max(spectrum[0], 0));
    }

    private Table table(int lawShown) {
        int own = own();
        List<Estimate.Parameter> all = estimate().parameters();
        Table table = EstimateView.coefficients(all.subList(0, own), level);
        if (all.size() > own) {
            List<Estimate.Parameter> law = all.subList(own, (int) Math.min(all.size(), (long) own + lawShown));
            table = CoefficientTable.more(table.heading("Transition law"), EstimateView.rows(law), level);
            if (own + law.size() < all.size()) {
                table = table.note("... and %s more of the transition law in estimate.csv"
                        .formatted(Numbers.count(all.size() - own - law.size())));
            }
        }
        table = withFacts(table);
        for (String note : notes()) {
            table = table.note(note);
        }
        return table.titled("Dynamic discrete choice");
    }

    private Table withFacts(Table coefficients) {
        Estimate fit = estimate();
        Table table = ChoiceResult.model(coefficients, model(), named.name(), named.text());
        for (Map.Entry<String, Object> setting : named.settings().entrySet()) {
            String key = setting.getKey();
            if (!key.equals("discount") && !key.equals("bins")) { // shown in their own places
                String shown = setting.getValue().toString();
                table = table.fact(Character.toUpperCase(key.charAt(0)) + key.substring(1), shown);
            }
        }
        table = table.fact("Method", fit.method())
                .fact("Individuals", Numbers.count(named.panel().size()))
                .fact("Observations", Numbers.count(named.panel().decisions()))
                .fact("States", Numbers.count(model().states()))
                .fact("Actions", Numbers.count(model().actions().size()))
                .fact(
                        "Discount",
                        population.filter(Population::discount).isPresent()
                                ? "estimated"
                                : Double.toString(model().discount()))
                .fact("Log-likelihood", Numbers.decimals(fit.logLikelihood(), 3));
        if (fit.transitionLogLikelihood().isPresent()) {
            double choice = fit.choiceLogLikelihood().orElse(Double.NaN);
            double transition = fit.transitionLogLikelihood().getAsDouble();
            table = table.fact("Choice log-lik.", Numbers.decimals(choice, 3))
                    .fact("Transition log-lik.", Numbers.decimals(transition, 3));
        }
        table = table.fact("AIC", Numbers.decimals(judgement.criteria().aic(), 3))
                .fact("BIC", Numbers.decimals(judgement.criteria().bic(), 3));
        return table.fact("Iterations", Numbers.count(fit.iterations()))
                .fact("Converged", fit.converged() ? "yes" : "NO");
    }

    private String standardErrors() {
        return estimate().covariance().length == 0 ? "none" : estimate().standardErrors();
    }

    private List<String> notes() {
        List<String> notes = new ArrayList<>();
        notes.add("Standard errors: " + standardErrors() + ".");
        hidden.filter(own -> estimate().converged()).ifPresent(own -> notes.add(own.note()));
        conditionNumber()
                .ifPresent(condition -> notes.add(
                        "Identification: the scaled information has smallest eigenvalue %s and condition number %s."
                                .formatted(
                                        Numbers.significant(estimate().spectrum()[0], 3),
                                        Numbers.significant(condition, 3))));
        found.fit().basis().ifPresent(basis -> notes.add("Basis: " + basis + "."));
        found.fit().score().ifPresent(score -> notes.add("Score of the solved model: " + score.describe() + "."));
        weakest().ifPresent(direction -> notes.add("Least certain is " + direction + "."));
        found.bootstrap().ifPresent(result -> notes.add(percentiles(result)));
        tests.done()
                .forEach(test -> notes.add("H0 %s: %s chi2(%d) = %s, P = %s"
                        .formatted(
                                test.hypothesis(),
                                test.name(),
                                test.df(),
                                Numbers.decimals(test.statistic(), 3),
                                String.format(Locale.ROOT, "%.3f", test.pValue()))));
        judgement
                .fitTests()
                .forEach(test -> notes.add("Fit by %s: chi2(%d) = %s, P = %s"
                        .formatted(
                                test.by(),
                                test.df(),
                                Numbers.decimals(test.statistic(), 3),
                                String.format(Locale.ROOT, "%.3f", test.pValue()))));
        judgement
                .heldOut()
                .ifPresent(score -> notes.add(
                        "Held out: %s decisions of %s individuals with log-likelihood %s, %s per decision (%s if every action were as likely)."
                                .formatted(
                                        Numbers.count(score.decisions()),
                                        Numbers.count(score.individuals()),
                                        Numbers.decimals(score.logLikelihood(), 3),
                                        Numbers.decimals(score.perDecision(), 4),
                                        Numbers.decimals(score.uniformPerDecision(), 4))));
        return notes;
    }

    private String percentiles(Bootstrap.Result result) {
        return "Percentile intervals: "
                + result.names().subList(0, own()).stream()
                        .map(name -> {
                            double[] ends = result.interval(result.names().indexOf(name), level);
                            return "%s [%s, %s]"
                                    .formatted(name, Numbers.decimals(ends[0], 4), Numbers.decimals(ends[1], 4));
                        })
                        .collect(Collectors.joining(", "))
                + ".";
    }

    /** The combination of utility parameters the data say least about, where they say little. */
    private Optional<String> weakest() {
        int p = own();
        double[][] covariance = estimate().covariance();
        if (p < 2 || covariance.length < p || !(conditionNumber().orElse(1) > ILL_CONDITIONED)) {
            return Optional.empty();
        }
        double[][] correlation = new double[p][p];
        for (int j = 0; j < p; j++) {
            for (int k = 0; k < p; k++) {
                correlation[j][k] = covariance[j][k] / Math.sqrt(covariance[j][j] * covariance[k][k]);
            }
        }
        double[] weight = Dense.symmetricEigen(correlation).vectors()[p - 1];
        double[] direction = new double[p];
        int most = 0;
        for (int j = 0; j < p; j++) {
            direction[j] = weight[j] * Math.sqrt(covariance[j][j]);
            most = Math.abs(weight[j]) > Math.abs(weight[most]) ? j : most;
        }
        double unit = direction[most];
        Arrays.setAll(direction, j -> direction[j] / unit);
        return Optional.of(Directions.describe(
                direction, weight, EstimateView.names(estimate().parameters().subList(0, p))));
    }
}
