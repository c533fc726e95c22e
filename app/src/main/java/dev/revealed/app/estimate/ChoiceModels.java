package dev.revealed.app.estimate;

import dev.revealed.app.Main;
import dev.revealed.data.ChoiceData;
import dev.revealed.data.RustBusFiles;
import dev.revealed.data.model.ModelFile;
import dev.revealed.estimate.choice.ChoiceProblem;
import dev.revealed.mdp.choice.ChoiceModel;
import dev.revealed.mdp.choice.Panel;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.Closest;
import dev.revealed.numeric.ProgressListener;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** Choice models by the name or the file of the command line. */
final class ChoiceModels {
    private static final String BUS = "rust-bus";

    private ChoiceModels() {}

    /**
     * A model with its panel.
     *
     * @param name as typed
     * @param settings of the model, resolved
     * @param warnings what the panel leaves open
     */
    record Named(
            String name,
            Map<String, Object> settings,
            Path file,
            ChoiceModel model,
            Panel panel,
            List<String> warnings) {
        ChoiceProblem problem() {
            return new ChoiceProblem(model, panel);
        }

        /** With another name for the file of the panel. */
        Named calling(Path other) {
            return new Named(name, settings, other, model, panel, warnings);
        }
    }

    /** Reads a panel, through the model that it is to decide. */
    static Named read(String name, Map<String, String> set, Path file, ProgressListener listener) {
        if (isBus(name)) {
            RustBusFiles.Settings settings = RustBusFiles.Settings.of(set);
            ChoiceData data = RustBusFiles.read(Main.existing(file), settings, listener);
            return new Named(name, settings(settings), file, data.model(), data.panel(), data.warnings());
        } else if (isFile(name)) {
            ChoiceData data = ModelFile.read(Main.existing(Path.of(name)), set).panel(Main.existing(file), listener);
            return new Named(name, settings(data.model(), set), file, data.model(), data.panel(), data.warnings());
        }
        throw unknown(name, List.of(BUS));
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

    /** Of a model of one's own: what was set, and the discount. */
    static Map<String, Object> settings(ChoiceModel model, Map<String, String> set) {
        Map<String, Object> resolved = new LinkedHashMap<>(set);
        resolved.put("discount", model.discount());
        return resolved;
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
