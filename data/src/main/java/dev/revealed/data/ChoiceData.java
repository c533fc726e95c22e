package dev.revealed.data;

import dev.revealed.mdp.choice.Chances;
import dev.revealed.mdp.choice.ChoiceModel;
import dev.revealed.mdp.choice.Frequencies;
import dev.revealed.mdp.choice.Panel;
import dev.revealed.mdp.choice.Separate;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * What an estimation starts from: a model, and a panel seen through it.
 *
 * @param unused columns of the panel's file that the model does not use
 * @param cautions what was doubtful about the file, a sentence each
 */
public record ChoiceData(ChoiceModel model, Panel panel, List<String> unused, List<String> cautions) {
    private static final int LISTED = 20;

    /** Names by which weights of observations go: w, weight, sample_weight, pweight, and as surveys have it smpwgt, wtfinl. */
    private static final Pattern WEIGHTS = Pattern.compile(
            "w|(wt|wgt).*|.*(wt|wgt)s?[0-9_]*|(?!over|under)(.*[^a-z]|[a-z]{0,6})weights?([^a-z].*)?",
            Pattern.CASE_INSENSITIVE);

    public ChoiceData {
        unused = List.copyOf(unused);
        cautions = List.copyOf(cautions);
    }

    /** A panel that is not from a file. */
    public ChoiceData(ChoiceModel model, Panel panel) {
        this(model, panel, List.of(), List.of());
    }

    /** What to know besides, a sentence each. */
    public List<String> notes() {
        if (unused.isEmpty()) {
            return List.of();
        }
        String more = unused.size() > LISTED ? " and %d more".formatted(unused.size() - LISTED) : "";
        return List.of("Columns of the panel that the model does not use: %s%s."
                .formatted(unused.stream().limit(LISTED).collect(Collectors.joining(", ")), more));
    }

    /** What the panel leaves open, a sentence each. */
    public List<String> warnings() {
        List<String> warnings = new ArrayList<>(cautions);
        for (String column : unused) {
            if (WEIGHTS.matcher(column.strip()).matches()) {
                warnings.add(("The column '%s' is not used: every row counts once. If it holds weights, the estimates"
                                + " ignore them; if not, remove or rename it.")
                        .formatted(column));
            }
        }
        double[][][] moves = panel.moves(model.law());
        for (int v = 0; v < moves.length; v++) {
            int unvisited = unvisited(model.law().parts().get(v).chances(), moves[v]);
            if (unvisited > 0) {
                warnings.add(
                        "The moves of %s were never observed in %d of %d cells; all values are taken to be equally likely there."
                                .formatted(model.space().variables().get(v).name(), unvisited, moves[v].length));
            }
        }
        return warnings;
    }

    private static int unvisited(Chances chances, double[][] moves) {
        return switch (chances) {
            case Frequencies frequencies -> frequencies.unvisited(moves);
            case Separate separate -> {
                int sum = 0;
                for (int f = 0; f < separate.families().size(); f++) {
                    sum += unvisited(separate.families().get(f), separate.of(f, moves));
                }
                yield sum;
            }
            default -> 0;
        };
    }
}
