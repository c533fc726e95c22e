package dev.revealed.app;

import dev.revealed.mdp.Episodes;
import dev.revealed.neural.Scores;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.Tensors;
import java.util.HexFormat;
import java.util.Map;

/** What all have in common who learn from what they were shown: they know it again, and their true return is measured alone. */
final class Shown {
    private Shown() {}

    static void save(String name, Episodes demonstrations, Tensors into) {
        into.put(name, fingerprint(demonstrations));
    }

    /** Refuses others than those that were saved. */
    static void check(String name, Episodes demonstrations, String file, Tensors from) {
        if (from.longs(name)[0] != fingerprint(demonstrations)) {
            throw new BadInput(
                    "%s holds other demonstrations than when the run was begun".formatted(file),
                    "Put the first ones back, or begin another run in another folder.");
        }
    }

    private static long fingerprint(Episodes demonstrations) {
        return HexFormat.fromHexDigitsToLong(demonstrations.hash(), 0, 16);
    }

    /** Writes what a test measured into its line. */
    static void tested(Map<String, Object> line, Scores scores, long evaluationSteps) {
        line.put("evaluationSteps", evaluationSteps);
        line.put("trueReturn", scores.meanReturn());
        line.put("trueStandardError", scores.standardError());
        line.put("trueLength", scores.meanLength());
    }
}
