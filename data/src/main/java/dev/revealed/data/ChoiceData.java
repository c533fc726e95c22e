package dev.revealed.data;

import dev.revealed.mdp.choice.ChoiceModel;
import dev.revealed.mdp.choice.Frequencies;
import dev.revealed.mdp.choice.Panel;
import dev.revealed.mdp.choice.SeparateFamilies;
import dev.revealed.mdp.choice.TransitionFamily;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * What an estimation starts from: a model, and a panel seen through it.
 *
 * @param unused columns of the panel's file that the model does not use
 * @param cautions what was doubtful about the file, a sentence each
 * @param remarks how the file was read, a sentence each
 * @param periods of the decisions of each individual, where the file was read as a whole; else empty
 */
public record ChoiceData(
        ChoiceModel model,
        Panel panel,
        List<String> unused,
        List<String> cautions,
        List<String> remarks,
        List<int[]> periods) {
    private static final int LISTED = 20;

    /** Names that weights of observations have: weight, weights, wgt, wt or w, alone, numbered, or after a word and a mark. */
    private static final Pattern WEIGHTS =
            Pattern.compile("(.*[_. -])?(w|wt|wgt|weights?)[0-9]*", Pattern.CASE_INSENSITIVE);

    /** Names in common use by surveys and statistics programs that do not follow this. */
    private static final Set<String> SURVEYS =
            Set.of("pweight", "fweight", "aweight", "iweight", "smpwgt", "perwt", "hhwt", "asecwt", "wtfinl", "wtsupp");

    private static boolean looksLikeWeights(String column) {
        return WEIGHTS.matcher(column).matches() || SURVEYS.contains(column.toLowerCase(Locale.ROOT));
    }

    public ChoiceData {
        unused = List.copyOf(unused);
        cautions = List.copyOf(cautions);
        remarks = List.copyOf(remarks);
        periods = List.copyOf(periods);
    }

    public ChoiceData(
            ChoiceModel model, Panel panel, List<String> unused, List<String> cautions, List<String> remarks) {
        this(model, panel, unused, cautions, remarks, List.of());
    }

    public ChoiceData(ChoiceModel model, Panel panel, List<String> unused, List<String> cautions) {
        this(model, panel, unused, cautions, List.of());
    }

    /** A panel that is not from a file. */
    public ChoiceData(ChoiceModel model, Panel panel) {
        this(model, panel, List.of(), List.of());
    }

    /** What to know besides, a sentence each. */
    public List<String> notes() {
        if (unused.isEmpty()) {
            return remarks;
        }
        String more = unused.size() > LISTED ? " and %d more".formatted(unused.size() - LISTED) : "";
        List<String> notes = new ArrayList<>(remarks);
        notes.add("Columns of the panel that the model does not use: %s%s."
                .formatted(unused.stream().limit(LISTED).collect(Collectors.joining(", ")), more));
        return notes;
    }

    /** What the panel leaves open, a sentence each. */
    public List<String> warnings() {
        List<String> warnings = new ArrayList<>(cautions);
        for (String column : unused) {
            if (looksLikeWeights(column.strip())) {
                warnings.add(("The column '%s' is not used: every row counts once. If it holds weights, the estimates"
                                + " ignore them: name it as weight: under data: in the model; if not, remove or rename it.")
                        .formatted(column));
            }
        }
        double[][][] moves = panel.moves(model.law());
        for (int v = 0; v < moves.length; v++) {
            int unvisited = unvisited(model.law().parts().get(v).family(), moves[v]);
            if (unvisited > 0) {
                warnings.add(
                        "The moves of %s were never observed in %d of %d cells; all values are taken to be equally likely there."
                                .formatted(model.space().variables().get(v).name(), unvisited, moves[v].length));
            }
        }
        return warnings;
    }

    private static int unvisited(TransitionFamily family, double[][] moves) {
        return switch (family) {
            case Frequencies frequencies -> frequencies.unvisited(moves);
            case SeparateFamilies separate -> {
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
