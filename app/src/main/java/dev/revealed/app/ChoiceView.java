package dev.revealed.app;

import dev.revealed.app.view.CoefficientTable;
import dev.revealed.app.view.Numbers;
import dev.revealed.app.view.Picture;
import dev.revealed.app.view.Report;
import dev.revealed.app.view.Table;
import dev.revealed.estimate.Estimate;
import dev.revealed.mdp.choice.ChoiceModel;
import dev.revealed.numeric.Normal;
import dev.revealed.runs.Provenance;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/** Shows an estimated choice model: the table economists know, pictures against the data, and the document of the fit. */
final class ChoiceView {
    /** Transition laws counted cell by cell have very many parameters; the table shows the first. */
    private static final int LAW_SHOWN = 20;

    /** And the document no more than these; estimate.csv has all. */
    private static final int LAW_IN_DOCUMENT = 200;

    private final ChoiceModels.Named named;
    private final ChoiceModel model;
    private final Estimate estimate;
    private final double level;
    private final long seed;

    ChoiceView(ChoiceModels.Named named, Estimate estimate, double level, long seed) {
        this.named = named;
        this.model = named.model();
        this.estimate = estimate;
        this.level = level;
        this.seed = seed;
    }

    /** The contract of {@code result.json} for a choice model. */
    record Document(
            String method,
            String model,
            Map<String, Object> settings,
            String data,
            int individuals,
            long observations,
            int states,
            List<String> actions,
            double discount,
            List<Parameter> parameters,
            int transitionParameters,
            double logLikelihood,
            OptionalDouble choiceLogLikelihood,
            OptionalDouble transitionLogLikelihood,
            int iterations,
            OptionalInt iterationsToWithin1e3,
            boolean converged,
            String status,
            double gradientNorm,
            String standardErrors,
            double level,
            double[][] covariance,
            double[] spectrum,
            OptionalDouble conditionNumber,
            long kernelPasses,
            double seconds,
            double cpuSeconds,
            List<String> warnings,
            List<Estimate.TracePoint> trace,
            long seed,
            String dataHash,
            String version) {}

    /** A parameter with what follows from its standard error, where it has one. */
    record Parameter(
            String name,
            double value,
            OptionalDouble standardError,
            OptionalDouble z,
            OptionalDouble pValue,
            OptionalDouble low,
            OptionalDouble high) {}

    Outcome outcome(boolean latex) {
        Table table = table(LAW_SHOWN);
        StringBuilder text = new StringBuilder(latex ? table.toLatex() : table.toText());
        Report report = Report.titled("An estimated choice model").table(table);
        for (String warning : estimate.warnings()) {
            text.append(latex ? "% warning: " : "\nwarning: ").append(warning).append('\n');
            report = report.paragraph("Warning: " + warning);
        }
        Map<String, Picture> pictures = new ChoicePictures(model, named.panel(), estimate, level).all();
        for (Picture picture : pictures.values()) {
            report = report.picture(picture, "");
        }
        report = report.provenance("data", named.file()).provenance("hash of the choices", estimate.dataHash());
        Map<String, String> files = new LinkedHashMap<>();
        files.put("estimate.csv", table(Integer.MAX_VALUE).toCsv());
        files.put("estimate.tex", table.toLatex());
        return new Outcome(document(), text.toString(), report, pictures, files);
    }

    private Document document() {
        return new Document(
                estimate.method(),
                named.name(),
                named.settings(),
                named.file().toString(),
                named.panel().size(),
                named.panel().decisions(),
                model.states(),
                model.actions(),
                model.discount(),
                parameters(),
                model.law().parameters(),
                estimate.logLikelihood(),
                estimate.choiceLogLikelihood(),
                estimate.transitionLogLikelihood(),
                estimate.iterations(),
                iterationsToWithin(1e-3),
                estimate.converged(),
                estimate.status(),
                estimate.gradientNorm(),
                estimate.standardErrors(),
                level,
                estimate.covariance(),
                estimate.spectrum(),
                conditionNumber(),
                estimate.kernelPasses(),
                estimate.seconds(),
                estimate.cpuSeconds(),
                estimate.warnings(),
                estimate.trace(),
                seed,
                estimate.dataHash(),
                Provenance.currentVersion());
    }

    private List<Parameter> parameters() {
        double reach = -Normal.quantile((1 - level) / 2);
        return estimate.parameters().stream()
                .limit(model.utility().parameters() + LAW_IN_DOCUMENT)
                .map(p -> {
                    double error = p.standardError().orElse(Double.NaN);
                    boolean known = error > 0;
                    double z = p.value() / error;
                    return new Parameter(
                            p.name(),
                            p.value(),
                            p.standardError(),
                            known ? OptionalDouble.of(z) : OptionalDouble.empty(),
                            known ? OptionalDouble.of(2 * Normal.cdf(-Math.abs(z))) : OptionalDouble.empty(),
                            known ? OptionalDouble.of(p.value() - reach * error) : OptionalDouble.empty(),
                            known ? OptionalDouble.of(p.value() + reach * error) : OptionalDouble.empty());
                })
                .toList();
    }

    /** The first recorded iteration of a converged run whose log-likelihood is so close to the maximum. */
    private OptionalInt iterationsToWithin(double distance) {
        double most = estimate.choiceLogLikelihood().orElse(Double.NaN);
        return estimate.trace().stream()
                .filter(point -> estimate.converged() && point.logLikelihood() >= most - distance)
                .mapToInt(Estimate.TracePoint::iteration)
                .findFirst();
    }

    private OptionalDouble conditionNumber() {
        double[] spectrum = estimate.spectrum();
        return spectrum.length == 0
                ? OptionalDouble.empty()
                : OptionalDouble.of(spectrum[spectrum.length - 1] / Math.max(spectrum[0], 0));
    }

    private Table table(int lawShown) {
        int own = model.utility().parameters();
        List<Estimate.Parameter> all = estimate.parameters();
        Table table = CoefficientTable.of(
                names(all.subList(0, own)), values(all.subList(0, own)), errors(all.subList(0, own)), level);
        if (all.size() > own) {
            List<Estimate.Parameter> law = all.subList(own, (int) Math.min(all.size(), (long) own + lawShown));
            table = CoefficientTable.more(table.heading("Transition law"), names(law), values(law), errors(law), level);
            if (own + law.size() < all.size()) {
                table = table.note("... and %s more of the transition law in estimate.csv"
                        .formatted(Numbers.count(all.size() - own - law.size())));
            }
        }
        for (Map.Entry<String, String> fact : facts().entrySet()) {
            table = table.fact(fact.getKey(), fact.getValue());
        }
        for (String note : notes()) {
            table = table.note(note);
        }
        return table.titled("Dynamic discrete choice");
    }

    private static List<String> names(List<Estimate.Parameter> parameters) {
        return parameters.stream().map(Estimate.Parameter::name).toList();
    }

    private static double[] values(List<Estimate.Parameter> parameters) {
        return parameters.stream().mapToDouble(Estimate.Parameter::value).toArray();
    }

    private static double[] errors(List<Estimate.Parameter> parameters) {
        return parameters.stream()
                .mapToDouble(p -> p.standardError().orElse(Double.NaN))
                .toArray();
    }

    private Map<String, String> facts() {
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("Model", named.name());
        named.settings().forEach((key, value) -> {
            if (!key.equals("discount") && !key.equals("bins")) { // shown in their own places
                facts.put(Character.toUpperCase(key.charAt(0)) + key.substring(1), value.toString());
            }
        });
        facts.put("Method", estimate.method());
        facts.put("Individuals", Numbers.count(named.panel().size()));
        facts.put("Observations", Numbers.count(named.panel().decisions()));
        facts.put("States", Numbers.count(model.states()));
        facts.put("Actions", Numbers.count(model.actions().size()));
        facts.put("Discount", Double.toString(model.discount()));
        facts.put("Log-likelihood", Numbers.decimals(estimate.logLikelihood(), 3));
        if (estimate.transitionLogLikelihood().isPresent()) {
            facts.put(
                    "Choice log-lik.",
                    Numbers.decimals(estimate.choiceLogLikelihood().orElse(Double.NaN), 3));
            facts.put(
                    "Transition log-lik.",
                    Numbers.decimals(estimate.transitionLogLikelihood().getAsDouble(), 3));
        }
        facts.put("Iterations", Numbers.count(estimate.iterations()));
        facts.put("Converged", estimate.converged() ? "yes" : "NO");
        return facts;
    }

    private List<String> notes() {
        List<String> notes = new ArrayList<>();
        notes.add("Standard errors: " + estimate.standardErrors() + ".");
        conditionNumber()
                .ifPresent(condition -> notes.add(
                        "Identification: the scaled information has smallest eigenvalue %s and condition number %s."
                                .formatted(
                                        Numbers.significant(estimate.spectrum()[0], 3),
                                        Numbers.significant(condition, 3))));
        return notes;
    }
}
