package dev.revealed.app.train;

import dev.revealed.train.TrainingPlan;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Settings that are allowed and hardly ever meant. */
final class UnusualSettings {
    private static final double HIGHEST_RATE = 0.1; // with Adam a parameter moves by about this much in an update

    private UnusualSettings() {}

    /** What a person should know of them before a run begins. */
    static List<String> cautions(Map<String, Object> settings, TrainingPlan plan) {
        List<String> cautions = new ArrayList<>();
        settings.forEach((name, value) -> {
            if (name.endsWith("learning-rate") && value instanceof Number rate && rate.doubleValue() > HIGHEST_RATE) {
                cautions.add(
                        "`%s` is %s: each update moves every parameter by about as much, and learning will probably diverge; 3e-4 is usual"
                                .formatted(name, value));
            }
        });
        if (settings.get("batch") instanceof Number batch && batch.longValue() > plan.steps()) {
            cautions.add("`batch` is %s, and the run makes %d transitions in all: batches repeat the same ones"
                    .formatted(batch, plan.steps()));
        }
        return cautions;
    }
}
