package dev.revealed.app.estimate;

import dev.revealed.app.Main;
import dev.revealed.data.ChoiceData;
import dev.revealed.data.RustBusFiles;
import dev.revealed.data.model.ModelFile;
import dev.revealed.data.panel.PanelFiles;
import dev.revealed.data.panel.QueryPiece;
import dev.revealed.estimate.choice.ChoiceProblem;
import dev.revealed.mdp.choice.ChoiceModel;
import dev.revealed.mdp.choice.Panel;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.Closest;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.numeric.task.TaskRunner;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Choice models by the name or the file of the command line. */
final class ChoiceModels {
    private static final String BUS = "rust-bus";

    private ChoiceModels() {}

    /**
     * A model with its panel.
     *
     * @param name as typed
     * @param text of the model's file, where it is no built-in
     * @param settings of the model, resolved
     * @param warnings what the panel leaves open
     * @param notes what else there is to know of it
     */
    record Named(
            String name,
            Optional<String> text,
            Map<String, Object> settings,
            Path file,
            ChoiceModel model,
            Panel panel,
            List<String> warnings,
            List<String> notes) {

        private static Named of(
                String name, Optional<String> text, Map<String, Object> settings, Path file, ChoiceData data) {
            return new Named(name, text, settings, file, data.model(), data.panel(), data.warnings(), data.notes());
        }

        ChoiceProblem problem() {
            return new ChoiceProblem(model, panel);
        }

        /** With another panel. */
        Named with(Panel other) {
            return new Named(name, text, settings, file, model, other, warnings, notes);
        }

        /** With another name for the file of the panel. */
        Named calling(Path other) {
            return new Named(name, text, settings, other, model, panel, warnings, notes);
        }
    }

    /** What the document calls a panel that no file is named for. */
    private static final Path ANSWER = Path.of("query");

    /**
     * Where a panel is.
     *
     * @param data a file, a folder or a pattern of names; with a query, a database
     * @param query to DuckDB, where the panel is its answer
     * @param readers of the pieces of a large panel
     */
    record Source(Optional<Path> data, Optional<String> query, TaskRunner readers) {
        Path name() {
            return data.orElse(ANSWER);
        }

        private Optional<QueryPiece> answer() {
            return query.map(sql -> new QueryPiece(data, sql));
        }
    }

    /** Reads a panel, through the model that it is to decide. */
    static Named read(String name, Map<String, String> set, Source source, ProgressListener listener) {
        Optional<QueryPiece> answer = source.answer();
        if (isBus(name)) {
            RustBusFiles.Settings settings = RustBusFiles.Settings.of(set);
            ChoiceData data = answer.isPresent()
                    ? PanelFiles.buses(answer.get(), settings, listener)
                    : PanelFiles.buses(source.name(), settings, source.readers(), listener);
            return Named.of(name, Optional.empty(), settings(settings), source.name(), data);
        } else if (isFile(name)) {
            String text = ModelFile.text(Main.existing(Path.of(name)));
            ModelFile model = ModelFile.parse(name, text, set);
            ChoiceData data = answer.isPresent()
                    ? model.panel(answer.get(), listener)
                    : model.panel(source.name(), source.readers(), listener);
            return Named.of(name, Optional.of(text), settings(model), source.name(), data);
        }
        throw unknown(name, List.of(BUS));
    }

    /** The same from files. */
    static Named read(String name, Map<String, String> set, Path file, ProgressListener listener) {
        return read(name, set, new Source(Optional.of(file), Optional.empty(), TaskRunner.THREADS), listener);
    }

    static boolean isBus(String name) {
        return name.equals(BUS);
    }

    static boolean isFile(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        return lower.endsWith(".yaml") || lower.endsWith(".yml");
    }

    static BadInput unknown(String name, List<String> known) {
        return new BadInput(
                "there is no model '%s'".formatted(name),
                Closest.question(name, known)
                        + "Built in: %s. A model of your own is a file whose name ends in .yaml."
                                .formatted(String.join(", ", known)));
    }

    /** Of a model of one's own: what can be set, as it is. */
    static Map<String, Object> settings(ModelFile model) {
        Map<String, Object> resolved = new LinkedHashMap<>();
        model.settings().forEach((name, value) -> resolved.put(name, number(value)));
        return resolved;
    }

    /** 5 rather than 5.0. */
    static Object number(double value) {
        boolean whole = value == Math.rint(value) && Math.abs(value) <= Integer.MAX_VALUE;
        return whole ? (Object) (int) value : (Object) value;
    }

    /** A checksum of a model's file, which identifies the model of a result. */
    static String hash(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every Java has SHA-256", e);
        }
    }

    static Map<String, Object> settings(RustBusFiles.Settings settings) {
        Map<String, Object> resolved = new LinkedHashMap<>();
        resolved.put("groups", ranges(List.copyOf(settings.groups())));
        resolved.put("bins", settings.bins());
        resolved.put("discount", settings.discount());
        resolved.put("cost", settings.cost().toString());
        return resolved;
    }

    /** 1,2,3,5 as 1-3,5. */
    private static String ranges(List<Integer> numbers) {
        Map<Integer, Integer> lastOf = new LinkedHashMap<>();
        int first = 0;
        for (int i = 0; i < numbers.size(); i++) {
            boolean follows = i > 0 && numbers.get(i) == numbers.get(i - 1) + 1;
            first = follows ? first : numbers.get(i);
            lastOf.put(first, numbers.get(i));
        }
        return lastOf.entrySet().stream()
                .map(e -> e.getKey().equals(e.getValue()) ? e.getKey() + "" : e.getKey() + "-" + e.getValue())
                .collect(Collectors.joining(","));
    }
}
