package dev.revealed.app.estimate;

import dev.revealed.app.BaseCommand;
import dev.revealed.app.Main;
import dev.revealed.app.Outcome;
import dev.revealed.app.view.Numbers;
import dev.revealed.app.view.Table;
import dev.revealed.app.view.Table.Cell;
import dev.revealed.app.view.Table.Column;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.Normal;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.runs.Json;
import dev.revealed.runs.RunFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Several estimates side by side, as journals print them. */
@Command(
        name = "table",
        description = "A table of several estimates side by side, a column each: as text, LaTeX and CSV.",
        footer = {
            "",
            "Examples:",
            "  ./revealed estimate --model shop.yaml --data sales.csv --out linear",
            "  ./revealed estimate --model shop2.yaml --data sales.csv --out quadratic",
            "  ./revealed table --from linear --from quadratic --names Linear,Quadratic --label tab:shop --latex",
            "",
            "Guide: docs/guide/first-paper-table.md"
        })
public final class FitTableCommand extends BaseCommand {
    @Option(
            names = "--from",
            paramLabel = "RESULT",
            required = true,
            description = "The folder or the result.json of an estimate; repeat it for each column.")
    private List<Path> from = new ArrayList<>();

    @Option(
            names = "--names",
            paramLabel = "NAME",
            split = ",",
            description = "What the columns are called (default: the folders).")
    private List<String> names = new ArrayList<>();

    @Option(names = "--caption", paramLabel = "TEXT", description = "Title of the table" + DEFAULT)
    private String caption = "Estimates";

    @Option(names = "--label", paramLabel = "TEXT", description = "Label of the table in LaTeX, such as tab:main.")
    private @Nullable String label;

    @Option(names = "--note", paramLabel = "TEXT", description = "A note below the table; may be repeated.")
    private List<String> notes = new ArrayList<>();

    @Option(names = "--stars", description = "Mark estimates that differ from zero: * 10 %%, ** 5 %%, *** 1 %%.")
    private boolean stars;

    @Option(names = "--without-law", description = "Leave out the parameters of transition laws.")
    private boolean withoutLaw;

    @Option(names = "--latex", description = "Print the table as LaTeX.")
    private boolean latex;

    /**
     * One estimate as its document tells it.
     *
     * @param law how many of the parameters, the last ones, are the transition law's
     */
    private record Fitted(String name, Path file, Map<?, ?> document, List<Coefficient> parameters, int law) {
        List<Coefficient> own(boolean ofLaw) {
            int utility = Math.max(0, parameters.size() - law);
            return ofLaw ? parameters.subList(utility, parameters.size()) : parameters.subList(0, utility);
        }

        Optional<Double> number(String... keys) {
            Object value = document;
            for (String key : keys) {
                value = value instanceof Map<?, ?> fields ? fields.get(key) : null;
            }
            return value instanceof Number n ? Optional.of(n.doubleValue()) : Optional.empty();
        }

        String text(String key) {
            Object value = document.get(key);
            return value == null ? "" : value.toString();
        }

        Optional<Coefficient> parameter(String wanted) {
            return parameters.stream().filter(p -> p.name.equals(wanted)).findFirst();
        }

        boolean converged() {
            return !Boolean.FALSE.equals(document.get("converged"));
        }
    }

    /** A parameter; the standard error is NaN where there is none. */
    record Coefficient(String name, double value, double standardError) {}

    /** The contract of {@code result.json}. */
    record Document(List<Entry> columns, List<String> notes) {}

    /** A column of the table. */
    record Entry(String name, String from, String method, List<Coefficient> parameters) {}

    @Override
    protected String comment() {
        return latex ? "% " : "";
    }

    @Override
    protected Outcome outcome(ProgressListener listener) {
        BadInput.when(
                !names.isEmpty() && names.size() != from.size(),
                "--names gives %d names for %d estimates".formatted(names.size(), from.size()),
                "Give each --from a name, or none.");
        List<Fitted> fits = new ArrayList<>();
        for (int i = 0; i < from.size(); i++) {
            fits.add(read(from.get(i), names.isEmpty() ? "" : names.get(i)));
        }
        List<String> warnings = new ArrayList<>();
        for (Fitted fit : fits) {
            if (!fit.converged()) {
                warnings.add("%s has not converged: do not publish its column.".formatted(fit.name));
            }
        }
        for (Fitted fit : fits) {
            if (fit.document.get("warnings") instanceof List<?> own) {
                own.forEach(warning -> warnings.add("%s: %s".formatted(fit.name, warning)));
            }
        }
        Set<String> hashes = new LinkedHashSet<>();
        fits.forEach(fit -> hashes.add(fit.text("dataHash")));
        if (hashes.size() > 1) {
            warnings.add("The estimates are not of the same decisions: their likelihoods cannot be compared.");
        }
        Table table = table(fits);
        Document document = new Document(
                fits.stream()
                        .map(fit -> new Entry(fit.name, fit.file.toString(), fit.text("method"), fit.parameters))
                        .toList(),
                table.notes());
        String tex = table.toLatex();
        String labelled =
                label == null ? tex : tex.replace("}\n\\begin{tabular}", "}\n\\label{" + label + "}\n\\begin{tabular}");
        Outcome outcome = Outcome.of(document, caption)
                .table(table)
                .warnings(warnings)
                .file("table.tex", labelled)
                .file("table.csv", csv(fits));
        if (!latex) {
            return outcome;
        }
        warnings.forEach(warning -> notice("warning: " + warning));
        String comments =
                warnings.stream().map(w -> "%% warning: %s\n".formatted(w)).collect(Collectors.joining());
        return outcome.printing(comments + labelled);
    }

    private Fitted read(Path path, String called) {
        Path file = Main.existing(Files.isDirectory(path) ? path.resolve(RunFiles.RESULT) : path);
        Map<?, ?> document;
        try {
            document = Json.read(Files.readString(file), Map.class);
        } catch (IOException | BadInput e) {
            throw new BadInput(
                    "%s: this is not the result of an estimation".formatted(file),
                    "Name the folder or the result.json of ./revealed estimate.");
        }
        List<Coefficient> parameters = new ArrayList<>();
        int law = document.get("transitionParameters") instanceof Number n ? n.intValue() : 0;
        if (document.get("parameters") instanceof List<?> all) {
            int shown = all.size() - (withoutLaw ? Math.min(law, all.size()) : 0);
            for (Object one : all.subList(0, shown)) {
                if (one instanceof Map<?, ?> p && p.get("name") != null && p.get("value") instanceof Number value) {
                    double error = p.get("standardError") instanceof Number n ? n.doubleValue() : Double.NaN;
                    parameters.add(new Coefficient(String.valueOf(p.get("name")), value.doubleValue(), error));
                }
            }
        }
        BadInput.when(
                parameters.isEmpty(),
                "%s: there are no estimated parameters".formatted(file),
                "Name the folder or the result.json of ./revealed estimate.");
        Path parent = file.toAbsolutePath().normalize().getParent();
        String folder = parent == null ? "" : String.valueOf(parent.getFileName());
        return new Fitted(called.isEmpty() ? folder : called, file, document, parameters, withoutLaw ? 0 : law);
    }

    private Table table(List<Fitted> fits) {
        Table table = Table.of(Stream.concat(
                        Stream.of(Column.text("")), fits.stream().map(fit -> new Column(fit.name, true, x -> "")))
                .toArray(Column[]::new));
        for (String parameter : parameters(fits)) {
            List<Object> values = new ArrayList<>(List.of(parameter));
            List<Object> errors = new ArrayList<>(List.of(""));
            for (Fitted fit : fits) {
                Optional<Coefficient> found = fit.parameter(parameter);
                values.add(found.map(this::estimate).orElse(new Cell("", "", false)));
                errors.add(found.filter(p -> p.standardError > 0)
                        .map(p -> new Cell("(" + shown(p.standardError) + ")", "", true))
                        .orElse(new Cell("", "", false)));
            }
            table = table.row(values.toArray()).row(errors.toArray());
        }
        table = table.heading("Fit");
        table = row(table, fits, "Log-likelihood", 1, "logLikelihood");
        table = row(table, fits, "AIC", 1, "judgement", "criteria", "aic");
        table = row(table, fits, "BIC", 1, "judgement", "criteria", "bic");
        table = row(table, fits, "Log-lik. per decision held out", 4, "judgement", "heldOut", "perDecision");
        table = row(table, fits, "Discount", 4, "discount");
        table = row(table, fits, "Individuals", 0, "individuals");
        table = row(table, fits, "Observations", 0, "observations");
        List<Object> methods = new ArrayList<>(List.of("Method"));
        fits.forEach(fit -> methods.add(fit.text("method")));
        table = table.row(methods.toArray());
        Set<String> kinds = new LinkedHashSet<>();
        fits.forEach(fit -> kinds.add(fit.text("standardErrors")));
        kinds.remove("");
        if (!kinds.isEmpty()) {
            table = table.note("Standard errors in parentheses: " + String.join("; ", kinds) + ".");
        }
        if (stars) {
            table = table.note("* p < 0.10, ** p < 0.05, *** p < 0.01.");
        }
        for (String note : notes) {
            table = table.note(note);
        }
        return table.titled(caption);
    }

    /** The names of all parameters: those of utilities, then those of transition laws; of the first estimate first. */
    private static List<String> parameters(List<Fitted> fits) {
        Set<String> all = new LinkedHashSet<>();
        for (boolean ofLaw : new boolean[] {false, true}) {
            fits.forEach(fit -> fit.own(ofLaw).forEach(p -> all.add(p.name)));
        }
        return List.copyOf(all);
    }

    private static Table row(Table table, List<Fitted> fits, String heading, int decimals, String... keys) {
        List<Object> cells = new ArrayList<>(List.of(heading));
        boolean any = false;
        for (Fitted fit : fits) {
            Optional<Double> value = fit.number(keys);
            any |= value.isPresent();
            cells.add(value.map(x -> new Cell(Numbers.decimals(x, decimals), x.toString(), true))
                    .orElse(new Cell("", "", false)));
        }
        return any ? table.row(cells.toArray()) : table;
    }

    private Cell estimate(Coefficient p) {
        double tail = 2 * Normal.cdf(-Math.abs(p.value / p.standardError));
        String marks = !stars || !(p.standardError > 0)
                ? ""
                : tail < 0.01 ? "***" : tail < 0.05 ? "**" : tail < 0.1 ? "*" : "";
        return new Cell(shown(p.value) + marks, Double.toString(p.value), true);
    }

    private static String shown(double value) {
        double size = Math.abs(value);
        return size >= 0.1 || value == 0
                ? Numbers.decimals(value, 3)
                : size >= 0.001 ? Numbers.decimals(value, 4) : Numbers.significant(value, 3);
    }

    private static String csv(List<Fitted> fits) {
        List<String> header = new ArrayList<>(List.of("parameter"));
        fits.forEach(fit -> header.addAll(List.of(fit.name, "se " + fit.name)));
        StringBuilder csv = new StringBuilder(Table.csvLine(header));
        for (String parameter : parameters(fits)) {
            List<String> line = new ArrayList<>(List.of(parameter));
            for (Fitted fit : fits) {
                Optional<Coefficient> found = fit.parameter(parameter);
                line.add(found.map(p -> Double.toString(p.value)).orElse(""));
                line.add(found.filter(p -> p.standardError > 0)
                        .map(p -> Double.toString(p.standardError))
                        .orElse(""));
            }
            csv.append(Table.csvLine(line));
        }
        return csv.toString();
    }
}
