package dev.revealed.app;

import dev.revealed.data.ChoiceData;
import dev.revealed.data.RustBusFiles;
import dev.revealed.mdp.choice.ChoiceModel;
import dev.revealed.mdp.choice.Panel;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.ProgressListener;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Choice models by the name or the file of the command line. */
final class ChoiceModels {
    private static final String BUS = "rust-bus";

    private ChoiceModels() {}

    /**
     * A model with its panel.
     *
     * @param name as typed
     * @param settings of the model, resolved
     */
    record Named(String name, Map<String, Object> settings, Path file, ChoiceModel model, Panel panel) {
        /** Of all parameters: those of the utility, then those of the law. */
        List<String> names() {
            return Stream.concat(model.utility().names().stream(), model.law().names().stream())
                    .toList();
        }
    }

    static Named read(String model, Map<String, String> set, Path file, ProgressListener listener) {
        if (model.equals(BUS)) {
            RustBusFiles.Settings settings = RustBusFiles.Settings.of(set);
            ChoiceData data = RustBusFiles.read(Main.existing(file), settings, listener);
            return new Named(model, bus(settings), file, data.model(), data.panel());
        }
        throw unknown(model);
    }

    static BadInput unknown(String model) {
        return new BadInput(
                "there is no model '%s'".formatted(model),
                dev.revealed.numeric.Closest.question(model, List.of(BUS))
                        + "Built in is rust-bus; a model of your own is a file that ends in .yaml.");
    }

    private static Map<String, Object> bus(RustBusFiles.Settings settings) {
        Map<String, Object> resolved = new LinkedHashMap<>();
        resolved.put("groups", ranges(List.copyOf(settings.groups())));
        resolved.put("bins", settings.bins());
        resolved.put("discount", settings.discount());
        resolved.put("cost", settings.cost().toString());
        return resolved;
    }

    /** 1,2,3,5 as 1-3,5. */
    static String ranges(List<Integer> numbers) {
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
