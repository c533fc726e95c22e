package dev.revealed.data;

import dev.revealed.mdp.choice.Chances;
import dev.revealed.mdp.choice.ChoiceModel;
import dev.revealed.mdp.choice.Frequencies;
import dev.revealed.mdp.choice.Panel;
import dev.revealed.mdp.choice.Separate;
import java.util.ArrayList;
import java.util.List;

/** What an estimation starts from: a model, and a panel seen through it. */
public record ChoiceData(ChoiceModel model, Panel panel) {

    /** What the panel leaves open, a sentence each. */
    public List<String> warnings() {
        List<String> warnings = new ArrayList<>();
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
